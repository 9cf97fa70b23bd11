package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// parse turns text into the tree of its one document, or reports why there is
// none.
func (p *problems) parse(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		p.reportf(0, "", "must have at most %d bytes", maxBytes)
		return nil
	}
	if line, message := unreadable(data); message != "" {
		p.reportf(line, "", "%s", message)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		p.reportf(0, "", "holds no configuration: at least default_model and models must be set")
		return nil
	}
	if err == nil {
		err = decoder.Decode(&second)
	}
	switch {
	case err == nil:
		p.reportf(second.Line, "", "begins a second YAML document: keep one document in the file")
	case !errors.Is(err, io.EOF):
		line, message := explainSyntax(err, string(data))
		p.reportf(line, "", "%s", message)
	default:
		root := document.Content[0]
		p.lines[""] = root.Line
		return root
	}
	return nil
}

// unreadable finds the first byte that no configuration holds. The YAML library
// refuses such text too, but does not say where.
func unreadable(data []byte) (line int, message string) {
	at := bytes.IndexFunc(data, func(char rune) bool {
		return char == utf8.RuneError || unicode.IsControl(char) && !strings.ContainsRune("\t\n\r\u0085", char)
	})
	if at < 0 {
		return 0, ""
	}
	line = 1 + bytes.Count(data[:at], []byte("\n"))
	char, _ := utf8.DecodeRune(data[at:])
	if char == utf8.RuneError {
		return line, "is not UTF-8 text, or lost characters when it was converted: save the file as UTF-8"
	}
	return line, fmt.Sprintf("holds the control character %U: remove it", char)
}

// syntaxHint says what to do about one of the YAML library's messages.
type syntaxHint struct {
	message string
	// parser: the message comes from the library's parser, not its scanner. Its
	// line is then that of the enclosing list or section, counted from 0, and
	// left out where that is 0.
	parser bool
	hint   string
}

var syntaxHints = []syntaxHint{
	{"found character that cannot start any token", false, "put a value that begins with @, ` or % in quotes"},
	{"mapping values are not allowed in this context", false, "check the indentation, and put a value with a colon and a space in quotes"},
	{"could not find expected ':'", false, "write key: value, with a colon and a space"},
	{"found unexpected end of stream", false, "close the quotes"},
	{"found unknown escape character", false, `use single quotes, or write a backslash as \\`},
	{"block sequence entries are not allowed in this context", false, "begin the list on a line of its own"},
	{"did not find expected key", true, "check the indentation of the section that begins here, and its quotes and brackets"},
	{"did not find expected '-' indicator", true, "check the indentation of the list that begins here"},
	{"did not find expected ',' or ']'", true, "close with ] the list that begins on this line or above"},
	{"did not find expected ',' or '}'", true, "close with } the section that begins on this line or above"},
	{"did not find expected node content", true, "a value is missing between two commas or brackets"},
	{"did not find expected <document start>", true, "the document has ended before this line"},
}

var syntaxError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// explainSyntax turns an error of the YAML library into a line and a message.
func explainSyntax(err error, text string) (line int, message string) {
	parts := syntaxError.FindStringSubmatch(err.Error())
	if parts == nil {
		return 0, err.Error()
	}
	line, _ = strconv.Atoi(parts[1]) // empty where the library names no line
	message = parts[2]
	if anchor, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		anchor, _, _ = strings.Cut(anchor, "'")
		before, _, _ := strings.Cut(text, "*"+anchor)
		return 1 + strings.Count(before, "\n"), "is not YAML: " + message + ": put a value that begins with * in quotes"
	}
	for _, known := range syntaxHints {
		if known.message != message {
			continue
		}
		switch {
		case known.parser:
			line++
		case line == 0:
			line = 1 // the library leaves the first line out
		}
		return line, "is not YAML: " + message + ": " + hint(known, text, line)
	}
	return line, "is not YAML: " + message
}

// hint is what to do about a syntax error, which in a line that is indented
// with tabs is always the same.
func hint(known syntaxHint, text string, line int) string {
	lines := strings.Split(text, "\n")
	if line > len(lines) {
		return known.hint
	}
	indent := lines[line-1][:len(lines[line-1])-len(strings.TrimLeft(lines[line-1], " \t"))]
	if !known.parser && strings.Contains(indent, "\t") {
		return "indent with spaces, not with tabs"
	}
	return known.hint
}
