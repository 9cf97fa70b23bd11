package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

func TestRecordsAreReadAsFarAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	log := `{"level":"info","decision":{"id":"one","tier":"simple"},"outcome":{"status":200},"usage":null}` + "\n" +
		`{"level":"info","decision":null,"outcome":{"kind":"failed_open"}}` + "\n" +
		`{"level":"info","decision":{"id":"tw`
	found, err := readRecords([]byte(log))
	require.NoError(t, err)
	assert.Len(t, found, 1)
	assert.Equal(t, "simple", found["one"].GetDecision().GetTier())
}

func TestUnreadableRecordIsAnErrorWithItsLine(t *testing.T) {
	t.Parallel()
	_, err := readRecords([]byte("{}\n{\"decision\": 7}\n"))
	assert.ErrorContains(t, err, "line 2: ")
}

func TestMissingRecordsAreNamed(t *testing.T) {
	t.Parallel()
	answered := &exchange{label: "2", asked: "lookup", question: question{model: "auto"}}
	answered.header = http.Header{"X-Pointsman-Decision": {"ID"}}
	err := missing([]*exchange{answered}, map[string]*routerv1.Record{})
	require.EqualError(t, err, "no record of decision ID of 2 (lookup; model auto)")
	require.NoError(t, missing([]*exchange{answered}, map[string]*routerv1.Record{"ID": {}}))

	undecided := &exchange{label: "3", asked: "thanks", question: question{model: "auto"}}
	assert.ErrorContains(t, missing([]*exchange{undecided}, nil), "the answer has no x-pointsman-decision header")
}
