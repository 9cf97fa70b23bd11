package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// A wire is the HTTP transport of the client. It keeps what really left, byte
// for byte, and the head of what came back.
type wire struct {
	transport *http.Transport
	last      sent
}

// sent is the last request of a wire, and the head of its answer.
type sent struct {
	at     time.Time
	body   []byte
	status int
	header http.Header
}

func newWire() *wire { return &wire{transport: new(http.Transport)} }

// RoundTrip sends a request as it is, and remembers it. The client sends one
// after the other.
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	w.last = sent{at: time.Now(), body: body}
	again := request.Clone(request.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	response, err := w.transport.RoundTrip(again)
	if err != nil {
		return nil, err
	}
	w.last.status, w.last.header = response.StatusCode, response.Header
	response.Body = &drained{response.Body}
	return response, nil
}

// drained is a body that is read to its end before it is closed. The client
// hangs up at a stream's [DONE], and where Envoy hears of that before it has
// sent the very end, it reports a client that has gone, without token usage.
type drained struct{ io.ReadCloser }

func (d *drained) Close() error {
	_, err := io.Copy(io.Discard, d.ReadCloser)
	return errors.Join(err, d.ReadCloser.Close())
}
