package conversation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Read reads a body as a request of the given API. The error is a
// *MalformedError. It panics on an API that has no reader: which paths are
// served is decided before.
//
// OpenAI's two APIs are told apart by the body where the path is plainly the
// wrong one: some clients send a body of Responses to the path of Chat
// Completions. Request.API is the path's nevertheless.
func Read(api API, body []byte) (*Request, error) {
	form, ok := forms[api]
	if !ok {
		panic("conversation: no reader for API " + string(api))
	}
	r := newReader(api, body, form)
	if at, ok := invalidUTF8(body); ok {
		return nil, r.malformed(at, "the body is not valid UTF-8")
	}
	if err := r.wholeBody(); err != nil {
		return nil, err
	}
	if other, has := forms[form.confusedWith]; has && !r.hasTurns && r.has(other.turns) {
		r = newReader(api, body, other)
		if err := r.wholeBody(); err != nil {
			return nil, err
		}
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return r.req, nil
}

// reader walks a body once.
type reader struct {
	dec   *jsontext.Decoder
	base  int // where in the body the decoder began
	depth int // how many values that are being read again hold each other
	form  *form
	req   *Request
	param string // the top-level parameter being read, for errors
	// hasTurns is true once the parameter that holds the turns has been read.
	hasTurns bool
	// names are the members seen so far of the objects being read, those of the
	// innermost last.
	names [][]byte
}

func newReader(api API, body []byte, form *form) *reader {
	return &reader{dec: newDecoder(body), form: form, req: &Request{API: api, Body: body}}
}

// newDecoder accepts duplicate names, which are refused only in the objects that
// are read here (see object), and, UTF-8 being checked beforehand, lone
// surrogate escapes.
func newDecoder(value []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(value),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// wholeBody reads the body, which must be one object.
func (r *reader) wholeBody() error {
	if len(bytes.TrimLeft(r.req.Body, " \t\r\n")) == 0 {
		return r.malformed(0, "the body is empty; send a JSON object")
	}
	if r.dec.PeekKind() != '{' {
		if _, err := r.value(); err != nil {
			return err
		}
		return r.malformed(0, "the body must be a JSON object")
	}
	if err := r.object("the body", r.topLevel); err != nil {
		return err
	}
	end := r.offset()
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return r.malformed(end, "something follows the JSON object")
	}
	r.req.opening = bytes.IndexByte(r.req.Body, '{')
	return nil
}

// topLevel reads one member of the body and notes where its value stands.
func (r *reader) topLevel(name []byte) error {
	r.param = shorten(name)
	if err := r.room(); err != nil {
		return err
	}
	start := r.valueStart()
	if err := r.form.member(r, name); err != nil {
		return err
	}
	r.req.parameters = append(r.req.parameters, parameter{name: name, value: Span{start, r.offset()}})
	r.param = ""
	return nil
}

// object reads an object, member by member; read must consume the member's
// value. A name that stands twice is refused: two readers of such an object
// need not take the same value.
func (r *reader) object(what string, read func(name []byte) error) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return r.syntax(err)
	}
	seen := names{all: &r.names, first: len(r.names)}
	for r.dec.PeekKind() != '}' {
		name, err := r.name()
		if err != nil {
			return err
		}
		if !seen.add(name) {
			return r.malformed(r.offset(), "the name %q stands twice in %s", shorten(name), what)
		}
		if err := read(name); err != nil {
			return err
		}
	}
	r.names = r.names[:seen.first]
	_, err := r.dec.ReadToken()
	return r.syntax(err)
}

