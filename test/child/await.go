package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// patience bounds every wait for something to become true.
	patience = 30 * time.Second
	// pace is the pause between two looks.
	pace = 20 * time.Millisecond
)

// hopeless marks an error after which waiting is of no use.
type hopeless struct{ error }

func (h *hopeless) Unwrap() error { return h.error }

// Hopeless marks an error after which Await need not look again.
func Hopeless(err error) error { return &hopeless{err} }

// Await looks until there is no error, and returns the last one when half a
// minute or the context has run out, or when it is Hopeless.
func Await(ctx context.Context, what string, look func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for {
		err := look(ctx)
		if err == nil {
			return nil
		}
		if _, ok := errors.AsType[*hopeless](err); ok {
			return fmt.Errorf("%s: %w", what, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w: %w", what, context.Cause(ctx), err)
		case <-tick.C:
		}
	}
}

// Fetch is the body of a GET that is answered with 200.
func Fetch(ctx context.Context, url string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("GET %s: %w", url, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s", url, response.Status)
	}
	return body, nil
}
