package signals

import (
	"unicode"
	"unicode/utf8"
)

// accents maps the accented letters from U+00C0 to U+017F to what they are
// folded to; a space stands for a character that is not a letter.
const accents = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// leftOut stands for a character of which folding leaves nothing.
const leftOut = -1

// fold appends the text in the form in which phrases are compared: lower case,
// without Latin accents, in ASCII punctuation where there is such, white space
// as single spaces or newlines. It never makes a text longer in bytes, and
// stops where the buffer is full.
func fold(buffer []byte, text string) []byte {
	for _, r := range text {
		if r = foldRune(r); r == leftOut {
			continue
		}
		if space := r == ' ' || r == '\n'; space && endsBlank(buffer) {
			continue
		}
		if len(buffer)+utf8.RuneLen(r) > cap(buffer) {
			break
		}
		buffer = utf8.AppendRune(buffer, r)
	}
	return buffer
}

func endsBlank(buffer []byte) bool {
	return len(buffer) > 0 && (buffer[len(buffer)-1] == ' ' || buffer[len(buffer)-1] == '\n')
}

func foldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + ('a' - 'A')
	case r == '\n':
		return r
	case r <= ' ', r == 0x7f, r == 0xa0, r == utf8.RuneError:
		return ' '
	case r == 0xad: // soft hyphen
		return leftOut
	case r < 0xc0:
		return r
	case r < 0x180:
		return rune(accents[r-0xc0])
	case r >= 0x300 && r < 0x370: // marks without a letter that has them
		return leftOut
	case r >= 0x600 && r < 0x700:
		return foldArabic(r)
	case r >= 0x900 && r < 0x980:
		return foldDevanagari(r)
	case r < 0x2000: // letters: Greek, Cyrillic, Armenian, Vietnamese and others
		return foldLetter(r)
	default:
		return foldWide(r)
	}
}

// foldLetter lowers a letter, where the lower one takes as many bytes.
func foldLetter(r rune) rune {
	if r == 'ё' || r == 'Ё' {
		return 'е'
	}
	if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
		return lower
	}
	return r
}

// foldWide folds typographic quotes, ideographic punctuation and full-width
// forms to ASCII.
func foldWide(r rune) rune {
	switch {
	case r == '\u200c' || r == '\u200d': // joiners
		return leftOut
	case r == '‘' || r == '’':
		return '\''
	case r == '“' || r == '”' || r == '„':
		return '"'
	case r == '。':
		return '.'
	case r == '、':
		return ','
	case r == '\u3000':
		return ' '
	case r >= '！' && r <= '～':
		return foldRune(r - '！' + '!')
	default:
		return r
	}
}
