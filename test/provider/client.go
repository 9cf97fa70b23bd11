package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// A Client steers a provider that runs elsewhere, at its URL
// ("http://127.0.0.1:18081").
type Client struct {
	URL string
}

// Requests is [Provider.Requests] over HTTP.
func (c Client) Requests(ctx context.Context, text string) ([]Request, error) {
	body, err := c.do(ctx, http.MethodGet, requestsPath+"?"+url.Values{contains: {text}}.Encode())
	if err != nil {
		return nil, err
	}
	var requests []Request
	if err := json.Unmarshal(body, &requests); err != nil {
		return nil, fmt.Errorf("recorded requests of %s: %w", c.URL, err)
	}
	return requests, nil
}

// Clear is [Provider.Clear] over HTTP.
func (c Client) Clear(ctx context.Context) error {
	_, err := c.do(ctx, http.MethodDelete, requestsPath)
	return err
}

// Open is [Provider.Open] over HTTP.
func (c Client) Open(ctx context.Context, gate string) error {
	_, err := c.do(ctx, http.MethodPost, gatesPath+url.PathEscape(gate))
	return err
}

func (c Client) do(ctx context.Context, method, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("provider control: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("provider control: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, request.URL, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s: %s: %s", method, request.URL, response.Status, body)
	}
	return body, nil
}
