package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pointsman/pointsman/filter/conversation"
)

// session is one recorded session.
type session struct {
	place  string // file and line
	name   string
	api    conversation.API
	before []byte // of a body, between the model's value and the first message
	pieces []*piece
	calls  []int // the pieces before each model call
	words  vocabulary
}

// recorded is a line of a file of sessions, as far as it is read.
type recorded struct {
	name, api string
	turns     []byte // the array of messages or items
	turnsName string // messages, or input
	beside    []byte // members of the request beside it, each with a comma behind it
	hasSystem bool
}

// parse reads a session from a line. What a line holds beyond the request
// (members that begin with an underscore, and labels of whoever keeps it) is
// left out.
func parse(line []byte) (*session, error) {
	rec, err := readLine(line)
	if err != nil {
		return nil, err
	}
	s := &session{name: rec.name}
	raws, err := rec.elements()
	if err != nil {
		return nil, err
	}
	if s.api, err = rec.protocol(raws); err != nil {
		return nil, err
	}
	s.before = fmt.Appendf(nil, `,%s"%s":[`, rec.beside, rec.turnsName)
	for i, raw := range raws {
		p, err := takeApart(s.api, raw)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", rec.turnsName, i, err)
		}
		s.pieces = append(s.pieces, p)
	}
	return s, s.findCalls()
}

func readLine(line []byte) (rec recorded, err error) {
	if form(line) != '{' {
		return rec, errors.New(`not a session: must be an object with "session" and "messages"`)
	}
	err = eachMember(line, func(name string, at span) error { return rec.member(name, at.of(line)) })
	if err != nil {
		return rec, notASession(err)
	}
	if rec.turns == nil {
		return rec, errors.New(`not a session: "messages" is missing ("input" for Responses)`)
	}
	return rec, nil
}

// notASession says what is wrong with a line, and where in it.
func notASession(err error) error {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("not a session: %w (at byte %d)", syntactic.Err, syntactic.ByteOffset)
	}
	return fmt.Errorf("not a session: %w", err)
}

func (r *recorded) member(name string, value []byte) error {
	switch name {
	case "session":
		r.name = text(value)
	case "api":
		r.api = text(value)
	case "messages", turnsOfResponses:
		if r.turns != nil {
			return fmt.Errorf("%q and %q are both there", r.turnsName, name)
		}
		if form(value) != '[' {
			return fmt.Errorf("%q must be an array", name)
		}
		r.turns, r.turnsName = slices.Clone(value), name
	case "tools", "system", "instructions":
		r.hasSystem = r.hasSystem || name == "system"
		compact := jsontext.Value(slices.Clone(value))
		if err := compact.Compact(); err != nil {
			return err
		}
		r.beside = fmt.Appendf(r.beside, "%q:%s,", name, compact)
	}
	return nil
}

// elements are the messages or items as a client would send them: without white
// space, and without what the recorder added.
func (r *recorded) elements() ([][]byte, error) {
	var raws [][]byte
	err := eachElement(r.turns, func(at span) error {
		value := at.of(r.turns)
		if form(value) != '{' {
			return fmt.Errorf("%s[%d]: must be an object", r.turnsName, len(raws))
		}
		raw, err := withoutNotes(value)
		raws = append(raws, raw)
		return err
	})
	return raws, err
}

// withoutNotes is an object without white space and without the members whose
// names begin with an underscore. All others stand as they stood.
func withoutNotes(object []byte) ([]byte, error) {
	out := jsontext.Value{'{'}
	end := 1
	err := eachMember(object, func(name string, at span) error {
		if !strings.HasPrefix(name, "_") {
			if len(out) > 1 {
				out = append(out, ',')
			}
			// From behind the last member: a comma, the name and a colon.
			before := strings.TrimLeft(string(object[end:at.start]), ", \t\r\n")
			out = append(append(out, before...), at.of(object)...)
		}
		end = at.end
		return nil
	})
	if err != nil {
		return nil, err
	}
	out = append(out, '}')
	return out, out.Compact()
}

// findCalls finds the model calls: before each maximal run of assistant turns
// stands a request.
func (s *session) findCalls() error {
	model := []byte(`""`)
	body := s.body(nil, model, len(s.pieces))
	read, err := conversation.Read(s.api, body)
	if err != nil {
		return err
	}
	roles := make(map[int]conversation.Role, len(read.Turns)) // by where the turn begins
	for _, turn := range read.Turns {
		roles[turn.Span.Start] = turn.Role
	}
	at, answered := len(s.body(nil, model, 0))-len("]}"), true // what nothing stands before is no call
	spoken := make([]bool, len(s.pieces))
	for i, p := range s.pieces {
		spoken[i] = roles[at] == conversation.Assistant
		if spoken[i] && !answered {
			s.calls = append(s.calls, i)
		}
		answered = spoken[i]
		at += len(p.raw) + len(",")
	}
	s.words = newVocabulary(s.pieces, spoken)
	return nil
}

// modelMember is what a body begins with.
const modelMember = `{"model":`

// body writes, over what a buffer held, the body of the request that holds the
// first pieces, for a model that is a JSON string. The messages stand last, since
// nothing has to be known then of what stands behind them.
func (s *session) body(buffer, model []byte, pieces int) []byte {
	body := append(append(append(buffer[:0], modelMember...), model...), s.before...)
	for i, p := range s.pieces[:pieces] {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, p.raw...)
	}
	return append(body, "]}"...)
}

func (s *session) String() string { return fmt.Sprintf("%s: session %q", s.place, s.name) }
