package envoy

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	earlyv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/http/early_header_mutation/header_mutation/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
)

func newGenerator(t *testing.T, more string) *generator {
	t.Helper()
	cfg, err := config.Parse("test.yaml", []byte(`
virtual_models: [{name: auto}]
default_model: small
models:
  - {name: small, cluster: a, apis: [openai_chat_completions], tier: simple, context_window: 128000, price: {input: 1, output: 2}}
  - {name: large, cluster: b, apis: [openai_chat_completions], tier: complex, context_window: 128000, price: {input: 1, output: 2}}
clusters: [{name: a, address: 127.0.0.1:18081}, {name: b, address: 127.0.0.1:18082, path_prefix: /openai}]
`+more))
	require.NoError(t, err)
	return &generator{Config: cfg}
}

func TestPathEndsIn_MatchesAnyPrefixAndNothingLonger(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile("^(?:" + pathEndsIn("/v1/chat/completions").SafeRegex.GetRegex() + ")$")
	for path, want := range map[string]bool{
		"/v1/chat/completions":                     true,
		"/openai/eu/v1/chat/completions":           true,
		"/v1/chat/completionsX":                    false,
		"/v1/chat/completions/":                    false,
		"/v1/chat/completions/x":                   false,
		"/v2/chat/completions":                     false,
		"/xv1/chat/completions":                    false,
		"/v1/chat/completions\n":                   false,
		"/v1/chat/completions/../chat/completions": false,
	} {
		assert.Equal(t, want, pattern.MatchString(path), "%q", path)
	}
}

func TestRoutes_FourKindsInOrder(t *testing.T) {
	t.Parallel()
	routes := newGenerator(t, "").routes()
	names := make([]string, len(routes))
	for i, route := range routes {
		names[i] = route.GetName()
	}
	assert.Equal(t, []string{
		"openai_chat_completions/model/small",
		"openai_chat_completions/model/large",
		"openai_chat_completions/pass",
		"openai_chat_completions/upgrade",
		"openai_chat_completions/asked/small",
		"openai_chat_completions/asked/large",
		"openai_chat_completions/landing/gzip",
		"openai_chat_completions/landing/zstd",
		"openai_chat_completions/landing",
		"models",
		"plain",
	}, names)
}

func TestRoutes_OnlyLandingRoutesCallPointsmanWithTheBody(t *testing.T) {
	t.Parallel()
	for _, route := range newGenerator(t, "").routes() {
		filters := route.GetTypedPerFilterConfig()
		landing := strings.Contains(route.GetName(), "/landing")
		assert.Equal(t, landing || route.GetName() == "models", filters[pointsmanFilter] != nil, route.GetName())
		assert.Equal(t, landing, filters[transformFilter] != nil, route.GetName())
	}
}

func TestRoutes_ThePlainRouteKeepsNoCopyOfABody(t *testing.T) {
	t.Parallel()
	plain := newGenerator(t, "").plainRoute()
	assert.Empty(t, plain.GetTypedPerFilterConfig())
	assert.Nil(t, plain.GetRoute().GetRetryPolicy())
	assert.Zero(t, plain.GetRoute().GetTimeout().AsDuration())
}

func TestRoutes_ALongAnswerIsCutByNothingButSilence(t *testing.T) {
	t.Parallel()
	for _, route := range newGenerator(t, "").routes() {
		action := route.GetRoute()
		if action == nil {
			continue
		}
		require.NotNil(t, action.GetTimeout(), "%s: Envoy's own limit is 15 s", route.GetName())
		assert.Zero(t, action.GetTimeout().AsDuration(), route.GetName())
		assert.Greater(t, action.GetIdleTimeout().AsDuration(), answerIdleTimeout, route.GetName())
	}
}

