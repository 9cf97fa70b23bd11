package session_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/session"
)

const uuid = "1d3f8f6e-93f1-4d0c-8f57-2a3b4c5d6e7f"

// headers is a request's headers by lower-case name.
type headers map[string]string

func (h headers) get(name string) string { return h[name] }

func identify(h headers, s session.Source) session.Key {
	s.Header = h.get
	return session.Identify(s)
}

func TestIdentifyTakesTheFirstOfTheseThatARequestHas(t *testing.T) {
	t.Parallel()
	// Each step adds what counts for more than everything before it.
	var source session.Source
	sent := headers{}
	steps := []struct {
		name string
		add  func()
	}{
		{"first human turn", func() { source.FirstHumanTurn = "fix the login page" }},
		{"metadata.user_id", func() { source.UserID = `{"session_id":"s"}` }},
		{"body session_id", func() { source.SessionID = "s" }},
		{"prompt_cache_key", func() { source.PromptCacheKey = "s" }},
		{"x-grok-conv-id", func() { sent["x-grok-conv-id"] = "s" }},
		{"x-litellm-session-id", func() { sent["x-litellm-session-id"] = "s" }},
		{"x-session-affinity", func() { sent["x-session-affinity"] = "s" }},
		{"x-session-id", func() { sent["x-session-id"] = "s" }},
		{"thread-id", func() { sent["thread-id"] = "s" }},
		{"session-id", func() { sent["session-id"] = "s" }},
		{"session_id", func() { sent["session_id"] = "s" }},
		{"x-claude-code-session-id", func() { sent["x-claude-code-session-id"] = "s" }},
		{"x-claude-code-agent-id", func() { sent["x-claude-code-agent-id"] = "a" }},
	}
	seen := map[session.Key]string{"": "nothing"}
	for _, step := range steps {
		step.add()
		key := identify(sent, source)
		assert.Empty(t, seen[key], "%s must decide, over all that came before", step.name)
		seen[key] = step.name
	}
}

func TestIdentifyFindsNoSessionWhereNothingSaysOne(t *testing.T) {
	t.Parallel()
	assert.Empty(t, identify(headers{}, session.Source{}))
	assert.Empty(t, identify(headers{"authorization": "Bearer k"}, session.Source{Principal: "team"}),
		"a credential alone is no session")
	assert.Empty(t, identify(headers{"x-session-id": " \t"}, session.Source{FirstHumanTurn: "\n "}))
	assert.Empty(t, identify(headers{"x-claude-code-agent-id": "a"}, session.Source{}), "an agent without its session is none")
}

func TestIdentifyTellsAgentsOfOneSessionApart(t *testing.T) {
	t.Parallel()
	tests := []struct{ session, agent string }{
		{"x-claude-code-session-id", "x-claude-code-agent-id"},
		{"session_id", "thread-id"},
		{"session-id", "thread-id"},
	}
	for _, test := range tests {
		keys := map[session.Key]bool{
			identify(headers{test.session: uuid}, session.Source{}):                       true,
			identify(headers{test.session: uuid, test.agent: "one"}, session.Source{}):    true,
			identify(headers{test.session: uuid, test.agent: "two"}, session.Source{}):    true,
			identify(headers{test.session: "other", test.agent: "two"}, session.Source{}): true,
		}
		assert.Len(t, keys, 4, test.session)
	}
}

func TestIdentifyKeepsCredentialsApart(t *testing.T) {
	t.Parallel()
	keys := map[session.Key]bool{}
	for _, credential := range []headers{
		{},
		{"authorization": "Bearer one"},
		{"authorization": "Bearer two"},
		{"x-api-key": "Bearer one"},
		{"api-key": "Bearer one"},
		{"authorization": "Bearer one", "x-api-key": "two"},
	} {
		for _, principal := range []string{"", "team-a", "team-b"} {
			sent := maps.Clone(credential)
			sent["x-session-id"] = uuid
			keys[identify(sent, session.Source{Principal: principal})] = true
			keys[identify(credential, session.Source{Principal: principal, FirstHumanTurn: "hello"})] = true
		}
	}
	assert.Len(t, keys, 36)
}

