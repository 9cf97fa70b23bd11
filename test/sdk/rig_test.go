package sdk

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/pointsman/pointsman/envoy"
	"github.com/pointsman/pointsman/filter/config"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
	"github.com/pointsman/pointsman/test/child"
	"github.com/pointsman/pointsman/test/envoybin"
	"github.com/pointsman/pointsman/test/provider"
)

// A rig is an Envoy, a pointsman and two stand-in providers. Tests share it, and
// tell their requests apart by the mark of a visit.
type rig struct {
	mode string // envoy.body_mode
	more string // further lines of the configuration

	url       string
	root      string // of the module
	folder    string
	cfg       *config.Config
	providers map[string]*provider.Provider // by cluster
	cleanups  []func() error                // to be done last one first
}

const (
	buffered = "buffered"
	duplex   = "full_duplex_streamed"
	pruned   = "\nprune: {enabled: true, exclude_tools: [" + keptTool + "]}\n"
)

// The rigs: one as most people would run it, and one for each body mode in which
// old tool results are pruned.
var (
	shared    = rig{mode: buffered}
	pruning   = rig{mode: buffered, more: pruned}
	streaming = rig{mode: duplex, more: pruned}
)

func TestMain(m *testing.M) {
	code := 1
	err := startAll(context.Background())
	if err == nil {
		code = m.Run()
	}
	if err = errors.Join(err, shared.stop(), pruning.stop(), streaming.stop()); err != nil {
		fmt.Fprintln(os.Stderr, "test/sdk:", err)
		code = 1
	}
	os.Exit(code)
}