func TestRouteConfiguration_BodiesMayGrowByTheModelsName(t *testing.T) {
	t.Parallel()
	g := newGenerator(t, "limits: {max_body_bytes: 1000}\n")
	host := g.routeConfiguration().GetVirtualHosts()[0]
	assert.EqualValues(t, 1000+65536, host.GetRequestBodyBufferLimit().GetValue())
}

func TestRouteConfiguration_ProvidersGetNoneOfOurHeaders(t *testing.T) {
	t.Parallel()
	removed := newGenerator(t, "").routeConfiguration().GetVirtualHosts()[0].GetRequestHeadersToRemove()
	for _, header := range slices.Concat(decision.OwnedHeaders(), decision.HintHeaders()) {
		assert.Contains(t, removed, header)
	}
}

func TestStripOwnedHeaders_HintsStayForPointsman(t *testing.T) {
	t.Parallel()
	var early earlyv3.HeaderMutation
	require.NoError(t, newGenerator(t, "").stripOwnedHeaders().GetTypedConfig().UnmarshalTo(&early))
	removed := make([]string, len(early.GetMutations()))
	for i, mutation := range early.GetMutations() {
		removed[i] = mutation.GetRemove()
	}
	assert.Equal(t, decision.OwnedHeaders(), removed)
}

func TestMutationRules_AllowWhatPointsmanSetsAndNothingElse(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile("^(?:" + mutationRules().GetAllowExpression().GetRegex() + ")$")
	for _, header := range slices.Concat(decision.OwnedHeaders(), decision.HintHeaders(),
		[]string{"content-length", "content-type", "retry-after"}) {
		assert.Regexp(t, allowed, header)
	}
	for _, header := range []string{":path", "host", "authorization", "x-selected-models", "x-pointsman-", "content-encoding"} {
		assert.NotRegexp(t, allowed, header)
	}
}

func TestResponseHeaders_ASetting(t *testing.T) {
	t.Parallel()
	assert.Len(t, newGenerator(t, "").decisionHeaders(), 2)
	assert.Empty(t, newGenerator(t, "envoy: {response_headers: false}\n").decisionHeaders())
}

func TestListModels_ASetting(t *testing.T) {
	t.Parallel()
	isModels := func(route *routev3.Route) bool { return route.GetName() == "models" }
	assert.True(t, slices.ContainsFunc(newGenerator(t, "").routes(), isModels))
	assert.False(t, slices.ContainsFunc(newGenerator(t, "list_models: false\n").routes(), isModels))
}

func TestPrepend_TheClientsPathFollowsThePrefix(t *testing.T) {
	t.Parallel()
	assert.Nil(t, prepend(""))
	rewrite := prepend(`/a\1b`)
	assert.Equal(t, "^/", rewrite.GetPattern().GetRegex())
	assert.Equal(t, `/a\\1b/`, rewrite.GetSubstitution())
}

func TestLocalReplies_AreTheClientsDialect(t *testing.T) {
	t.Parallel()
	mappers := newGenerator(t, "").localReplies().GetMappers()
	require.NotEmpty(t, mappers)
	for _, mapper := range mappers {
		format := mapper.GetBodyFormatOverride()
		assert.Equal(t, "application/json", format.GetContentType())
		var body struct {
			Error struct {
				Message string `json:"message"`
				Type    string `json:"type"`
			} `json:"error"`
		}
		text := strings.ReplaceAll(format.GetTextFormatSource().GetInlineString(), "%%", "%")
		require.NoError(t, json.Unmarshal([]byte(text), &body))
		assert.NotEmpty(t, body.Error.Message)
		assert.Equal(t, mapper.GetStatusCode().GetValue() >= 500, body.Error.Type == "server_error", text)
	}
}

func TestLocalReplies_LeavePointsmansOwnAnswersAlone(t *testing.T) {
	t.Parallel()
	for _, reply := range newGenerator(t, "").localReplyTable() {
		for _, details := range reply.details {
			assert.NotContains(t, details, "pointsman")
		}
	}
}
