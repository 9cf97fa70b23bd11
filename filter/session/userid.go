package session

import (
	"encoding/json"
	"regexp"
)

// maxUserIDBytes bounds the metadata.user_id that is read. It leaves room for
// more than three ids in JSON.
const maxUserIDBytes = 1024

// sessionUserID is Claude Code's older form: user_<hash>_account_<uuid or
// nothing>_session_<uuid>. Only the session's part is used.
var sessionUserID = regexp.MustCompile(
	`^user_[0-9A-Za-z]*_account_[0-9A-Za-z-]*_session_([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$`)

// FromUserID returns the session that an Anthropic metadata.user_id names: the
// last part of Claude Code's user_…_account_…_session_<uuid>, or the session_id
// of a JSON object. It returns "" for every other value, which names a person.
func FromUserID(userID string) string {
	if userID == "" || len(userID) > maxUserIDBytes {
		return ""
	}
	if match := sessionUserID.FindStringSubmatch(userID); match != nil {
		return match[1]
	}
	return fromJSON(userID)
}

func fromJSON(userID string) string {
	var named struct {
		SessionID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(userID), &named); err != nil {
		return ""
	}
	return identifier(named.SessionID)
}
