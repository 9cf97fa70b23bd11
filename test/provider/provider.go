package provider

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// HeaderName is the response header that carries [Options].Name.
const HeaderName = "x-provider-name"

// Options says what a stand-in provider is.
type Options struct {
	// Name tells several providers apart.
	Name string
	// Models are the names that the body's model field may have. Every other
	// name, and every name where there are none, is answered with 404.
	Models []string
}

// Provider is a stand-in model provider. It is an [http.Handler] and may be
// used by any number of connections at once.
type Provider struct {
	name     string
	models   map[string]bool
	recorder recorder
	gates    gates
	cache    promptCache
	once     sync.Map // names that HeaderOnce has brought
	serial   atomic.Int64
	control  http.Handler
}

// New returns a provider that serves the models of the options.
func New(options Options) *Provider {
	p := &Provider{name: options.Name, models: make(map[string]bool, len(options.Models))}
	for _, model := range options.Models {
		p.models[model] = true
	}
	p.control = p.controlHandler()
	return p
}

// Requests returns what arrived so far, oldest first, requests that are still
// arriving among them. Where contains is not empty, only requests that have it
// in their path, a header's value or the kept part of their body.
func (p *Provider) Requests(contains string) []Request { return p.recorder.list(contains) }

// Clear forgets all recorded requests.
func (p *Provider) Clear() { p.recorder.clear() }

// Open lets everything pass that is held, or ever will be, under this name.
func (p *Provider) Open(gate string) { p.gates.open(gate) }

// ServeHTTP answers a request as the provider would, or as its control headers
// ask for.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, controlPrefix) {
		p.control.ServeHTTP(w, r)
		return
	}
	w.Header().Set(HeaderName, p.name)
	entry := p.recorder.begin(r)
	defer func() { entry.end(r.Context().Err() != nil) }()
	w = witness{w, entry}
	asked, err := readManners(r.Header)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if p.again(r.Header.Get(HeaderOnce)) {
		asked.status, asked.fault = 0, ""
	}
	spoken := apiOf(r)
	if spoken == nil {
		p.serveUpload(w, r, entry, asked)
		return
	}
	var body bytes.Buffer
	if err := entry.receive(r, &body); err != nil {
		return // the sender is gone; the record says how far it came
	}
	p.serveAPI(r.Context(), exchange{w: w, manners: asked, api: spoken, body: body.Bytes()})
}

// again reports whether a name was there before; no name never is.
func (p *Provider) again(name string) bool {
	if name == "" {
		return false
	}
	_, before := p.once.LoadOrStore(name, true)
	return before
}

// serveUpload takes a body of any size without keeping it, and answers with
// the record of the request.
func (p *Provider) serveUpload(w http.ResponseWriter, r *http.Request, entry *entry, asked manners) {
	if err := entry.receive(r, io.Discard); err != nil {
		return
	}
	if !p.before(r.Context(), asked) {
		return
	}
	status := http.StatusOK
	if asked.status != 0 {
		status = asked.status
	}
	writeJSON(w, status, entry.snapshot())
}
