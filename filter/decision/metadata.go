package decision

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"
)

// JSON writes a message the way all of pointsman's output does: snake_case
// names, zeros and empty strings written, no insignificant white space.
func JSON(message proto.Message) ([]byte, error) {
	loose, err := protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: true}.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("marshal %s: %w", message.ProtoReflect().Descriptor().Name(), err)
	}
	// protojson varies its white space on purpose; output that people diff
	// must not.
	var compact bytes.Buffer
	if err := json.Compact(&compact, loose); err != nil {
		return nil, fmt.Errorf("compact %s: %w", message.ProtoReflect().Descriptor().Name(), err)
	}
	return compact.Bytes(), nil
}

// Packed is the key under which metadata holds the whole decision: the message in
// protobuf's binary form, in base64.
const Packed = "packed"

// maxPacked bounds what is read as a decision, in bytes. One over the largest
// catalogue, 1,000 models that are each refused with a reason, stays below it.
const maxPacked = 1 << 20

// Metadata is a decision as Envoy carries it in dynamic metadata, under Namespace:
// a google.protobuf.Struct in its wire form. For Envoy's formatters, filters and
// rate limits it has what was decided, about whom and what it saves, under the
// names of the fields; numbers are doubles there, and what is empty or zero is left
// out, but for what IsCounted. The whole decision is packed into one text: Envoy
// copies metadata several times, value by value.
func Metadata(d *Decision) []byte {
	const usual = 2048 // bytes
	values := appendValues(make([]byte, 0, usual), d)
	return appendStruct(make([]byte, 0, len(values)+len(Namespace)+structHead), Namespace, values)
}

func appendValues(wire []byte, d *Decision) []byte {
	message := d.ProtoReflect()
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		if field := fields.Get(i); IsCounted(field.TextName(), d.GetBytesSaved() > 0) || isPlain(field.TextName()) && message.Has(field) {
			wire = appendValue(wire, field, message.Get(field))
		}
	}
	whole, err := proto.Marshal(d)
	if err != nil {
		panic(fmt.Sprintf("decision: %v", err)) // texts are UTF-8 wherever they come from
	}
	wire = appendTextHead(wire, Packed, base64.StdEncoding.EncodedLen(len(whole)))
	return base64.StdEncoding.AppendEncode(wire, whole)
}

func isPlain(field string) bool {
	switch field {
	case "id", "requested_model", "virtual_model", "mode", "would_select", "hinted", "difficulty", "confidence",
		"pruned_tokens", "principal", "session", "expected_cost":
		return true
	default:
		return false
	}
}

func appendValue(wire []byte, field protoreflect.FieldDescriptor, value protoreflect.Value) []byte {
	switch field.Kind() {
	case protoreflect.StringKind:
		return appendText(wire, field.TextName(), value.String())
	case protoreflect.DoubleKind:
		return appendNumber(wire, field.TextName(), value.Float())
	case protoreflect.Int32Kind:
		return appendNumber(wire, field.TextName(), float64(value.Int()))
	default:
		// No field that is carried has another kind; a test says so.
		panic(fmt.Sprintf("decision: field %s has kind %s, which metadata does not carry", field.FullName(), field.Kind()))
	}
}

// IsCounted reports whether Envoy's counters take a value or a tag from a field
// of a request that was, or was not, pruned. Where one of those is missing Envoy
// complains and counts nothing.
func IsCounted(field string, pruned bool) bool {
	switch field {
	case "model", "tier", "category", "source", "prompt_tokens":
		return true
	case "tokens_saved", "bytes_saved", "replaced", "trimmed":
		return pruned
	default:
		return false
	}
}

// FromMetadata reads a decision back from the metadata under Namespace. What this
// version does not know is skipped, so that replicas of two versions can read
// each other's.
func FromMetadata(metadata *structpb.Struct) (*Decision, error) {
	d, err := unpack(metadata.GetFields()[Packed].GetStringValue())
	if err != nil {
		return nil, fmt.Errorf("read decision metadata: %s %w", Packed, err)
	}
	return d, nil
}

func unpack(text string) (*Decision, error) {
	switch {
	case text == "":
		return nil, errors.New("is missing")
	case len(text) > maxPacked:
		return nil, fmt.Errorf("has %d bytes, at most %d", len(text), maxPacked)
	}
	wire, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("is no base64: %w", err)
	}
	d := new(Decision)
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(wire, d); err != nil {
		return nil, fmt.Errorf("is no decision: %w", err)
	}
	return d, nil
}
