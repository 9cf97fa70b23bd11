package main

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChildThatEndsEarlyIsReportedWithItsLog(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	c, err := startChild(t.Context(), "sh", log, "sh", "-c", "echo cannot bind; exit 3")
	require.NoError(t, err)
	err = c.answers(t.Context(), "http://127.0.0.1:1/")
	require.EqualError(t, err, "sh becomes ready: sh has ended (exit status 3); its log, "+log+", ends:\ncannot bind")
	assert.ErrorContains(t, c.stop(), "sh has ended (exit status 3)")
}

func TestChildStopsWhenItIsAsked(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	c, err := startChild(t.Context(), "sh", log, "sh", "-c", "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done")
	require.NoError(t, err)
	require.NoError(t, await(t.Context(), "trap", func(context.Context) error {
		if lastLines(log) != "up" {
			return errors.New("not up yet")
		}
		return nil
	}))
	require.NoError(t, c.stop())
	assert.Equal(t, "up\nbye", lastLines(log))
}
