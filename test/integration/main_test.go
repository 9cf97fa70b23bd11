package integration

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const sharedConfig = "testdata/pointsman.yaml"

// sharedStack is there once a test has asked for it.
var sharedStack *Stack

var startShared = sync.OnceValue(func() (err error) {
	sharedStack, err = Start(context.Background(), sharedConfig)
	return err
})

// shared returns the stack that most tests use. They leave it as it is.
func shared(t *testing.T) *Stack {
	t.Helper()
	require.NoError(t, startShared())
	return sharedStack
}

// own starts a stack for one test, which may do to it what it likes.
func own(t *testing.T, file string) *Stack {
	t.Helper()
	stack, err := Start(t.Context(), file)
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
	ctx := context.Background()
	if err := Prepare(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "integration tests cannot run:", err)
		os.Exit(1)
	}
	code := m.Run()
	if sharedStack != nil {
		code = max(code, closeShared(ctx, code != 0))
	}
	os.Exit(code)
}

// closeShared removes the shared stack, after its logs are printed where a
// test has failed.
func closeShared(ctx context.Context, failed bool) int {
	if failed {
		fmt.Fprintln(os.Stderr, sharedStack.Logs(ctx))
	}
	if err := sharedStack.Close(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "integration tests left something behind:", err)
		return 1
	}
	return 0
}
