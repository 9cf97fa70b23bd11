package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"

	"github.com/pointsman/pointsman/test/child"
)

// stats are Envoy's counters and gauges whose names match a pattern.
func (r *rig) stats(ctx context.Context, pattern string) (map[string]int, error) {
	body, err := child.Fetch(ctx, "http://"+r.envoyAdmin+"/stats?"+url.Values{"format": {"json"}, "filter": {pattern}}.Encode())
	if err != nil {
		return nil, err
	}
	var answer struct {
		Stats []struct {
			Name  string `json:"name"`
			Value int    `json:"value"`
		} `json:"stats"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("stats of Envoy: %w", err)
	}
	values := make(map[string]int, len(answer.Stats))
	for _, stat := range answer.Stats {
		values[stat.Name] = stat.Value
	}
	return values, nil
}

// A counter is what Envoy counted of the decisions for one model and tier, by
// the decision's metadata.
type counter struct {
	Model        string `json:"model"`
	Tier         string `json:"tier"`
	Requests     int    `json:"requests"`
	PromptTokens int    `json:"prompt_tokens"` // as pointsman estimated them
}

// counts are Envoy's own figures about a session.
type counts struct {
	Decisions []counter `json:"decisions"`
	// Routes are the answers with 200 on each model's route.
	Routes map[string]int `json:"routes"`
}

// The counters of the generated configuration: by decision, and by route.
var (
	decisionStat = regexp.MustCompile(`^pointsman\.(requests|prompt_tokens)\.model\.(.+)\.tier\.(\w*)\.category\.`)
	routeStat    = regexp.MustCompile(`^vhost\.pointsman\.route\.(.+)\.upstream_rq_200$`)
)

// counted waits until Envoy has counted the sessions, and nothing else: it counts a
// request when it is over, a moment after the client has its answer.
func (r *rig) counted(ctx context.Context, played []session) (counts, error) {
	var seen counts
	want := countsOf(played)
	err := child.Await(ctx, "envoy counts the decisions", func(ctx context.Context) error {
		stats, err := r.stats(ctx, `^pointsman\.|^vhost\.pointsman\.route\..*\.upstream_rq_200$`)
		if err != nil {
			return err
		}
		if seen = countsIn(stats); !reflect.DeepEqual(seen, want) {
			return fmt.Errorf("it has %v, want %v", seen, want)
		}
		return nil
	})
	return seen, err
}

func countsIn(stats map[string]int) counts {
	seen := counts{Routes: map[string]int{}}
	for name, value := range stats {
		if route := routeStat.FindStringSubmatch(name); route != nil {
			seen.Routes[route[1]] = value
		}
		switch parts := decisionStat.FindStringSubmatch(name); {
		case parts == nil:
		case parts[1] == "requests":
			seen.add(counter{Model: parts[2], Tier: parts[3], Requests: value})
		default:
			seen.add(counter{Model: parts[2], Tier: parts[3], PromptTokens: value})
		}
	}
	seen.sort()
	return seen
}

// countsOf is what Envoy should have counted of the sessions.
func countsOf(played []session) counts {
	want := counts{Routes: map[string]int{}}
	for _, one := range played {
		for _, r := range one.Rows {
			want.add(counter{Model: r.Model, Tier: r.Tier, Requests: 1, PromptTokens: r.EstimatedTokens})
			want.Routes[r.Model]++
		}
	}
	want.sort()
	return want
}

func (c *counts) add(more counter) {
	for i, known := range c.Decisions {
		if known.Model == more.Model && known.Tier == more.Tier {
			c.Decisions[i].Requests += more.Requests
			c.Decisions[i].PromptTokens += more.PromptTokens
			return
		}
	}
	c.Decisions = append(c.Decisions, more)
}

func (c *counts) sort() {
	slices.SortFunc(c.Decisions, func(a, b counter) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Tier, b.Tier))
	})
}