func TestIdentifyNeverJoinsNeighbouringFields(t *testing.T) {
	t.Parallel()
	a := identify(headers{"authorization": "ab", "x-api-key": "c", "x-session-id": "s"}, session.Source{})
	b := identify(headers{"authorization": "a", "x-api-key": "bc", "x-session-id": "s"}, session.Source{})
	assert.NotEqual(t, a, b)
}

func TestIdentifyIsStableAsAConversationGrows(t *testing.T) {
	t.Parallel()
	first := session.Source{FirstHumanTurn: "fix the login page"}
	assert.Equal(t, identify(headers{}, first), identify(headers{"x-request-id": "2", "user-agent": "cli/2"}, first))
	assert.Equal(t, identify(headers{}, first), identify(headers{}, session.Source{FirstHumanTurn: " fix the login page\n"}))
	assert.NotEqual(t, identify(headers{}, first), identify(headers{}, session.Source{FirstHumanTurn: "fix the logout page"}))
}

// The keys of replicas of two versions meet in one store: a changed key is a
// changed scheme.
func TestIdentifyGivesTheSameKeyOnEveryReplica(t *testing.T) {
	t.Parallel()
	key := identify(headers{"authorization": "Bearer k", "x-claude-code-session-id": uuid, "x-claude-code-agent-id": "a"},
		session.Source{Principal: "team"})
	assert.Equal(t, session.Key("10b5600f784997bdf73135dc9998d537"), key)
}

func TestIdentifyTakesNoLongValueForAnID(t *testing.T) {
	t.Parallel()
	longest, tooLong := strings.Repeat("a", 256), strings.Repeat("a", 257)
	assert.NotEmpty(t, identify(headers{"x-session-id": longest}, session.Source{}))
	assert.Empty(t, identify(headers{"x-session-id": tooLong}, session.Source{}))
	assert.Empty(t, identify(headers{}, session.Source{PromptCacheKey: tooLong, SessionID: tooLong}))
	next := identify(headers{"x-session-id": tooLong, "x-session-affinity": "s"}, session.Source{})
	assert.Equal(t, identify(headers{"x-session-affinity": "s"}, session.Source{}), next, "the next one in order counts")
}

func TestIdentifyReadsOnlyTheStartOfALongFirstTurn(t *testing.T) {
	t.Parallel()
	start := strings.Repeat("a", 4096)
	assert.Equal(t, identify(headers{}, session.Source{FirstHumanTurn: start}), identify(headers{}, session.Source{FirstHumanTurn: start + "b"}))
	assert.NotEqual(t, identify(headers{}, session.Source{FirstHumanTurn: start}), identify(headers{}, session.Source{FirstHumanTurn: start[1:]}))
}

