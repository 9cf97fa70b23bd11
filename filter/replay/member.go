package replay

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// span is a half-open range of bytes.
type span struct{ start, end int }

func (s span) of(text []byte) []byte { return text[s.start:s.end] }

func (s span) plus(offset int) span { return span{s.start + offset, s.end + offset} }

// decoder reads JSON as recorded: what a client sent, lone surrogates and names
// that stand twice included, is for the pipeline to judge.
func decoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// eachMember visits the members of an object with where their values stand.
// Whatever is no object has none.
func eachMember(object []byte, visit func(name string, value span) error) error {
	return each(object, jsontext.KindBeginObject, jsontext.KindEndObject, visit)
}

// eachElement does the same with an array, whose elements have no names.
func eachElement(array []byte, visit func(value span) error) error {
	return each(array, jsontext.KindBeginArray, jsontext.KindEndArray, func(_ string, value span) error { return visit(value) })
}

func each(text []byte, opening, closing jsontext.Kind, visit func(name string, value span) error) error {
	in := decoder(text)
	if in.PeekKind() != opening {
		return in.SkipValue()
	}
	if _, err := in.ReadToken(); err != nil {
		return err
	}
	for in.PeekKind() != closing {
		name := ""
		if opening == jsontext.KindBeginObject {
			token, err := in.ReadToken()
			if err != nil {
				return err
			}
			name = token.String()
		}
		value, err := in.ReadValue()
		if err != nil {
			return err
		}
		end := int(in.InputOffset())
		if err := visit(name, span{end - len(value), end}); err != nil {
			return err
		}
	}
	if _, err := in.ReadToken(); err != nil {
		return err
	}
	if end := in.InputOffset(); len(bytes.TrimSpace(text[end:])) > 0 {
		return fmt.Errorf("something follows it (at byte %d)", end)
	}
	return nil
}

// text is what a JSON string stands for; empty for any other value.
func text(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	// What is no Unicode is replaced, and its error is nobody's here.
	decoded, _ := jsontext.AppendUnquote(nil, value)
	return string(decoded)
}
