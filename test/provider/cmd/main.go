// Command cmd serves a stand-in model provider; the test images and the demo
// run it.
//
//	cmd -listen :8080 -name provider-a -models small-2026,medium-2026
//	cmd -listen :8080 -tls :8443 -certificate both.pem -models large-2026
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

// addresses are where to serve. Empty tls is plain text alone.
type addresses struct {
	plain, tls  string
	certificate string
}

func main() {
	var at addresses
	flag.StringVar(&at.plain, "listen", ":8080", "address to serve HTTP on")
	flag.StringVar(&at.tls, "tls", "", "further address, for HTTPS")
	flag.StringVar(&at.certificate, "certificate", "", "PEM file with the certificate and its key")
	name := flag.String("name", "provider", "value of the "+provider.HeaderName+" response header")
	models := flag.String("models", "", "comma-separated model names that are served; every other is 404")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, at, provider.Options{Name: *name, Models: names(*models)})
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
func serve(ctx context.Context, at addresses, options provider.Options) error {
	server := &http.Server{Handler: provider.New(options), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	ended := make(chan error, 2)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", at.plain)
	if err != nil {
		return err
	}
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(os.Stderr, "provider %q serves %s on %s\n", options.Name, strings.Join(options.Models, ", "), listener.Addr())
	if at.tls != "" {
		secure, err := new(net.ListenConfig).Listen(ctx, "tcp", at.tls)
		if err != nil {
			return err
		}
		go func() { ended <- server.ServeTLS(secure, at.certificate, at.certificate) }()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
