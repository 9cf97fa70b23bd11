package config

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
)

// YAML's names for what a value is.
const (
	tagText  = "!!str"
	tagInt   = "!!int"
	tagFloat = "!!float"
	tagBool  = "!!bool"
	tagNull  = "!!null"
	tagMerge = "!!merge"
)

// message fills a message from a section, by the schema alone, and notes the
// line of every key. A key without a value is left out.
func (p *problems) message(node *yaml.Node, key string, into protoreflect.Message) {
	if !p.supported(node, key) || isNull(node) {
		return
	}
	if node.Kind == yaml.ScalarNode && into.Descriptor().FullName() == durationName {
		p.duration(node, key, into)
		return
	}
	if node.Kind != yaml.MappingNode {
		p.addf(key, "must be a section with keys of its own (is %s)", describe(node))
		return
	}
	for name, value := range p.entries(node, key) {
		path := child(key, name)
		field := into.Descriptor().Fields().ByName(protoreflect.Name(name))
		if field == nil {
			p.unknown(path, name, into.Descriptor())
			continue
		}
		p.field(value, path, field, into)
	}
}

// entries yields the keys of a section, as a line can show them, with their
// values, each key once.
func (p *problems) entries(node *yaml.Node, key string) func(yield func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		seen := make(map[string]bool, len(node.Content)/2)
		for i := 0; i+1 < len(node.Content); i += 2 {
			name, value := node.Content[i], node.Content[i+1]
			shown := printable(name.Value)
			path := child(key, shown)
			switch {
			case name.Kind != yaml.ScalarNode || name.ShortTag() == tagMerge:
				p.reportf(name.Line, key, "holds a key that is no plain name: YAML's complex keys and << are not supported")
			case seen[name.Value]:
				p.reportf(name.Line, path, "is here twice, first on line %d: keep one", p.lines[path])
			default:
				seen[name.Value] = true
				p.lines[path] = name.Line
				if !yield(shown, value) {
					return
				}
			}
		}
	}
}

func (p *problems) field(node *yaml.Node, key string, field protoreflect.FieldDescriptor, into protoreflect.Message) {
	switch {
	case !p.supported(node, key):
	case field.IsMap():
		p.stringMap(node, key, into.Mutable(field).Map())
	case field.IsList():
		p.items(node, key, field, into.Mutable(field).List())
	case field.Message() != nil && isNull(node):
		if !alwaysInForce(field) {
			p.addf(key, "has no value: fill the section in, or remove the key (an empty section is {})")
		}
	case field.Message() != nil:
		if p.alone(key, field, into) {
			p.message(node, key, into.Mutable(field).Message())
		}
	case !isNull(node) && p.alone(key, field, into):
		if value, ok := p.scalar(node, key, field); ok {
			into.Set(field, value)
		}
	}
}

// alone reports whether no other field of the field's oneof is set.
func (p *problems) alone(key string, field protoreflect.FieldDescriptor, into protoreflect.Message) bool {
	oneof := field.ContainingOneof()
	if oneof == nil {
		return true
	}
	other := into.WhichOneof(oneof)
	if other != nil {
		p.addf(key, "cannot stand beside %s: keep one of them", other.Name())
	}
	return other == nil
}

func (p *problems) items(node *yaml.Node, key string, field protoreflect.FieldDescriptor, into protoreflect.List) {
	if isNull(node) {
		return
	}
	if node.Kind != yaml.SequenceNode {
		p.addf(key, "must be a list (is %s)", describe(node))
		return
	}
	for i, element := range node.Content {
		path := item(key, i)
		p.lines[path] = element.Line
		value := into.NewElement()
		switch {
		case isNull(element):
			p.addf(path, "is an item without a value: fill it in, or remove it")
		case field.Message() != nil:
			p.message(element, path, value.Message())
		case p.supported(element, path):
			if scalar, ok := p.scalar(element, path, field); ok {
				value = scalar
			}
		}
		into.Append(value) // also where it has a problem, so that later items keep their place
	}
}

// stringMap fills a map of text to text, the only kind that the schema has.
func (p *problems) stringMap(node *yaml.Node, key string, into protoreflect.Map) {
	if isNull(node) {
		return
	}
	if node.Kind != yaml.MappingNode {
		p.addf(key, "must be a section of names and values (is %s)", describe(node))
		return
	}
	for name, value := range p.entries(node, key) {
		path := child(key, name)
		switch {
		case !p.supported(value, path):
		case value.Kind != yaml.ScalarNode || isNull(value):
			p.addf(path, "must be text (is %s)", describe(value))
		default:
			into.Set(protoreflect.ValueOfString(name).MapKey(), protoreflect.ValueOfString(value.Value))
		}
	}
}

var durationName = (*durationpb.Duration)(nil).ProtoReflect().Descriptor().FullName()

func (p *problems) duration(node *yaml.Node, key string, into protoreflect.Message) {
	parsed, err := time.ParseDuration(node.Value)
	if err != nil {
		p.addf(key, "must be a duration such as 1.5s or 300ms (is %s)", describe(node))
		return
	}
	proto.Merge(into.Interface(), durationpb.New(parsed))
}

// supported refuses what YAML can do and a configuration does not need. An
// alias is a value that stands elsewhere: with nested ones, a short file can
// stand for a huge one.
func (p *problems) supported(node *yaml.Node, key string) bool {
	if node.Kind == yaml.AliasNode {
		p.addf(key, "YAML aliases (*%s) are not supported: write the value out", printable(node.Value))
		return false
	}
	switch tag := node.ShortTag(); tag {
	case tagText, tagInt, tagFloat, tagBool, tagNull, "!!timestamp", tagMerge, "!!map", "!!seq":
		return true
	default:
		p.addf(key, "YAML tags (%s) are not supported: write the value without it", printable(tag))
		return false
	}
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.ShortTag() == tagNull }

// describe names what stands where something else should.
func describe(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case node.Kind == yaml.MappingNode:
		return "a section"
	case isNull(node):
		return "empty"
	case node.ShortTag() == tagText:
		return quote(node.Value)
	default:
		return printable(node.Value)
	}
}

// maxShown bounds what a message shows of a value, in characters.
const maxShown = 80

func quote(text string) string { return `"` + printable(text) + `"` }

// printable is text as one line shows it.
func printable(text string) string {
	shown := []rune(strings.Map(visible, text))
	if len(shown) > maxShown {
		return string(shown[:maxShown]) + "..."
	}
	return string(shown)
}
