package config

import (
	"crypto/sha256"
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	"github.com/pointsman/pointsman/filter/decision"
)

// hashBytes is how much of a SHA-256 sum identifies a configuration. 48 bits
// are short enough for a line of a log; among a thousand configurations, two
// have the same ones once in 500 million times.
const hashBytes = 6

// hash identifies a message in which every default is filled in. It reads the
// JSON form, which has a field order and number format of its own: protobuf
// promises no stable binary form.
func hash(message proto.Message) (string, error) {
	text, err := decision.JSON(message)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:hashBytes]), nil
}
