package envoy

import (
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"github.com/pointsman/pointsman/filter/dialect"
)

// bodyOf has Envoy give an answer by itself.
func bodyOf(answer dialect.Response) *corev3.SubstitutionFormatString {
	return &corev3.SubstitutionFormatString{
		Format: &corev3.SubstitutionFormatString_TextFormatSource{TextFormatSource: &corev3.DataSource{
			Specifier: &corev3.DataSource_InlineString{InlineString: literal(string(answer.Body))},
		}},
		ContentType: dialect.ContentType,
	}
}

func status(answer dialect.Response) uint32 {
	return uint32(answer.Status) //nolint:gosec // an HTTP status
}

// literal escapes text that must not be taken for a format string.
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }
