package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// keptBody is how many bytes of a body, or of an answer, are kept; a body's
	// digest and length cover all of it.
	keptBody = 1 << 20
	// keptTotal bounds what a recorder holds; the oldest requests go first.
	keptTotal = 64 << 20
	// recordCost is what a request counts beside its body.
	recordCost = 4 << 10
)

// A Request is one request as it arrived.
type Request struct {
	Received         time.Time   `json:"received"`
	Method           string      `json:"method"`
	Path             string      `json:"path"` // with its query, as it came
	Host             string      `json:"host"`
	Proto            string      `json:"proto"`
	Headers          http.Header `json:"headers"`
	Trailers         http.Header `json:"trailers"`
	ContentLength    int64       `json:"content_length"` // -1 where the request had none
	TransferEncoding []string    `json:"transfer_encoding"`
	Body             []byte      `json:"body"` // its first MiB
	BodyLength       int64       `json:"body_length"`
	BodySHA256       string      `json:"body_sha256"` // hex; set with Complete
	Complete         bool        `json:"complete"`    // the body arrived whole
	Answered         bool        `json:"answered"`    // nothing more will be sent
	Aborted          bool        `json:"aborted"`     // the client left before the answer's end
	Answer           []byte      `json:"answer"`      // the first MiB of the answer's body
}

// A recorder keeps requests in the order of their arrival.
type recorder struct {
	mutex   sync.Mutex
	entries []*entry
	held    int
}

// An entry is a request that is being recorded.
type entry struct {
	recorder *recorder
	request  Request
	digest   hash.Hash
}

func (rec *recorder) begin(r *http.Request) *entry {
	e := &entry{recorder: rec, digest: sha256.New(), request: Request{
		Received: time.Now(), Method: r.Method, Path: r.URL.RequestURI(), Host: r.Host, Proto: r.Proto,
		Headers: r.Header.Clone(), ContentLength: r.ContentLength, TransferEncoding: slices.Clone(r.TransferEncoding),
	}}
	rec.mutex.Lock()
	defer rec.mutex.Unlock()
	rec.entries = append(rec.entries, e)
	rec.grow(recordCost)
	return e
}

// grow counts bytes, and forgets the oldest requests where they are too many.
func (rec *recorder) grow(bytes int) {
	rec.held += bytes
	for rec.held > keptTotal && len(rec.entries) > 1 {
		forgotten := rec.entries[0].request
		rec.held -= recordCost + len(forgotten.Body) + len(forgotten.Answer)
		rec.entries = rec.entries[1:]
	}
}

func (rec *recorder) clear() {
	rec.mutex.Lock()
	defer rec.mutex.Unlock()
	rec.entries, rec.held = nil, 0
}

func (rec *recorder) list(contains string) []Request {
	rec.mutex.Lock()
	defer rec.mutex.Unlock()
	found := []Request{}
	for _, e := range rec.entries {
		if e.request.contains(contains) {
			found = append(found, e.request.clone())
		}
	}
	return found
}

func (q *Request) contains(text string) bool {
	if strings.Contains(q.Path, text) || bytes.Contains(q.Body, []byte(text)) {
		return true
	}
	for _, values := range q.Headers {
		if slices.ContainsFunc(values, func(value string) bool { return strings.Contains(value, text) }) {
			return true
		}
	}
	return false
}

func (q *Request) clone() Request {
	c := *q
	c.Body = slices.Clone(q.Body)
	c.Answer = slices.Clone(q.Answer)
	c.Headers = maps.Clone(q.Headers)
	return c
}

// receive reads the request's body to its end, into the record and into body.
func (e *entry) receive(r *http.Request, body io.Writer) error {
	if _, err := io.Copy(io.MultiWriter(e, body), r.Body); err != nil {
		return fmt.Errorf("read body: %w", err)
	}
	e.recorder.mutex.Lock()
	defer e.recorder.mutex.Unlock()
	e.request.BodySHA256 = hex.EncodeToString(e.digest.Sum(nil))
	e.request.Trailers = r.Trailer.Clone()
	e.request.Complete = true
	return nil
}

// Write takes the next piece of the body.
func (e *entry) Write(piece []byte) (int, error) {
	e.recorder.mutex.Lock()
	defer e.recorder.mutex.Unlock()
	e.digest.Write(piece)
	e.request.BodyLength += int64(len(piece))
	e.request.Body = e.keep(e.request.Body, piece)
	return len(piece), nil
}

// keep appends what is still kept of the next piece.
func (e *entry) keep(kept, piece []byte) []byte {
	piece = piece[:min(len(piece), keptBody-len(kept))]
	e.recorder.grow(len(piece))
	return append(kept, piece...)
}

func (e *entry) answered(piece []byte) {
	e.recorder.mutex.Lock()
	defer e.recorder.mutex.Unlock()
	e.request.Answer = e.keep(e.request.Answer, piece)
}

// A witness writes an answer and keeps what it wrote.
type witness struct {
	http.ResponseWriter

	entry *entry
}

func (w witness) Write(piece []byte) (int, error) {
	n, err := w.ResponseWriter.Write(piece)
	w.entry.answered(piece[:n])
	return n, err
}

// Unwrap is for http.ResponseController.
func (w witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (e *entry) end(aborted bool) {
	e.recorder.mutex.Lock()
	defer e.recorder.mutex.Unlock()
	e.request.Answered, e.request.Aborted = true, aborted
}

func (e *entry) snapshot() Request {
	e.recorder.mutex.Lock()
	defer e.recorder.mutex.Unlock()
	return e.request.clone()
}
