package envoy

import (
	"regexp"

	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	matcherv3 "github.com/envoyproxy/go-control-plane/envoy/type/matcher/v3"
)

// pathEndsIn matches paths that end in suffix, whatever stands before it. Envoy
// matches the whole path, without its query.
func pathEndsIn(suffix string) *routev3.RouteMatch_SafeRegex {
	return &routev3.RouteMatch_SafeRegex{SafeRegex: regex(".*" + regexp.QuoteMeta(suffix))}
}

func regex(pattern string) *matcherv3.RegexMatcher {
	return &matcherv3.RegexMatcher{Regex: pattern}
}

func exactHeader(name, value string) *routev3.HeaderMatcher {
	return stringHeader(name, &matcherv3.StringMatcher{
		MatchPattern: &matcherv3.StringMatcher_Exact{Exact: value},
	})
}

func presentHeader(name string) *routev3.HeaderMatcher {
	return &routev3.HeaderMatcher{
		Name:                 name,
		HeaderMatchSpecifier: &routev3.HeaderMatcher_PresentMatch{PresentMatch: true},
	}
}

// wordHeader matches a header whose value has no case.
func wordHeader(name, value string) *routev3.HeaderMatcher {
	return stringHeader(name, &matcherv3.StringMatcher{
		MatchPattern: &matcherv3.StringMatcher_Exact{Exact: value},
		IgnoreCase:   true,
	})
}

// targetHeader matches requests to an API's path, query or not, by the path
// that the access log sees.
func targetHeader(path string) *routev3.HeaderMatcher {
	return stringHeader(":path", matches(".*"+regexp.QuoteMeta(path)+`(\?.*)?`))
}

// matches is a matcher of whole strings.
func matches(pattern string) *matcherv3.StringMatcher {
	return &matcherv3.StringMatcher{MatchPattern: &matcherv3.StringMatcher_SafeRegex{SafeRegex: regex(pattern)}}
}

func stringHeader(name string, value *matcherv3.StringMatcher) *routev3.HeaderMatcher {
	return &routev3.HeaderMatcher{
		Name:                 name,
		HeaderMatchSpecifier: &routev3.HeaderMatcher_StringMatch{StringMatch: value},
	}
}
