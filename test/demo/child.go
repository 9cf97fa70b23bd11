package main

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

// A child is a process that the demo started. Only children are ever signalled.
type child struct {
	name    string
	logFile string
	process *os.Process
	exited  chan struct{} // closed when the process is gone
	result  error         // how it went; to be read after exited is closed
}

// startChild starts a program that writes both of its outputs to the end of
// logFile. Neither the context's end nor a Ctrl-C in the terminal reaches it:
// it has a process group of its own, and the demo stops everything in order.
func startChild(ctx context.Context, name, logFile, program string, args ...string) (*child, error) {
	output, err := os.OpenFile(logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	defer func() { _ = output.Close() }()                                        // the child has it by then
	command := exec.CommandContext(context.WithoutCancel(ctx), program, args...) //nolint:gosec // Envoy or pointsman
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c := &child{name: name, logFile: logFile, process: command.Process, exited: make(chan struct{})}
	go func() {
		c.result = command.Wait()
		close(c.exited)
	}()
	return c, nil
}

// alive is a hopeless error when the process is gone, with the end of its log.
func (c *child) alive() error {
	select {
	case <-c.exited:
		return &hopeless{fmt.Errorf("%s has ended (%v); its log, %s, ends:\n%s", c.name, c.ending(), c.logFile, lastLines(c.logFile))}
	default:
		return nil
	}
}

// answers waits until a GET of url is answered with 200.
func (c *child) answers(ctx context.Context, url string) error {
	return await(ctx, c.name+" becomes ready", func(ctx context.Context) error {
		if err := c.alive(); err != nil {
			return err
		}
		_, err := fetch(ctx, url)
		return err
	})
}

func (c *child) ending() string {
	if c.result == nil {
		return "exit status 0"
	}
	return c.result.Error()
}

// kill ends the process as a crash would.
func (c *child) kill() error {
	if err := c.process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill %s: %w", c.name, err)
	}
	<-c.exited
	return nil
}

// stop asks the process to end, and kills it when it does not. It is an error
// when it was gone already, or did not end well.
func (c *child) stop() error {
	if err := c.alive(); err != nil {
		return err
	}
	if err := c.process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop %s: %w", c.name, err)
	}
	timer := time.NewTimer(stopLimit)
	defer timer.Stop()
	select {
	case <-c.exited:
	case <-timer.C:
		return errors.Join(fmt.Errorf("%s did not stop within %s and is killed", c.name, stopLimit), c.kill())
	}
	if c.result != nil {
		return fmt.Errorf("stop %s: %w; its log ends:\n%s", c.name, c.result, lastLines(c.logFile))
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
