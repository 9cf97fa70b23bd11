package prune

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pointsman/pointsman/filter/conversation"
)

// fold goes through a conversation as it grew. Every model call in it, that is
// every run of the assistant's turns, was a request that held the messages
// before; what was pruned of that one stays pruned, and maybe more is.
//
// Tokens are those of the messages, system text aside.
type fold struct {
	*Pruner

	req *conversation.Request

	results []result // what could be pruned, in order
	old     stack    // of them, what is old enough and not pruned
	due     int      // the first result that is not old enough yet
	signed  int      // the results in front of this one have signed thinking behind them

	names  calls // the calls that the results to come answer
	rounds int   // rounds so far
	called bool  // a call was made since the last result
	news   bool  // more may pay than when it was last considered

	requests int // requests so far
	looped   int // of them, those since the latest human turn
	tokens   int // of the messages so far, as they came
	sent     int // of them, those that the request before held
	saved    int // tokens pruned so far
	cuts     int
}

// result is a tool result that could be pruned.
type result struct {
	block  int // in the turn's blocks
	parts  int // that the result has
	turn   int
	round  int
	before int // tokens of the messages in front of it, as they came
	saves  int // tokens that pruning it saves
	saved  int // tokens that pruning all those in front of it would save
	tool   []byte
	trim   bool
	pruned bool
}

// folds are kept for their room.
var folds = sync.Pool{New: func() any { return new(fold) }}

func begin(p *Pruner, req *conversation.Request) *fold {
	f := folds.Get().(*fold) //nolint:forcetypeassert // the pool holds nothing else
	f.Pruner, f.req = p, req
	return f
}

// end gives a fold back, with room and nothing of the request.
func (f *fold) end() {
	clear(f.results)
	clear(f.names.made)
	f.old.clear()
	*f = fold{results: f.results[:0], old: f.old, names: calls{made: f.names.made[:0]}}
	folds.Put(f)
}

// run goes through the conversation and makes the cuts. What the assistant says
// in the end begins an answer that is still to be written, so it is no call.
//
// What was said without an answer in between may have been added to a request
// that was broken off, so what that one pruned is pruned, too.
func (f *fold) run() {
	calling := false
	for i, turn := range f.req.Turns {
		calls := turn.Role == conversation.Assistant
		switch {
		case calling:
		case calls:
			f.request()
			f.called = true
			f.names.begin()
		case turn.Role != conversation.Tool:
			f.consider()
		}
		calling = calls
		f.turn(i, turn)
	}
	if !calling {
		f.request()
	}
}

// turn takes in one turn.
func (f *fold) turn(at int, turn conversation.Turn) {
	if turn.Calls > 0 {
		f.names.note(f.req, turn)
	}
	switch turn.Role {
	case conversation.System:
	case conversation.Tool, conversation.User:
		f.answer(at, turn)
	default:
		f.tokens += turn.Tokens
		f.news = true
	}
	if turn.Signed && f.sealed {
		f.signed = len(f.results)
	}
}

// answer takes in a turn of the user or of tools; the others have no results.
// What stands beside results, like a turn behind them, may be new, and it may be
// gone at the next call where the client has put it in by itself.
func (f *fold) answer(at int, turn conversation.Turn) {
	beside := 0
	if turn.Results > 0 {
		beside = f.takeResults(at, turn)
		f.news = true
	}
	f.tokens += turn.Tokens - beside
	if beside > 0 {
		f.consider()
	}
	f.tokens += beside
	if turn.Human() {
		f.looped, f.news = 0, true
	}
}

// takeResults notes the results of a turn. All results that answer one model
// call are of one round (R10). It returns the tokens of the blocks beside them.
func (f *fold) takeResults(at int, turn conversation.Turn) (beside int) {
	if f.called {
		f.rounds++
		f.called = false
	}
	before := f.tokens
	blocks := f.req.Blocks(turn)
	for i := 0; i < len(blocks); i += 1 + blocks[i].Parts {
		if blocks[i].Kind == conversation.ToolResult {
			f.takeResult(blocks[i:i+1+blocks[i].Parts], result{block: i, parts: blocks[i].Parts, turn: at, round: f.rounds, before: before})
		} else {
			beside += blocks[i].Tokens
		}
		before += blocks[i].Tokens
	}
	return beside
}

func (f *fold) takeResult(blocks []conversation.Block, r result) {
	whole := blocks[0]
	r.tool = f.names.of(f.req, whole.ID)
	if f.excludes(r.tool) || whole.IsError && f.errors {
		return
	}
	r.trim = f.trim && whole.Chars > f.longChars
	if r.saves = saves(f.req, blocks, &r); r.saves > 0 {
		r.saved = f.savedBefore(len(f.results))
		f.results = append(f.results, r)
	}
}

// excludes reports whether the results of a tool are kept, given its name as
// the inside of a JSON string.
func (f *fold) excludes(tool []byte) bool {
	if bytes.IndexByte(tool, '\\') < 0 {
		return f.excluded[string(tool)]
	}
	name, _ := jsontext.AppendUnquote(nil, `"`+string(tool)+`"`)
	return f.excluded[string(name)]
}

// request is where a request was made of the messages so far.
func (f *fold) request() {
	f.consider()
	f.requests++
	f.looped++
	f.sent = f.tokens
}

// consider prunes more, if that pays, of a request of the messages so far.
func (f *fold) consider() {
	if !f.news {
		return
	}
	f.news = false
	f.release()
	if f.tokens-f.saved >= f.budget {
		if at, pays := f.cut(); pays {
			f.prune(at)
		}
	}
}

// release moves the results that have become old enough to where they can be
// pruned; what signed thinking was made behind never can.
func (f *fold) release() {
	if f.signed > 0 && !f.old.empty() && f.old.newest().result < f.signed {
		f.old.clear()
	}
	for f.due < len(f.results) && f.results[f.due].round <= f.rounds-f.Pruner.rounds {
		if f.due >= f.signed {
			f.old.push(f.due, f.results[f.due].before-f.saved, f.results[f.due].saves)
		}
		f.due++
	}
}

// prune prunes all that is old, from a place on: the cache is broken there.
func (f *fold) prune(from int) {
	for _, entry := range f.old.take(from) {
		f.results[entry.result].pruned = true
		f.saved += entry.saves
	}
	f.cuts++
}
