package config

import (
	"errors"
	"fmt"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// bounds reports every rule of the schema that a message breaks.
func (p *problems) bounds(message *configv1.Config) {
	err := protovalidate.Validate(message)
	invalid, ok := errors.AsType[*protovalidate.ValidationError](err)
	if !ok {
		if err != nil {
			p.reportf(0, "", "cannot be held against the schema: %v", err)
		}
		return
	}
	for _, violation := range invalid.Violations {
		key := keyOf(violation.Proto.GetField())
		if strings.HasSuffix(violation.Proto.GetRuleId(), ".unique") {
			p.unique(key, violation.FieldValue.List())
			continue
		}
		p.addf(key, "%s", broken(violation))
	}
}

// unique reports the items that a list has twice.
func (p *problems) unique(key string, list protoreflect.List) {
	first := make(map[string]int, list.Len())
	for i := range list.Len() {
		text := list.Get(i).String()
		if earlier, ok := first[text]; ok {
			p.addf(item(key, i), "%s is listed twice, first at %s: keep one", quote(text), item(key, earlier))
			continue
		}
		first[text] = i
	}
}

// keyOf writes the schema's path the way all keys are written.
func keyOf(path *validate.FieldPath) string {
	key := ""
	for _, element := range path.GetElements() {
		key = child(key, element.GetFieldName())
		switch subscript := element.GetSubscript().(type) {
		case *validate.FieldPathElement_Index:
			key = item(key, int(subscript.Index)) //nolint:gosec // an index of a list in memory
		case *validate.FieldPathElement_StringKey:
			key = child(key, subscript.StringKey)
		}
	}
	return key
}

// broken says which rule is broken, with the bound and the value.
func broken(v *protovalidate.Violation) string {
	rule := v.Proto.GetRuleId()
	kind, test, _ := strings.Cut(rule, ".")
	switch {
	case rule == "required" && v.FieldDescriptor == nil:
		return v.Proto.GetMessage()
	case rule == "required":
		return "must be set" + expected(v.FieldDescriptor)
	case v.FieldValue.IsValid() && v.FieldValue.Interface() == "":
		return "must not be empty"
	case test == "in":
		return fmt.Sprintf("must be %s (is %s)", either(words(v.RuleValue.List())), shown(v.FieldValue))
	case test == "max_len":
		return fmt.Sprintf("must have at most %v characters (has %d)", v.RuleValue, len([]rune(v.FieldValue.String())))
	case test == "min_items":
		return "must have at least one item"
	case test == "max_items":
		return fmt.Sprintf("must have at most %v items (has %d)", v.RuleValue, v.FieldValue.List().Len())
	case kind == "int32" || kind == "double":
		return fmt.Sprintf("must be %s (is %s)", strings.TrimPrefix(rangeOf(v.FieldDescriptor), "of "), shown(v.FieldValue))
	default:
		return fmt.Sprintf("%s (is %s)", v.Proto.GetMessage(), shown(v.FieldValue))
	}
}

func shown(value protoreflect.Value) string {
	switch value := value.Interface().(type) {
	case string:
		return quote(value)
	case float64:
		return printable(decimal(value))
	case protoreflect.Message:
		if duration, ok := value.Interface().(*durationpb.Duration); ok {
			return duration.AsDuration().String()
		}
		return fmt.Sprint(value)
	default:
		return fmt.Sprint(value)
	}
}

// words are a list's texts; the empty text, which means "not set", is none.
func words(list protoreflect.List) []string {
	var texts []string
	for i := range list.Len() {
		if text := list.Get(i).String(); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// expected says what a missing value should be, as far as the schema knows.
func expected(field protoreflect.FieldDescriptor) string {
	if allowed := ruleOf(field, "in"); allowed.IsValid() {
		return " to " + either(words(allowed.List()))
	}
	if ruleOf(field, "gte").IsValid() {
		return " to " + kinds[field.Kind()].words + " " + rangeOf(field)
	}
	return ""
}

// rangeOf words the bounds of a number.
func rangeOf(field protoreflect.FieldDescriptor) string {
	low, high := ruleOf(field, "gte"), ruleOf(field, "lte")
	if !high.IsValid() {
		return "of at least " + shown(low)
	}
	return "from " + shown(low) + " to " + shown(high)
}

// ruleOf is the value of one of a field's rules. It is invalid where the field
// has no such rule.
func ruleOf(field protoreflect.FieldDescriptor, name protoreflect.Name) protoreflect.Value {
	rules, err := protovalidate.ResolveFieldRules(field)
	if err != nil || rules == nil {
		return protoreflect.Value{}
	}
	all := rules.ProtoReflect()
	kind := all.WhichOneof(all.Descriptor().Oneofs().ByName("type"))
	if kind == nil {
		return protoreflect.Value{}
	}
	ofKind := all.Get(kind).Message()
	rule := ofKind.Descriptor().Fields().ByName(name)
	if rule == nil || !ofKind.Has(rule) {
		return protoreflect.Value{}
	}
	return ofKind.Get(rule)
}
