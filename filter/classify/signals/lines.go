package signals

import "strings"

// lineKind is what a line of a message looks like.
type lineKind uint8

const (
	proseLine lineKind = iota
	blankLine
	fenceLine // opens or closes a block of code
	codeLine
	traceLine // of a stack trace, or an error that a program printed
	logLine
	diffLine
	fileLine   // names a file of a diff
	bulletLine // an item of a list
	optionLine // an answer of a multiple-choice question
)

// kindOf tells what a line looks like, by its beginning and its punctuation.
// It looks at no more than its first 400 bytes.
func kindOf(line string) lineKind {
	line = strings.TrimSpace(line[:min(len(line), 400)])
	switch {
	case line == "":
		return blankLine
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		return fenceLine
	case hasAnyPrefix(line, "diff --git ", "+++ ", "--- a/"):
		return fileLine
	case hasAnyPrefix(line, "@@ -", "index "):
		return diffLine
	case isTrace(line):
		return traceLine
	case isLog(line):
		return logLine
	case isBullet(line):
		return bulletLine
	case isOption(line):
		return optionLine
	case isCode(line):
		return codeLine
	default:
		return proseLine
	}
}

func hasAnyPrefix(line string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

func containsAny(line string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// isTrace knows the stack traces and compiler messages of common languages.
func isTrace(line string) bool {
	if hasAnyPrefix(line, "Traceback (", "File \"", "goroutine ", "panic: ", "Caused by: ", "Exception in ", "thread '", "stack backtrace") {
		return true
	}
	if strings.HasPrefix(line, "at ") {
		return strings.ContainsAny(line, "(") && strings.ContainsAny(line, ":.")
	}
	first, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasSuffix(first, "Error:"), strings.HasSuffix(first, "Exception:"), strings.HasPrefix(first, "error["):
		return true
	case strings.Count(first, ":") >= 2 && strings.ContainsAny(first, "./"): // file:line:column:
		return rest != "" && strings.ContainsAny(first, "0123456789")
	default:
		return strings.HasPrefix(line, "/") && strings.Contains(rest, "+0x")
	}
}

// isLog knows lines that begin with a time or a level.
func isLog(line string) bool {
	if hasAnyPrefix(line, "INFO", "WARN", "ERROR", "DEBUG", "FATAL", "TRACE", "[INFO", "[WARN", "[ERROR", "[DEBUG", "level=") {
		return true
	}
	stamp := strings.TrimLeft(line, "[")
	if len(stamp) < 8 || !digit(stamp[0]) || !digit(stamp[1]) {
		return false
	}
	clock := stamp[2] == ':' && digit(stamp[3]) && stamp[5] == ':'
	date := digit(stamp[3]) && stamp[4] == '-' && digit(stamp[5]) && stamp[7] == '-'
	return clock || date
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// isBullet knows items marked by a bullet or a number.
func isBullet(line string) bool {
	if hasAnyPrefix(line, "- ", "* ", "• ", "– ", "– ", "+ ") {
		return true
	}
	digits := 0
	for digits < len(line) && digits < 3 && digit(line[digits]) {
		digits++
	}
	return digits > 0 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' '
}

// isOption knows "A. first answer" and "(b) second answer".
func isOption(line string) bool {
	line = strings.TrimLeft(line, "(")
	return len(line) > 2 && line[0]|0x20 >= 'a' && line[0]|0x20 <= 'j' && (line[1] == '.' || line[1] == ')') && line[2] == ' '
}

// codeStarts begin statements in common languages.
var codeStarts = []string{
	"def ", "func ", "fn ", "import ", "from ", "const ", "let ", "var ", "public ", "private ", "static ", "class ", "struct ",
	"return ", "if (", "if not ", "for (", "for i ", "while ", "else", "elif ", "try:", "except ", "#include", "#define", "using ",
	"package ", "select ", "SELECT ", "INSERT ", "CREATE TABLE", "<html", "<div", "</", "$ ", ">>> ", "@", "export ", "async ", "#!/", "//",
}

// isCode weighs punctuation. Lines of formulas are none: they are in words.
func isCode(line string) bool {
	if strings.ContainsAny(line, "$\\") && !strings.HasPrefix(line, "$ ") {
		return false
	}
	marks := 0
	for i := range len(line) {
		if strings.IndexByte("{}();=<>[]|&_\"", line[i]) >= 0 {
			marks++
		}
	}
	ending := line[len(line)-1]
	switch {
	case ending == ';' || ending == '{' || line == "}" || line == "})" || line == ")":
		return true
	case hasAnyPrefix(line, codeStarts...):
		return marks > 0 && marks*25 >= len(line)
	default:
		return marks >= 4 && marks*7 >= len(line) && containsAny(line, "{", "}", ";", "()", "==", "+=", ":=", "=>", "](")
	}
}
