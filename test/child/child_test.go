package child

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProcessThatEndsEarlyIsReportedWithItsLog(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	p, err := Start(t.Context(), "sh", log, "sh", "-c", "echo cannot bind; exit 3")
	require.NoError(t, err)
	err = p.Answers(t.Context(), "http://127.0.0.1:1/")
	require.EqualError(t, err, "sh becomes ready: sh has ended (exit status 3); its log, "+log+", ends:\ncannot bind")
	assert.ErrorContains(t, p.Stop(), "sh has ended (exit status 3)")
}

func TestProcessStopsWhenItIsAsked(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	p, err := Start(t.Context(), "sh", log, "sh", "-c", "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done")
	require.NoError(t, err)
	require.NoError(t, Await(t.Context(), "trap", func(context.Context) error {
		if lastLines(log) != "up" {
			return errors.New("not up yet")
		}
		return nil
	}))
	require.NoError(t, p.Stop())
	assert.Equal(t, "up\nbye", lastLines(log))
}

func TestFreeAddressesDiffer(t *testing.T) {
	t.Parallel()
	var a, b string
	require.NoError(t, FreeAddresses(&a, &b))
	assert.NotEqual(t, a, b)
	assert.Regexp(t, `^127\.0\.0\.1:\d+$`, a)
}
