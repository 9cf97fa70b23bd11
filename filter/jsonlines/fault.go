package jsonlines

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Fault says why a line is not what it should be, such as "a prompt", and where in
// it: err is what decoding it into an object of strings returned. Other errors are
// returned as they are.
func Fault(err error, what string) error {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("not %s: %w%s", what, syntactic.Err, place(syntactic.ByteOffset, syntactic.JSONPointer))
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return err
	case semantic.GoType.Kind() == reflect.String:
		return fmt.Errorf("not %s: must be a string%s", what, place(semantic.ByteOffset, semantic.JSONPointer))
	default:
		return fmt.Errorf("not %s: must be an object%s", what, place(semantic.ByteOffset, semantic.JSONPointer))
	}
}

// place says which value of a line is meant.
func place(at int64, value jsontext.Pointer) string {
	if value == "" {
		return fmt.Sprintf(" (at byte %d)", at)
	}
	return fmt.Sprintf(" (at byte %d, in %s)", at, value)
}
