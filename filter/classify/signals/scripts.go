package signals

// foldArabic leaves out what is written or not as one likes, and makes one of
// the letters that people take for each other.
func foldArabic(r rune) rune {
	switch {
	case r >= '\u064b' && r <= '\u0655', r == '\u0640', r == '\u0670': // vowel signs, lengthening
		return leftOut
	case r == 'أ', r == 'إ', r == 'آ', r == 'ٱ':
		return 'ا'
	case r == 'ى', r == 'ی':
		return 'ي'
	case r == 'ة':
		return 'ه'
	case r == 'ک':
		return 'ك'
	case r == '،':
		return ','
	case r == '؛':
		return ';'
	case r == '؟':
		return '?'
	default:
		return r
	}
}

// foldDevanagari makes one of spellings with and without dots, and a full stop of
// the danda.
func foldDevanagari(r rune) rune {
	switch {
	case r == '\u0964', r == '\u0965': // danda
		return '.'
	case r == '\u093c': // nukta
		return leftOut
	case r == '\u0901': // candrabindu
		return '\u0902'
	case r >= '\u0958' && r <= '\u095f':
		return withoutNukta[r-'\u0958']
	default:
		return r
	}
}

// withoutNukta are the letters under those from U+0958 to U+095F.
var withoutNukta = [...]rune{'\u0915', '\u0916', '\u0917', '\u091c', '\u0921', '\u0922', '\u092b', '\u092f'}
