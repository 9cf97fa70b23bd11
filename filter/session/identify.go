package session

import "strings"

// Source is what a request says of its session.
type Source struct {
	// Header looks up a request header by its lower-case name; "" where it is
	// missing. It must be set.
	Header func(name string) string
	// Principal is who pays; empty where none is configured or found.
	Principal string

	// PromptCacheKey is the body's prompt_cache_key.
	PromptCacheKey string
	// SessionID is the body's session_id, as OpenRouter has it.
	SessionID string
	// UserID is the body's metadata.user_id. Only a session that it names is
	// used, see FromUserID.
	UserID string

	// FirstHumanTurn is the text of the oldest human turn.
	FirstHumanTurn string
}

// Identify returns the key of a request's session, from the first of these that
// the request has:
//
//  1. x-claude-code-session-id, with x-claude-code-agent-id (Claude Code)
//  2. session_id or session-id, with thread-id (Codex); thread-id alone
//  3. x-session-id, x-session-affinity (opencode), x-litellm-session-id,
//     x-grok-conv-id
//  4. the body's prompt_cache_key, its session_id, and the session that
//     metadata.user_id names
//  5. the text of the first human turn
//
// An agent or thread that shares its session's id with others has a key of its
// own. The key is empty where a request has none of them.
func Identify(s Source) Key {
	named := s.inHeaders()
	if named.id == "" {
		named = s.inBody()
	}
	if named.id == "" {
		named = identity{origin: "first human turn", id: fingerprint(s.FirstHumanTurn)}
	}
	if named.id == "" {
		return ""
	}
	return s.key(named)
}

// sessionHeaders are the headers that name a session, in order, each with the
// one that names an agent or thread within it.
var sessionHeaders = [...]struct{ id, agent string }{
	{"x-claude-code-session-id", "x-claude-code-agent-id"},
	{"session_id", codexThread},
	{"session-id", codexThread},
	{codexThread, ""},
	{"x-session-id", ""},
	{"x-session-affinity", ""},
	{"x-litellm-session-id", ""},
	{"x-grok-conv-id", ""},
}

const codexThread = "thread-id"

func (s *Source) inHeaders() identity {
	for _, header := range sessionHeaders {
		id := identifier(s.Header(header.id))
		if id == "" {
			continue
		}
		named := identity{origin: header.id, id: id}
		if header.agent != "" {
			named.agent = identifier(s.Header(header.agent))
		}
		return named
	}
	return identity{}
}

func (s *Source) inBody() identity {
	if id := identifier(s.PromptCacheKey); id != "" {
		return identity{origin: "prompt_cache_key", id: id}
	}
	if id := identifier(s.SessionID); id != "" {
		return identity{origin: "session_id in the body", id: id}
	}
	return identity{origin: "metadata.user_id", id: FromUserID(s.UserID)}
}

// identity is one session as one kind of client names it.
type identity struct {
	origin string // which header or field it comes from
	id     string
	agent  string // who of several that share the id
}

// maxIdentifierBytes bounds what is taken for an id. The clients that are known
// send fewer than 100 bytes.
const maxIdentifierBytes = 256

// identifier returns a value that can be an id, without the white space around
// it. A longer value is none: to cut it would make two of them one.
func identifier(value string) string {
	value = strings.TrimSpace(value)
	if len(value) > maxIdentifierBytes {
		return ""
	}
	return value
}

// maxFingerprintBytes bounds how much of the first human turn is hashed, which
// may be a whole pasted file.
const maxFingerprintBytes = 4096

// fingerprint returns the start of a turn that stands for its session.
func fingerprint(turn string) string {
	turn = strings.TrimSpace(turn)
	return turn[:min(len(turn), maxFingerprintBytes)]
}