func TestFromUserIDTakesTheSessionAndNeverThePerson(t *testing.T) {
	t.Parallel()
	person := strings.Repeat("ab12", 16)
	tests := map[string]struct{ userID, want string }{
		"Claude Code":                {"user_" + person + "_account_" + uuid + "_session_" + uuid, uuid},
		"Claude Code with a key":     {"user_" + person + "_account__session_" + uuid, uuid},
		"Claude Code, JSON":          {`{"device_id":"` + person + `","account_uuid":"","session_id":"` + uuid + `"}`, uuid},
		"JSON with spaces":           {` { "session_id" : "abc" } `, "abc"},
		"empty":                      {"", ""},
		"a person":                   {"jane@example.com", ""},
		"a uuid":                     {uuid, ""},
		"a person and an account":    {"user_" + person + "_account_" + uuid, ""},
		"no session after the word":  {"user_" + person + "_account_" + uuid + "_session_", ""},
		"a person called a session":  {"user_jane_account_x_session_jane", ""},
		"a person in front":          {"jane_session_" + uuid, ""},
		"something before the form":  {"x_user_a_account_b_session_" + uuid, ""},
		"something after the uuid":   {"user_a_account_b_session_" + uuid + "x", ""},
		"JSON without a session":     {`{"user":"jane"}`, ""},
		"JSON with an empty session": {`{"session_id":" "}`, ""},
		"JSON with a number":         {`{"session_id":7}`, ""},
		"JSON with null":             {`{"session_id":null}`, ""},
		"JSON, not an object":        {`["session_id","` + uuid + `"]`, ""},
		"JSON, cut off":              {`{"session_id":"` + uuid, ""},
		"a JSON string":              {`"session_id"`, ""},
		"too long":                   {`{"session_id":"abc","x":"` + strings.Repeat("x", 1024) + `"}`, ""},
		"a session too long":         {`{"session_id":"` + strings.Repeat("x", 300) + `"}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, session.FromUserID(test.userID))
		})
	}
}

func TestIdentifyIgnoresAPersonInUserID(t *testing.T) {
	t.Parallel()
	jane := identify(headers{}, session.Source{UserID: "jane", FirstHumanTurn: "hello"})
	assert.Equal(t, identify(headers{}, session.Source{FirstHumanTurn: "hello"}), jane)
}

func FuzzFromUserID(f *testing.F) {
	for _, seed := range []string{
		"", "jane", "user_a_account_b_session_" + uuid, `{"session_id":"abc"}`, `{"session_id":{"session_id":"x"}}`,
		`{"SESSION_ID":"x"}`, "\xff\x00", "user__account__session_" + uuid, `{"session_id":"\ud800"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, userID string) {
		got := session.FromUserID(userID)
		require.LessOrEqual(t, len(got), 1024)
		if got == "" {
			return
		}
		require.Equal(t, strings.TrimSpace(got), got)
		isJSON := strings.HasPrefix(strings.TrimSpace(userID), "{")
		require.True(t, isJSON || strings.HasSuffix(userID, "_session_"+got), "%q is neither form", userID)
		key := identify(headers{}, session.Source{UserID: userID})
		require.Regexp(t, `^[0-9a-f]{32}$`, string(key))
	})
}

func FuzzIdentifySeparatesTenants(f *testing.F) {
	f.Add("Bearer a", "Bearer b", "s", "s")
	f.Add("a", "ab", "bs", "s")
	f.Fuzz(func(t *testing.T, one, two, sessionOne, sessionTwo string) {
		a := identify(headers{"authorization": one}, session.Source{PromptCacheKey: sessionOne})
		b := identify(headers{"authorization": two}, session.Source{PromptCacheKey: sessionTwo})
		if a == "" || b == "" {
			return
		}
		same := one == two && strings.TrimSpace(sessionOne) == strings.TrimSpace(sessionTwo)
		require.Equal(t, same, a == b)
	})
}

func BenchmarkIdentify(b *testing.B) {
	sent := headers{"authorization": "Bearer " + strings.Repeat("k", 100)}
	b.Run("header", func(b *testing.B) {
		h := maps.Clone(sent)
		h["x-claude-code-session-id"] = uuid
		source := session.Source{Header: h.get}
		b.ReportAllocs()
		for b.Loop() {
			session.Identify(source)
		}
	})
	b.Run("user id", func(b *testing.B) {
		source := session.Source{Header: sent.get, UserID: "user_ab12_account__session_" + uuid}
		b.ReportAllocs()
		for b.Loop() {
			session.Identify(source)
		}
	})
	b.Run("first turn", func(b *testing.B) {
		source := session.Source{Header: sent.get, FirstHumanTurn: strings.Repeat("text ", 2000)}
		b.ReportAllocs()
		for b.Loop() {
			session.Identify(source)
		}
	})
}

func ExampleIdentify() {
	request := func(agent string) session.Source {
		return session.Source{Header: headers{
			"authorization":            "Bearer secret",
			"x-claude-code-session-id": uuid,
			"x-claude-code-agent-id":   agent,
		}.get}
	}
	first, second := session.Identify(request("explorer")), session.Identify(request("explorer"))
	fmt.Println(first == second)
	fmt.Println(first == session.Identify(request("tester")))
	// Output:
	// true
	// false
}

func ExampleFromUserID() {
	fmt.Println(session.FromUserID("user_5ac1_account__session_" + uuid))
	fmt.Println(session.FromUserID("jane@example.com") == "")
	// Output:
	// 1d3f8f6e-93f1-4d0c-8f57-2a3b4c5d6e7f
	// true
}
