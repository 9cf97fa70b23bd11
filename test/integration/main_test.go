package integration

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tests wait for others more than they compute, so more of them run side by
// side than there are processors.
const sideBySide = "8"

// A common stack is used by several tests, which leave it as it is. It starts
// when the first of them asks for it.
type common struct {
	setup func(folder string) (Setup, error)

	once   sync.Once
	folder string
	stack  *Stack
	err    error
}

func (c *common) start() {
	if c.folder, c.err = os.MkdirTemp("", "integration"); c.err != nil {
		return
	}
	setup, err := c.setup(c.folder)
	if c.err = err; err != nil {
		return
	}
	c.stack, c.err = Start(context.Background(), setup)
}

func (c *common) get(t *testing.T) *Stack {
	t.Helper()
	c.once.Do(c.start)
	require.NoError(t, c.err)
	return c.stack
}

// stop removes the stack, after its logs are printed where a test has failed.
func (c *common) stop(ctx context.Context, failed bool) error {
	err := os.RemoveAll(c.folder)
	if c.stack == nil {
		return err
	}
	if failed {
		fmt.Fprintln(os.Stderr, c.stack.Logs(ctx))
	}
	return errors.Join(err, c.stack.Close(ctx))
}

const sharedConfig = "testdata/pointsman.yaml"

var plainStack = common{setup: func(string) (Setup, error) { return Setup{File: sharedConfig}, nil }}

// shared returns the stack that most tests use.
func shared(t *testing.T) *Stack {
	t.Helper()
	return plainStack.get(t)
}

// own starts a stack for one test, which may do to it what it likes.
func own(t *testing.T, setup Setup) *Stack {
	t.Helper()
	stack, err := Start(t.Context(), setup)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(stack.Logs(context.Background()))
		}
		require.NoError(t, stack.Close(context.Background()))
	})
	return stack
}

func TestMain(m *testing.M) {
	flag.Parse()
	if !isSet("test.parallel") {
		_ = flag.Set("test.parallel", sideBySide)
	}
	ctx := context.Background()
	if err := Prepare(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "integration tests cannot run:", err)
		os.Exit(1)
	}
	code := m.Run()
	for _, stack := range []*common{&plainStack, &strictStack, &variousStack} {
		if err := stack.stop(ctx, code != 0); err != nil {
			fmt.Fprintln(os.Stderr, "integration tests left something behind:", err)
			code = 1
		}
	}
	os.Exit(code)
}

func isSet(name string) (set bool) {
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}
