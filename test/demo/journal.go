package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
	"github.com/pointsman/pointsman/test/child"
)

// records reads the decision log until it has a record of each exchange. Envoy
// sends them in bundles, a moment after a request has ended.
func records(ctx context.Context, file string, exchanges []*exchange) (map[string]*routerv1.Record, error) {
	var found map[string]*routerv1.Record
	err := child.Await(ctx, "decision log "+file, func(context.Context) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if found, err = readRecords(text); err != nil {
			return child.Hopeless(err)
		}
		return missing(exchanges, found)
	})
	return found, err
}

// readRecords reads the lines that are complete, by the decision's id. Records
// without a decision are left out.
func readRecords(text []byte) (map[string]*routerv1.Record, error) {
	found := make(map[string]*routerv1.Record)
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for number, line := range bytes.Split(whole, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var record routerv1.Record
		// The log's own fields, such as the time, are no part of the record.
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(line, &record); err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
		if id := record.GetDecision().GetId(); id != "" {
			found[id] = &record
		}
	}
	return found, nil
}

func missing(exchanges []*exchange, found map[string]*routerv1.Record) error {
	var without []string
	for _, x := range exchanges {
		id := x.decisionID()
		if id == "" {
			return child.Hopeless(fmt.Errorf("%s: the answer has no %s header", x, decision.HeaderDecision))
		}
		if found[id] == nil {
			without = append(without, fmt.Sprintf("decision %s of %s", id, x))
		}
	}
	if len(without) > 0 {
		return fmt.Errorf("no record of %s", strings.Join(without, ", "))
	}
	return nil
}

// decisionID is what Envoy told the client.
func (x *exchange) decisionID() string { return x.header.Get(decision.HeaderDecision) }