func startAll(ctx context.Context) error {
	for _, r := range []*rig{&shared, &pruning, &streaming} {
		if err := r.start(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) start(ctx context.Context) (err error) {
	if r.root, err = child.ModuleRoot(ctx); err != nil {
		return err
	}
	if r.folder, err = os.MkdirTemp("", "sdk"); err != nil {
		return err
	}
	r.cleanups = append(r.cleanups, func() error { return os.RemoveAll(r.folder) })
	if err := r.configure(); err != nil {
		return err
	}
	if err := r.startPointsman(ctx); err != nil {
		return err
	}
	return r.startEnvoy(ctx)
}

func (r *rig) stop() error {
	var errs []error
	for _, cleanup := range slices.Backward(r.cleanups) {
		errs = append(errs, cleanup())
	}
	return errors.Join(errs...)
}

func (r *rig) file(name string) string { return filepath.Join(r.folder, name) }

// configure starts the providers and writes the configuration.
func (r *rig) configure() error {
	text, err := os.ReadFile("testdata/pointsman.yaml")
	if err != nil {
		return err
	}
	var grpc, admin, listener, envoyAdmin string
	if err = child.FreeAddresses(&grpc, &admin, &listener, &envoyAdmin); err != nil {
		return err
	}
	settled := strings.NewReplacer(
		"{grpc}", grpc, "{admin}", admin, "{listener}", listener, "{envoy-admin}", envoyAdmin, "{decisions}", r.file("decisions.jsonl"),
		"{body-mode}", r.mode,
		"{provider-a}", r.provide("provider-a", "small-2026", "medium-2026"),
		"{provider-b}", r.provide("provider-b", "quick-2026", "large-2026"),
	).Replace(string(text))
	if err = os.WriteFile(r.file("pointsman.yaml"), []byte(settled+r.more), 0o600); err != nil {
		return err
	}
	r.url = "http://" + listener
	r.cfg, err = config.Load(r.file("pointsman.yaml"))
	return err
}

// provide starts a provider and returns its address.
func (r *rig) provide(cluster string, models ...string) string {
	if r.providers == nil {
		r.providers = map[string]*provider.Provider{}
	}
	r.providers[cluster] = provider.New(provider.Options{Name: cluster, Models: models})
	server := httptest.NewServer(r.providers[cluster])
	r.cleanups = append(r.cleanups, func() error {
		server.Close()
		return nil
	})
	return strings.TrimPrefix(server.URL, "http://")
}

func (r *rig) startPointsman(ctx context.Context) error {
	if err := child.Build(ctx, r.root, "./cmd/pointsman", r.file("pointsman")); err != nil {
		return err
	}
	process, err := child.Start(ctx, "pointsman", r.file("pointsman.log"), r.file("pointsman"),
		"serve", "--config", r.file("pointsman.yaml"), "--drain-grace", "0s")
	if err != nil {
		return err
	}
	r.cleanups = append(r.cleanups, process.Stop)
	return process.Answers(ctx, "http://"+r.cfg.GetListen().GetAdmin()+"/readyz")
}

// startEnvoy starts Envoy and waits until it has found pointsman.
func (r *rig) startEnvoy(ctx context.Context) error {
	binary, err := envoybin.Path(ctx)
	if err != nil {
		return err
	}
	bootstrap, err := envoy.Bootstrap(r.cfg)
	if err != nil {
		return err
	}
	text, err := envoy.YAML(bootstrap)
	if err != nil {
		return err
	}
	if err = os.WriteFile(r.file("envoy.yaml"), text, 0o600); err != nil {
		return err
	}
	process, err := child.Start(ctx, "envoy", r.file("envoy.log"), binary, "-c", r.file("envoy.yaml"),
		"--use-dynamic-base-id", "--concurrency", "1", "-l", "warning")
	if err != nil {
		return err
	}
	r.cleanups = append(r.cleanups, process.Stop)
	admin := "http://" + r.cfg.GetEnvoy().GetAdmin()
	if err := process.Answers(ctx, admin+"/ready"); err != nil {
		return err
	}
	return child.Await(ctx, "Envoy finds pointsman", func(ctx context.Context) error {
		const gauge = "cluster.pointsman.membership_healthy"
		stats, err := child.Fetch(ctx, admin+"/stats?filter=^"+gauge+"$")
		if err == nil && !bytes.Contains(stats, []byte(gauge+": 1")) {
			err = fmt.Errorf("want %s: 1, have %s", gauge, stats)
		}
		return err
	})
}

// A visit is one test's use of the rig. Its mark stands in the path of its
// requests, before the API's own part.
type visit struct {
	*rig

	mark string
}

func visiting() visit { return shared.visit() }

func (r *rig) visit() visit { return visit{r, "/" + rand.Text()} }

// base is where the visit's requests go.
func (v visit) base() string { return v.url + v.mark }

// received is what reached the providers of this visit, by cluster.
func (v visit) received() map[string][]provider.Request {
	found := map[string][]provider.Request{}
	for cluster, one := range v.providers {
		if requests := one.Requests(v.mark + "/"); len(requests) > 0 {
			found[cluster] = requests
		}
	}
	return found
}

// record waits for the line of the decision log with a text in it.
func (v visit) record(t *testing.T, text string) *routerv1.Record {
	t.Helper()
	return v.records(t, text, 1)[0]
}

// records waits for so many lines of the decision log with a text in them.
func (v visit) records(t *testing.T, text string, lines int) (records []*routerv1.Record) {
	t.Helper()
	require.NoError(t, child.Await(t.Context(), fmt.Sprintf("the decision log has %d lines with %s", lines, text), func(context.Context) error {
		log, err := os.ReadFile(v.file("decisions.jsonl"))
		if err != nil {
			return err
		}
		records, err = parseRecords(log, text)
		if err == nil && len(records) < lines {
			err = fmt.Errorf("it has %d", len(records))
		}
		return err
	}))
	return records
}

func parseRecords(log []byte, text string) (records []*routerv1.Record, err error) {
	for line := range bytes.Lines(log) {
		// A last line without its end is still being written.
		if !bytes.HasSuffix(line, []byte("\n")) || !bytes.Contains(line, []byte(text)) {
			continue
		}
		record := &routerv1.Record{}
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(line, record); err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, nil
}
