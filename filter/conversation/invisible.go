package conversation

import "unicode"

// Invisible reports characters that show nothing: white space, controls,
// format characters such as zero-width spaces and byte-order marks, variation
// selectors, and letters that Unicode defines as blank.
func Invisible(r rune) bool {
	switch r {
	case '\u034f', '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector)
}
