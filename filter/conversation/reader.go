package conversation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
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
	scan  scanner
	depth int // how many values that are being read again hold each other
	form  *form
	req   *Request
	param string // the top-level parameter being read, for errors
	// signed is true where the turn being read holds signed thinking.
	signed bool
	// hasTurns is true once the parameter that holds the turns has been read.
	hasTurns bool
	// names are the members seen so far of the objects being read, those of the
	// innermost last.
	names [][]byte
}

func newReader(api API, body []byte, form *form) *reader {
	return &reader{
		scan: scanner{text: body}, form: form, names: make([][]byte, 0, 16),
		req: &Request{
			API: api, Body: body, TurnsParam: form.turns,
			Turns:      make([]Turn, 0, 8+len(body)/bytesPerTurn),
			blocks:     make([]Block, 0, 8+len(body)/bytesPerBlock),
			parameters: make([]parameter, 0, 8),
		},
	}
}

// What agents send comes to at least so many bytes for each turn and block, so
// that room for most is made at once.
const (
	bytesPerTurn  = 2048
	bytesPerBlock = 1024
)

// wholeBody reads the body, which must be one object.
func (r *reader) wholeBody() error {
	if len(bytes.TrimLeft(r.req.Body, " \t\r\n")) == 0 {
		return r.malformed(0, "the body is empty; send a JSON object")
	}
	if r.peek() != '{' {
		if _, err := r.value(); err != nil {
			return err
		}
		return r.malformed(0, "the body must be a JSON object")
	}
	if err := r.object("the body", r.topLevel); err != nil {
		return err
	}
	end := r.offset()
	if r.valueStart() < len(r.req.Body) {
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
	seen := names{all: &r.names, first: len(r.names)}
	ok := r.scan.open('{')
	for first, more := true, ok; more; first = false {
		if more, ok = r.scan.more(first, '}'); !more {
			break
		}
		if err := r.member(&seen, what, read); err != nil {
			return err
		}
	}
	r.names = r.names[:seen.first]
	if !ok {
		return r.syntax()
	}
	return nil
}

func (r *reader) member(seen *names, what string, read func(name []byte) error) error {
	if r.peek() != '"' {
		return r.syntax()
	}
	name, err := r.name()
	if err != nil {
		return err
	}
	if !seen.add(name) {
		return r.malformed(r.offset(), "the name %q stands twice in %s", shorten(name), what)
	}
	if !r.scan.take(':') {
		return r.syntax()
	}
	return read(name)
}

// array reads an array; read must consume one element.
func (r *reader) array(read func() error) error {
	ok := r.scan.open('[')
	for first, more := true, ok; more; first = false {
		if more, ok = r.scan.more(first, ']'); !more {
			break
		}
		if err := r.room(); err != nil {
			return err
		}
		if err := read(); err != nil {
			return err
		}
	}
	if !ok {
		return r.syntax()
	}
	return nil
}

// elements reads an array of objects; read must consume one of them.
func (r *reader) elements(read func() error) error {
	count := 0
	return r.array(func() error {
		if r.peek() != '{' {
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
	interrupted := r.scan
	r.scan = scanner{text: r.req.Body[:value.End], at: value.Start}
	err := read()
	r.scan = interrupted
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
// parameters. What is kept of one takes some 40 to 110 bytes, however small it
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
	start := r.valueStart()
	if !r.scan.value() {
		return Span{}, r.syntax()
	}
	return Span{start, r.offset()}, nil
}

// stringValue reads any value and says where it stands if it is a string.
func (r *reader) stringValue() (Span, error) {
	isString := r.peek() == '"'
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

// peek is the byte that the next value begins with, such as a quote or an opening
// bracket; 0 at the end of the body.
func (r *reader) peek() byte { return r.scan.peek() }

// valueStart is the offset at which the value begins that is read next.
func (r *reader) valueStart() int {
	r.peek()
	return r.scan.at
}

func (r *reader) offset() int { return r.scan.at }

// malformed is the error for something seen at a byte offset.
func (r *reader) malformed(at int, format string, args ...any) error {
	return &MalformedError{Offset: at, Param: r.param, Message: fmt.Sprintf(format, args...)}
}

// syntax is the error for a body that the scanner stopped in. What is wrong with
// it, and where, is found by reading it again with a decoder that says so.
func (r *reader) syntax() error {
	body := r.req.Body
	if at, invalid := invalidUTF8(body); invalid {
		return (&reader{}).malformed(at, "the body is not valid UTF-8")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, err := dec.ReadValue()
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
		return r.malformed(int(syntactic.ByteOffset), "the body is not valid JSON: %v", syntactic.Err)
	}
	return r.malformed(len(body), "the body is not valid JSON: it ends too early")
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
