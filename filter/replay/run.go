package replay

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// job is one session on its way through a replay.
type job struct {
	line  []byte
	place string        // file and line
	done  chan struct{} // closed when the rest is there

	outcome *outcome
	err     error
	share   float64 // of the files that was read when it was
}

// Run replays the sessions of files, of which "-" is standard input. What cannot
// be read is reported and counted, and the rest goes on. Reports do not depend on
// how many cores the work is spread over.
func (r *Replay) Run(files []string) *Report {
	workers := runtime.GOMAXPROCS(0)
	work := make(chan *job)
	// In their order, and no more of them than keep all cores busy behind a slow
	// one, so that memory stays bounded.
	ordered := make(chan *job, 4*workers)
	go r.read(files, work, ordered)
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for j := range work {
				r.do(j)
			}
		})
	}
	t := newTally(r)
	for j := range ordered {
		<-j.done
		r.collect(t, j)
	}
	busy.Wait()
	return t.report()
}

func (r *Replay) do(j *job) {
	defer close(j.done)
	s, err := parse(j.line)
	j.line = nil
	if err != nil {
		j.err = fmt.Errorf("%s: %w", j.place, err)
		return
	}
	s.place = j.place
	j.outcome, j.err = r.play(s)
}

func (r *Replay) collect(t *tally, j *job) {
	if j.outcome != nil {
		t.checks.add(j.outcome.checks)
		for _, broken := range j.outcome.broken {
			r.problem(broken)
		}
	}
	if j.err != nil {
		t.unreadable++
		r.problem(j.err.Error())
	} else {
		t.add(j.outcome)
	}
	if r.Progress != nil {
		r.Progress(t.sessions, j.share)
	}
}

func (r *Replay) problem(text string) {
	if r.Problem != nil {
		r.Problem(text)
	}
}

// read reads the files' lines into jobs.
func (r *Replay) read(files []string, work, ordered chan<- *job) {
	defer close(ordered)
	defer close(work)
	in := &reading{Replay: r, work: work, ordered: ordered, size: stored(files)}
	for _, path := range files {
		if in.full() {
			return
		}
		if err := in.file(path); err != nil {
			in.fail(err)
		}
	}
}

// reading is where the files are read.
type reading struct {
	*Replay

	work, ordered chan<- *job
	taken         atomic.Int64 // bytes, as they are stored
	size          int64        // of all files; 0 where it is not known
	seen, chosen  int          // sessions
}

func (r *reading) full() bool { return r.Limit > 0 && r.chosen == r.Limit }

func (r *reading) file(path string) (err error) {
	in, err := open(path, r.Stdin, &r.taken)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // nothing was written
	from := newLines(in)
	for !r.full() {
		line, err := from.next()
		place := fmt.Sprintf("%s:%d", in.name, from.number)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLong):
			r.fail(fmt.Errorf("%s: %w", place, err))
		case err != nil:
			return fmt.Errorf("%s: %w", place, err)
		default:
			r.line(line, place)
		}
	}
	return nil
}

// line makes a job of a line, if it is one of those that were chosen.
func (r *reading) line(line []byte, place string) {
	r.seen++
	if (r.seen-1)%r.Every != r.Offset {
		return
	}
	r.chosen++
	j := &job{line: line, place: place, done: make(chan struct{}), share: r.share()}
	r.ordered <- j
	r.work <- j
}

// fail makes a job of what could not be read.
func (r *reading) fail(err error) {
	j := &job{err: err, done: make(chan struct{}), share: r.share()}
	close(j.done)
	r.ordered <- j
}

func (r *reading) share() float64 {
	if r.size == 0 {
		return 0
	}
	return float64(r.taken.Load()) / float64(r.size)
}
