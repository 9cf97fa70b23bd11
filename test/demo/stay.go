package main

import (
	"context"
	_ "embed"
	"io"
	"text/template"
)

//go:embed stay.txt
var stayText string

// stay says what is where and how to try it, and waits until it is told to end
// or a child ends by itself.
func stay(ctx context.Context, r *rig, out io.Writer) error {
	text := template.Must(template.New("stay").Parse(stayText))
	err := text.Execute(out, map[string]any{
		"Listener": r.listener, "EnvoyAdmin": r.envoyAdmin, "Admin": r.admin, "Grpc": r.grpc,
		"Clusters": r.clusters, "Dir": r.dir, "Binary": r.file(binaryFile), "Config": r.file(configFile),
		"Bootstrap": r.file(bootstrapFile), "DecisionLog": r.decisionLog,
	})
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case <-r.envoy.Exited():
		return r.envoy.Alive()
	case <-r.pointsman.Exited():
		return r.pointsman.Alive()
	}
}
