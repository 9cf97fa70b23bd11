package replay

import (
	"fmt"
	"io"
	"time"
)

// progress says on a terminal how far a replay is.
type progress struct {
	out     io.Writer
	now     func() time.Time
	started time.Time
	written time.Time
}

// Progress is an Options.Progress that keeps a line on a terminal up to date,
// and a function that takes it away when the replay is done.
func Progress(terminal io.Writer) (show func(sessions int, share float64), done func()) {
	p := &progress{out: terminal, now: time.Now, started: time.Now()}
	return p.show, p.done
}

// often is how often the line is written.
const often = 200 * time.Millisecond

func (p *progress) show(sessions int, share float64) {
	now := p.now()
	if now.Sub(p.written) < often {
		return
	}
	p.written = now
	line := some(sessions, "session") + " replayed"
	if share > 0 && share < 1 {
		elapsed := now.Sub(p.started)
		left := time.Duration(float64(elapsed) * (1 - share) / share)
		line += fmt.Sprintf(", %.0f%% read, about %s left", 100*share, left.Round(time.Second))
	}
	p.write(line)
}

func (p *progress) done() { p.write("") }

func (p *progress) write(line string) {
	_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", line) // a terminal that is gone misses nothing
}
