package provider

import "net/http"

// controlPrefix begins the paths that steer the provider. They are neither
// recorded nor part of any API.
const controlPrefix = "/__"

const (
	// ReadyPath answers 200 once the provider serves.
	ReadyPath    = requestsPath
	requestsPath = controlPrefix + "requests"
	gatesPath    = controlPrefix + "gates/"
	contains     = "contains"
)

func (p *Provider) controlHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+requestsPath, func(w http.ResponseWriter, r *http.Request) {
		writeJSON(w, http.StatusOK, p.Requests(r.URL.Query().Get(contains)))
	})
	mux.HandleFunc("DELETE "+requestsPath, func(w http.ResponseWriter, _ *http.Request) {
		p.Clear()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST "+gatesPath+"{name}", func(w http.ResponseWriter, r *http.Request) {
		p.Open(r.PathValue("name"))
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}
