package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/test/child"
)

func TestStayServesUntilItIsToldToEnd(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	ctx, ctrlC := context.WithCancel(t.Context())
	defer ctrlC()
	stdout, in := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"--stay"}, in, &stderr)
		_ = in.Close()
	}()

	var said strings.Builder
	for lines := bufio.NewScanner(stdout); !strings.HasSuffix(said.String(), "Ctrl-C stops everything.\n") && lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
	}
	list := regexp.MustCompile(`\S+/v1/models`).FindString(said.String())
	models, err := child.Fetch(ctx, "http://"+list)
	require.NoError(t, err, "%s", &stderr)
	assert.Contains(t, string(models), `"auto-fast"`)

	ctrlC()
	assert.Equal(t, exitOK, <-ended, "%s", &stderr)
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, left)
}
