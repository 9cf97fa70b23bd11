package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Key identifies one session of one credential and principal, in 32
// hexadecimal digits; it is empty where nothing identifies a session. It is the
// same on every replica and after every restart, and tells nothing of what it
// was made from.
type Key string

// scheme is hashed first. A change to what a key is made of changes it.
const scheme = "pointsman session 1"

// key hashes an identity together with who it belongs to. A credential that is
// renewed begins a new session.
func (s *Source) key(i identity) Key {
	sum := sha256.Sum256(fields(
		scheme,
		s.Header("authorization"), s.Header("x-api-key"), s.Header("api-key"), s.Principal,
		i.origin, i.id, i.agent,
	))
	return Key(hex.EncodeToString(sum[:16]))
}

// fields joins values, each behind its length, so that no two lists of values
// give the same bytes.
func fields(values ...string) []byte {
	size := 0
	for _, value := range values {
		size += binary.MaxVarintLen32 + len(value)
	}
	joined := make([]byte, 0, size)
	for _, value := range values {
		joined = binary.AppendUvarint(joined, uint64(len(value)))
		joined = append(joined, value...)
	}
	return joined
}
