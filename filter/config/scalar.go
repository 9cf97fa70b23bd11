package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scalar reads a single value of the kind that the schema asks for.
func (p *problems) scalar(node *yaml.Node, key string, field protoreflect.FieldDescriptor) (value protoreflect.Value, ok bool) {
	if node.Kind != yaml.ScalarNode {
		p.add(key, "must be %s (is %s)", kindWords[field.Kind()], describe(node))
		return value, false
	}
	switch field.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(node.Value), true
	case protoreflect.BoolKind:
		return p.boolean(node, key)
	case protoreflect.Int32Kind:
		return p.integer(node, key, field)
	case protoreflect.DoubleKind:
		return p.number(node, key)
	default:
		// The schema has no field of another kind; a test says so.
		panic(fmt.Sprintf("config: %s has a kind that files do not carry: %s", field.FullName(), field.Kind()))
	}
}

var kindWords = map[protoreflect.Kind]string{
	protoreflect.StringKind: "text",
	protoreflect.BoolKind:   "true or false",
	protoreflect.Int32Kind:  "a whole number",
	protoreflect.DoubleKind: "a number",
}

func (p *problems) boolean(node *yaml.Node, key string) (protoreflect.Value, bool) {
	value, err := strconv.ParseBool(strings.ToLower(node.Value))
	if node.ShortTag() != "!!bool" || err != nil {
		p.add(key, "must be true or false%s (is %s)", unquoted(node, err), describe(node))
		return protoreflect.Value{}, false
	}
	return protoreflect.ValueOfBool(value), true
}

func (p *problems) integer(node *yaml.Node, key string, field protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	value, err := strconv.ParseInt(strings.ReplaceAll(node.Value, "_", ""), 10, 32)
	if errors.Is(err, strconv.ErrRange) {
		p.add(key, "must be %s (is %s)", wholeRange(field), printable(node.Value))
		return protoreflect.Value{}, false
	}
	if node.ShortTag() != "!!int" || err != nil {
		p.add(key, "must be a whole number in digits%s (is %s)", unquoted(node, err), describe(node))
		return protoreflect.Value{}, false
	}
	return protoreflect.ValueOfInt32(int32(value)), true
}

// wholeRange words the bounds of a whole number, whose upper one is that of 32
// bits where the schema names none.
func wholeRange(field protoreflect.FieldDescriptor) string {
	if ruleOf(field, "lte").IsValid() {
		return rangeOf(field)
	}
	return fmt.Sprintf("from %s to %d", shown(ruleOf(field, "gte")), math.MaxInt32)
}

func (p *problems) number(node *yaml.Node, key string) (protoreflect.Value, bool) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(node.Value, "_", ""), 64)
	if tag := node.ShortTag(); tag != "!!int" && tag != "!!float" || err != nil {
		p.add(key, "must be a number in digits%s (is %s)", unquoted(node, err), describe(node))
		return protoreflect.Value{}, false
	}
	return protoreflect.ValueOfFloat64(value), true
}

// unquoted adds what to do about a value that is right but for its quotes.
func unquoted(node *yaml.Node, err error) string {
	if err == nil && node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return ", without quotes"
	}
	return ""
}

func visible(char rune) rune {
	if unicode.IsPrint(char) {
		return char
	}
	return '\uFFFD'
}