// array reads an array; read must consume one element.
func (r *reader) array(read func() error) error {
	if _, err := r.dec.ReadToken(); err != nil {
		return r.syntax(err)
	}
	for r.dec.PeekKind() != ']' {
		if err := r.room(); err != nil {
			return err
		}
		if err := read(); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return r.syntax(err)
}

// elements reads an array of objects; read must consume one of them.
func (r *reader) elements(read func() error) error {
	count := 0
	return r.array(func() error {
		if r.dec.PeekKind() != '{' {
			span, err := r.value()
			if err != nil {
				return err
			}
			return r.malformed(span.Start, "%s[%d] must be an object", r.param, count)
		}
		count++
		return read()
	})
}

// maxWithin bounds how deep values that are read again hold each other, so that
// no byte of a body is read more than this often.
const maxWithin = 2

// again reads a value once more whose kind was not known when it was met: the
// members of an object come in any order.
func (r *reader) again(value Span, read func() error) error {
	dec, base := r.dec, r.base
	r.dec, r.base = newDecoder(value.of(r.req.Body)), value.Start
	err := read()
	r.dec, r.base = dec, base
	return err
}

// within reads what a block consists of.
func (r *reader) within(read func() error) error {
	r.depth++
	err := read()
	r.depth--
	return err
}

// The pieces that are read of a body are its messages, blocks, calls and
// parameters. What is kept of one takes some 50 to 90 bytes, however small it
// is, so that 33 MB of empty ones would take gigabytes. The smallest message
// with a word of content takes 30 bytes of body and makes two pieces.
const (
	maxPieces        = 1 << 20
	manyPieces       = 1 << 16 // up to which they may be of any size
	minBytesPerPiece = 12      // on the average, of those beyond
)

// room refuses a body of more pieces, or of smaller ones, than any client sends.
func (r *reader) room() error {
	pieces := len(r.req.Turns) + len(r.req.blocks) + len(r.req.parameters)
	if pieces < min(manyPieces+r.offset()/minBytesPerPiece, maxPieces) {
		return nil
	}
	return r.malformed(r.offset(), "the body is too finely divided: it has %d messages, blocks and parameters up to here; send fewer", pieces)
}

// name reads a member's name, decoded.
func (r *reader) name() ([]byte, error) {
	span, err := r.value()
	if err != nil {
		return nil, err
	}
	return decode(span.of(r.req.Body)), nil
}

// value reads any value and says where it stands.
func (r *reader) value() (Span, error) {
	value, err := r.dec.ReadValue()
	if err != nil {
		return Span{}, r.syntax(err)
	}
	end := r.offset()
	return Span{end - len(value), end}, nil
}

// stringValue reads any value and says where it stands if it is a string.
func (r *reader) stringValue() (Span, error) {
	isString := r.dec.PeekKind() == '"'
	span, err := r.value()
	if !isString {
		span = Span{}
	}
	return span, err
}

// noteString reads any value and notes where it stands if it is a string.
func (r *reader) noteString(where *Span) error {
	span, err := r.stringValue()
	if span.Len() > 0 {
		*where = span
	}
	return err
}

// valueStart is the offset at which the value begins that is read next.
func (r *reader) valueStart() int {
	at := r.offset()
	for at < len(r.req.Body) && strings.IndexByte(" \t\r\n:,", r.req.Body[at]) >= 0 {
		at++
	}
	return at
}

func (r *reader) offset() int { return r.base + int(r.dec.InputOffset()) }

// malformed is the error for something seen at a byte offset.
func (r *reader) malformed(at int, format string, args ...any) error {
	return &MalformedError{Offset: at, Param: r.param, Message: fmt.Sprintf(format, args...)}
}

// syntax turns the decoder's error into ours; nil stays nil.
func (r *reader) syntax(err error) error {
	if err == nil {
		return nil
	}
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return r.malformed(len(r.req.Body), "the body is not valid JSON: it ends too early")
	case errors.As(err, &syntactic):
		return r.malformed(r.base+int(syntactic.ByteOffset), "the body is not valid JSON: %v", syntactic.Err)
	default:
		return r.malformed(r.offset(), "the body is not valid JSON: %v", err)
	}
}

// has reports whether the body has a parameter of this name, null or not.
func (r *reader) has(name string) bool {
	return slices.ContainsFunc(r.req.parameters, func(p parameter) bool { return string(p.name) == name })
}

func invalidUTF8(body []byte) (at int, invalid bool) {
	if utf8.Valid(body) {
		return 0, false
	}
	for {
		char, size := utf8.DecodeRune(body[at:])
		if char == utf8.RuneError && size == 1 {
			return at, true
		}
		at += size
	}
}
