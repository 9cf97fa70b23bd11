// Command cmd serves a stand-in model provider; the test images and the demo
// run it.
//
//	cmd -listen :8080 -name provider-a -models small-2026,medium-2026
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/pointsman/pointsman/test/provider"
)

func main() {
	listen := flag.String("listen", ":8080", "address to serve HTTP on")
	name := flag.String("name", "provider", "value of the "+provider.HeaderName+" response header")
	models := flag.String("models", "", "comma-separated model names that are served; every other is 404")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, *listen, provider.Options{Name: *name, Models: names(*models)})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "provider:", err)
		os.Exit(1)
	}
}

// names splits a list at its commas.
func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// serve answers until the context ends.
func serve(ctx context.Context, address string, options provider.Options) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: provider.New(options), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(os.Stderr, "provider %q serves %s on %s\n", options.Name, strings.Join(options.Models, ", "), listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
