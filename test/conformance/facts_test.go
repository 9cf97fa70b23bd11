package conformance

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	hcmv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/pointsman/pointsman/test/provider"
)

const pointsmanFilter = "envoy.filters.http.ext_proc"

// editRoutes is for the routes whose name begins so.
func editRoutes(prefix string, edit func(virtual *routev3.VirtualHost, route *routev3.Route)) func(testing.TB, *bootstrapv3.Bootstrap) {
	return func(tb testing.TB, bootstrap *bootstrapv3.Bootstrap) {
		tb.Helper()
		editManager(tb, bootstrap, func(manager *hcmv3.HttpConnectionManager) {
			virtual := manager.GetRouteConfig().GetVirtualHosts()[0]
			for _, route := range virtual.GetRoutes() {
				if strings.HasPrefix(route.GetName(), prefix) {
					edit(virtual, route)
				}
			}
		})
	}
}

// chat is a cell of Chat Completions over HTTP/1.1.
func chat(size int, framingName string) cell {
	for _, f := range framings() {
		if f.name == framingName {
			return cell{apis()[0], size, protocols[0], f}
		}
	}
	panic("there is no framing " + framingName)
}

// This is why the generated routes have no retries in FULL_DUPLEX_STREAMED mode,
// and why another external processor in that mode does not belong between
// pointsman and the router. An Envoy that fails this test needs neither.
func TestFact_WhatIsKeptForARetryIsSentTwiceBehindTrailers(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, edit: editRoutes("openai_chat_completions/model", func(_ *routev3.VirtualHost, route *routev3.Route) {
		route.GetRoute().RetryPolicy = &routev3.RetryPolicy{RetryOn: "connect-failure"}
	})})
	for framing, times := range map[string]int{"plain": 1, "chunked": 1, "trailers": 2, "gzip": 2} {
		c := chat(2*kilobyte, framing)
		_, err := c.send(t.Context(), r.url, newClient(c.protocol))
		require.NoError(t, err)
		arrived := r.provider.Requests("")
		require.Len(t, arrived, 1)
		want := explain(t.Context(), r.pipeline, c.api, c.api.body(c.size)).Upstream()
		assert.Equal(t, string(bytes.Repeat(want, times)), string(arrived[0].Body), framing)
		r.provider.Clear()
	}
}

// Without allow_content_length_header the provider gets chunks.
func TestFact_DuplexNeedsLeaveToKeepTheLength(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, edit: func(tb testing.TB, bootstrap *bootstrapv3.Bootstrap) {
		tb.Helper()
		editManager(tb, bootstrap, func(manager *hcmv3.HttpConnectionManager) {
			for _, filter := range manager.GetHttpFilters() {
				if filter.GetName() == pointsmanFilter {
					processor := &filterv3.ExternalProcessor{}
					require.NoError(tb, filter.GetTypedConfig().UnmarshalTo(processor))
					processor.AllowContentLengthHeader = false
					require.NoError(tb, filter.GetTypedConfig().MarshalFrom(processor))
				}
			}
		})
	}})
	c := chat(2*kilobyte, "plain")
	require.EqualError(t, c.try(t.Context(), r, newClient(c.protocol)), "content-length -1 instead of 2055")
}

func TestDuplex_TakesBodiesBeyondEnvoysBuffer(t *testing.T) {
	t.Parallel()
	small := editRoutes("plain", func(virtual *routev3.VirtualHost, _ *routev3.Route) {
		virtual.RequestBodyBufferLimit = wrapperspb.UInt64(megabyte)
	})
	c := chat(5*megabyte, "plain")
	client := newClient(c.protocol)
	require.NoError(t, c.try(t.Context(), start(t, setup{mode: duplex, edit: small}), client))
	got, err := c.send(t.Context(), start(t, setup{mode: buffered, edit: small}).url, client)
	require.NoError(t, err)
	assert.Equal(t, http.StatusRequestEntityTooLarge, got.status)
}

