package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/test/provider"
)

// A standIn is a stand-in provider behind one of the configuration's clusters.
type standIn struct {
	*provider.Provider

	cluster string
	address string
	server  *http.Server
}

// startStandIns starts a provider for each cluster, which serves the cluster's
// models and answers 404 for every other name.
func startStandIns(ctx context.Context, cfg *config.Config) ([]*standIn, error) {
	var started []*standIn
	for _, cluster := range cfg.GetClusters() {
		one, err := startStandIn(ctx, cluster.GetName(), upstreamModels(cfg, cluster.GetName()))
		if err != nil {
			return nil, errors.Join(err, stopStandIns(started))
		}
		started = append(started, one)
	}
	return started, nil
}

func upstreamModels(cfg *config.Config, cluster string) []string {
	var models []string
	for _, model := range cfg.GetModels() {
		if model.GetCluster() == cluster {
			models = append(models, model.GetUpstreamModel())
		}
	}
	return models
}

func startStandIn(ctx context.Context, name string, models []string) (*standIn, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("stand-in %s: %w", name, err)
	}
	served := provider.New(provider.Options{Name: name, Models: models})
	server := &http.Server{Handler: served, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with stopStandIns
	return &standIn{Provider: served, cluster: name, address: listener.Addr().String(), server: server}, nil
}

func stopStandIns(started []*standIn) error {
	var err error
	for _, one := range started {
		err = errors.Join(err, one.server.Close())
	}
	return err
}
