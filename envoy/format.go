package envoy

import (
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"github.com/pointsman/pointsman/filter/dialect"
)

// errorBody has Envoy answer with a problem in an API's dialect.
func errorBody(api api, problem dialect.Problem) *corev3.SubstitutionFormatString {
	body := dialect.Error(api.API, problem).Body
	return &corev3.SubstitutionFormatString{
		Format: &corev3.SubstitutionFormatString_TextFormatSource{TextFormatSource: &corev3.DataSource{
			Specifier: &corev3.DataSource_InlineString{InlineString: literal(string(body))},
		}},
		ContentType: dialect.ContentType,
	}
}

func status(problem dialect.Problem) uint32 {
	return uint32(problem.Status) //nolint:gosec // an HTTP status
}

// literal escapes text that must not be taken for a format string.
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }
