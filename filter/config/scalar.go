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

// kind is a kind of single value that the schema has; a test says that it has
// no other.
type kind struct {
	words string
	read  func(*problems, *yaml.Node, string, protoreflect.FieldDescriptor) (protoreflect.Value, bool)
}

var kinds = map[protoreflect.Kind]kind{
	protoreflect.StringKind: {"text", (*problems).text},
	protoreflect.BoolKind:   {"true or false", (*problems).boolean},
	protoreflect.Int32Kind:  {"a whole number", (*problems).integer},
	protoreflect.DoubleKind: {"a number", (*problems).number},
}

// scalar reads a single value of the kind that the schema asks for, or reports
// why it cannot.
func (p *problems) scalar(node *yaml.Node, key string, field protoreflect.FieldDescriptor) (value protoreflect.Value, ok bool) {
	wanted := kinds[field.Kind()]
	if node.Kind != yaml.ScalarNode {
		p.addf(key, "must be %s (is %s)", wanted.words, describe(node))
		return value, false
	}
	return wanted.read(p, node, key, field)
}

func (p *problems) text(node *yaml.Node, _ string, _ protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	return protoreflect.ValueOfString(node.Value), true
}

func (p *problems) boolean(node *yaml.Node, key string, _ protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	value, err := strconv.ParseBool(strings.ToLower(node.Value))
	if node.ShortTag() != tagBool || err != nil {
		p.addf(key, "must be true or false%s (is %s)", unquoted(node, err), describe(node))
		return protoreflect.Value{}, false
	}
	return protoreflect.ValueOfBool(value), true
}

func (p *problems) integer(node *yaml.Node, key string, field protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	value, err := strconv.ParseInt(strings.ReplaceAll(node.Value, "_", ""), 10, 32)
	if errors.Is(err, strconv.ErrRange) {
		p.addf(key, "must be %s (is %s)", wholeRange(field), printable(node.Value))
		return protoreflect.Value{}, false
	}
	if node.ShortTag() != tagInt || err != nil {
		p.addf(key, "must be a whole number in digits%s (is %s)", unquoted(node, err), describe(node))
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

func (p *problems) number(node *yaml.Node, key string, _ protoreflect.FieldDescriptor) (protoreflect.Value, bool) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(node.Value, "_", ""), 64)
	if tag := node.ShortTag(); tag != tagInt && tag != tagFloat || err != nil {
		p.addf(key, "must be a number in digits%s (is %s)", unquoted(node, err), describe(node))
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