func TestDuplex_RefusesABodyOverTheLimitBeforeItsEnd(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, more: "limits: {max_body_bytes: 65536}\n"})
	for _, protocol := range protocols {
		more, body := io.Pipe()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+apis()[0].path, more)
		require.NoError(t, err)
		go func() { _, _ = body.Write(bytes.Repeat([]byte(" "), 65537)) }() // and no end
		got, err := do(newClient(protocol), request)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		assert.Equal(t, http.StatusRequestEntityTooLarge, got.status)
		assert.JSONEq(t, `{"error":{"message":"the request body is larger than the limit of 65536 bytes",
			"type":"invalid_request_error","param":null,"code":"request_too_large"}}`, string(got.body))
		assert.Empty(t, r.provider.Requests(""))
	}
}

// Where an Envoy asks about paths that are none of pointsman's, their bodies
// come through all the same.
func TestDuplex_EchoesUploads(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, edit: func(tb testing.TB, bootstrap *bootstrapv3.Bootstrap) {
		tb.Helper()
		landing := &routev3.Route{}
		editRoutes("openai_chat_completions/landing", func(_ *routev3.VirtualHost, route *routev3.Route) { landing = route })(tb, bootstrap)
		editRoutes("plain", func(_ *routev3.VirtualHost, route *routev3.Route) {
			route.TypedPerFilterConfig = landing.GetTypedPerFilterConfig()
		})(tb, bootstrap)
	}})
	for _, protocol := range protocols {
		for _, framing := range []string{"plain", "chunked", "trailers", "continue"} {
			c := chat(20*megabyte, framing)
			c.api.path = "/v1/files"
			got, err := c.send(t.Context(), r.url, newClient(protocol))
			require.NoError(t, err)
			assert.Equal(t, http.StatusOK, got.status)
			arrived := r.provider.Requests("")
			require.Len(t, arrived, 1)
			require.NoError(t, c.arrivedWhole(c.api.sent(c.size, c.framing), arrived[0]), "%s, %s", protocol, framing)
			r.provider.Clear()
		}
	}
}

func TestDuplex_DoesNotFailOpen(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, down: true})
	for _, size := range []int{2 * kilobyte, 5 * megabyte} {
		c := chat(size, "plain")
		got, err := c.send(t.Context(), r.url, newClient(c.protocol))
		require.NoError(t, err)
		assert.Equal(t, http.StatusInternalServerError, got.status)
		assert.JSONEq(t, `{"error":{"message":"the request could not be routed to a model",
			"type":"server_error","param":null,"code":"routing_failed"}}`, string(got.body))
	}
	assert.Empty(t, r.provider.Requests(""))

	for method, path := range map[string]string{http.MethodGet: "/v1/models", http.MethodPost: "/v1/files"} {
		request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader("text"))
		require.NoError(t, err)
		got, err := do(http.DefaultClient, request)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, got.status, path)
		assert.Len(t, r.provider.Requests(path), 1, path)
	}
}

// hung is a processor that takes everything and answers nothing.
type hung struct {
	extprocv3.UnimplementedExternalProcessorServer
}

// Process ends when Envoy has had enough.
func (hung) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	<-stream.Context().Done()
	return nil
}

// hasty is a landing route that waits for a moment only.
var hasty = editRoutes("openai_chat_completions/landing", func(_ *routev3.VirtualHost, route *routev3.Route) {
	route.GetRoute().IdleTimeout = durationpb.New(500 * time.Millisecond)
})

func TestDuplex_AHungPointsmanIsWaitedForByTheLandingRoutesTimeout(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, processor: hung{}, edit: hasty})
	c := chat(2*kilobyte, "plain")
	got, err := c.send(t.Context(), r.url, newClient(c.protocol))
	require.NoError(t, err)
	assert.Equal(t, http.StatusRequestTimeout, got.status)
	assert.Contains(t, string(got.body), `"code":"request_timeout"`)
}

func TestDuplex_ASlowProviderIsNotCutByTheLandingRoutesTimeout(t *testing.T) {
	t.Parallel()
	r := start(t, setup{mode: duplex, edit: hasty})
	c := chat(2*kilobyte, "plain")
	c.framing.apply = func(request *http.Request) { request.Header.Set(provider.HeaderDelay, "1500ms") }
	require.NoError(t, c.try(t.Context(), r, newClient(c.protocol)))
}
