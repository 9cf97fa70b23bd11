package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// stopLimit is how long a child may take to stop before it is killed.
const stopLimit = 10 * time.Second

// Process is a child process. Only those are ever signalled.
type Process struct {
	name    string
	logFile string
	process *os.Process
	exited  chan struct{} // closed when the process is gone
	result  error         // how it went; to be read after exited is closed
}

// Start starts a program that writes both of its outputs to the end of
// logFile. Neither the context's end nor a Ctrl-C in the terminal reaches it:
// it has a process group of its own, so that its parent can stop everything in
// order.
func Start(ctx context.Context, name, logFile, program string, args ...string) (*Process, error) {
	output, err := os.OpenFile(logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	defer func() { _ = output.Close() }()                                        // the child has it by then
	command := exec.CommandContext(context.WithoutCancel(ctx), program, args...) //nolint:gosec // what to run is for the caller to say
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &Process{name: name, logFile: logFile, process: command.Process, exited: make(chan struct{})}
	go func() {
		p.result = command.Wait()
		close(p.exited)
	}()
	return p, nil
}

// Alive is a Hopeless error when the process is gone, with the end of its log.
func (p *Process) Alive() error {
	select {
	case <-p.exited:
		return Hopeless(fmt.Errorf("%s has ended (%v); its log, %s, ends:\n%s", p.name, p.ending(), p.logFile, lastLines(p.logFile)))
	default:
		return nil
	}
}

// Answers waits until a GET of url is answered with 200.
func (p *Process) Answers(ctx context.Context, url string) error {
	return Await(ctx, p.name+" becomes ready", func(ctx context.Context) error {
		if err := p.Alive(); err != nil {
			return err
		}
		_, err := Fetch(ctx, url)
		return err
	})
}

// Exited is closed when the process is gone.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// ID is the id that the system knows the process by.
func (p *Process) ID() int { return p.process.Pid }

func (p *Process) ending() string {
	if p.result == nil {
		return "exit status 0"
	}
	return p.result.Error()
}

// Kill ends the process as a crash would.
func (p *Process) Kill() error {
	if err := p.process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill %s: %w", p.name, err)
	}
	<-p.exited
	return nil
}

// Stop asks the process to end, and kills it when it does not. It is an error
// when it was gone already, or did not end well.
func (p *Process) Stop() error {
	if err := p.Alive(); err != nil {
		return err
	}
	if err := p.process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop %s: %w", p.name, err)
	}
	timer := time.NewTimer(stopLimit)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
		return errors.Join(fmt.Errorf("%s did not stop within %s and is killed", p.name, stopLimit), p.Kill())
	}
	if p.result != nil {
		return fmt.Errorf("stop %s: %w; its log ends:\n%s", p.name, p.result, lastLines(p.logFile))
	}
	return nil
}

// lastLines is the end of a log, for an error message.
func lastLines(file string) string {
	const shown = 10
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-shown):], []byte("\n")))
}
