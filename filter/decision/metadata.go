package decision

import (
	"bytes"
	"encoding/json"
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

// Metadata turns a decision into the struct that Envoy carries as dynamic
// metadata. Names are those of the message; numbers become doubles, as in all
// dynamic metadata.
func Metadata(d *Decision) *structpb.Struct { return structOf(d.ProtoReflect()) }

// FromMetadata reads a decision back from dynamic metadata. Keys that this
// version does not know are skipped, so that replicas of two versions can read
// each other's.
func FromMetadata(metadata *structpb.Struct) (*Decision, error) {
	text, err := protojson.Marshal(metadata)
	if err != nil {
		return nil, fmt.Errorf("read decision metadata: %w", err)
	}
	var d Decision
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read decision metadata: %w", err)
	}
	return &d, nil
}

func structOf(message protoreflect.Message) *structpb.Struct {
	fields := message.Descriptor().Fields()
	out := &structpb.Struct{Fields: make(map[string]*structpb.Value, fields.Len())}
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Message() != nil && !field.IsList() && !message.Has(field) {
			continue
		}
		out.Fields[string(field.Name())] = fieldValue(field, message.Get(field))
	}
	return out
}

func fieldValue(field protoreflect.FieldDescriptor, value protoreflect.Value) *structpb.Value {
	if !field.IsList() {
		return singleValue(field, value)
	}
	list := value.List()
	values := make([]*structpb.Value, list.Len())
	for i := range values {
		values[i] = singleValue(field, list.Get(i))
	}
	return structpb.NewListValue(&structpb.ListValue{Values: values})
}

func singleValue(field protoreflect.FieldDescriptor, value protoreflect.Value) *structpb.Value {
	switch field.Kind() {
	case protoreflect.MessageKind:
		return structpb.NewStructValue(structOf(value.Message()))
	case protoreflect.StringKind:
		return structpb.NewStringValue(value.String())
	case protoreflect.BoolKind:
		return structpb.NewBoolValue(value.Bool())
	case protoreflect.DoubleKind:
		return structpb.NewNumberValue(value.Float())
	case protoreflect.Int32Kind:
		return structpb.NewNumberValue(float64(value.Int()))
	default:
		// The decision has no field of another kind; its test says so.
		panic(fmt.Sprintf("decision: field %s has kind %s, which metadata does not carry", field.FullName(), field.Kind()))
	}
}
