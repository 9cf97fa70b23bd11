package decision

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"

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

// packed is the key under which metadata holds what is no plain value. As values
// of their own, the candidates and facts of a request would be three times as
// many as all the others, and Envoy copies each several times (measured: that
// cost Envoy a fifth of its CPU, and pointsman a quarter).
const packed = "packed"

// Metadata turns a decision into the struct that Envoy carries as dynamic
// metadata. Plain values stand under the names of the message's fields; numbers
// are doubles, as in all dynamic metadata. Lists and messages stand together
// under "packed": a Decision with nothing else, in protobuf's binary form and
// base64.
func Metadata(d *Decision) *structpb.Struct {
	message, rest := d.ProtoReflect(), new(Decision)
	fields := message.Descriptor().Fields()
	out := &structpb.Struct{Fields: make(map[string]*structpb.Value, fields.Len())}
	for i := range fields.Len() {
		field := fields.Get(i)
		if isPlain(field) {
			out.Fields[string(field.Name())] = plainValue(field, message.Get(field))
		} else if message.Has(field) {
			rest.ProtoReflect().Set(field, message.Get(field))
		}
	}
	wire, err := proto.Marshal(rest)
	if err != nil {
		panic(fmt.Sprintf("decision: %v", err)) // texts are UTF-8 wherever they come from
	}
	out.Fields[packed] = structpb.NewStringValue(base64.StdEncoding.EncodeToString(wire))
	return out
}

func isPlain(field protoreflect.FieldDescriptor) bool {
	return field.Message() == nil && !field.IsList()
}

func plainValue(field protoreflect.FieldDescriptor, value protoreflect.Value) *structpb.Value {
	switch field.Kind() {
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

// FromMetadata reads a decision back from dynamic metadata. Keys that this
// version does not know are skipped, so that replicas of two versions can read
// each other's.
func FromMetadata(metadata *structpb.Struct) (*Decision, error) {
	d := new(Decision)
	if err := unpack(d, metadata.GetFields()[packed].GetStringValue()); err != nil {
		return nil, fmt.Errorf("read decision metadata: packed: %w", err)
	}
	message := d.ProtoReflect()
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		value := metadata.GetFields()[string(field.Name())]
		if value == nil || !isPlain(field) {
			continue
		}
		plain, ok := fromPlain(field, value)
		if !ok {
			return nil, fmt.Errorf("read decision metadata: %s is %v, which is no %s", field.Name(), value, field.Kind())
		}
		message.Set(field, plain)
	}
	return d, nil
}

func unpack(d *Decision, text string) error {
	wire, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(wire, d)
}

func fromPlain(field protoreflect.FieldDescriptor, value *structpb.Value) (plain protoreflect.Value, ok bool) {
	switch held := value.GetKind().(type) {
	case *structpb.Value_StringValue:
		return protoreflect.ValueOfString(held.StringValue), field.Kind() == protoreflect.StringKind
	case *structpb.Value_BoolValue:
		return protoreflect.ValueOfBool(held.BoolValue), field.Kind() == protoreflect.BoolKind
	case *structpb.Value_NumberValue:
		return fromNumber(field, held.NumberValue)
	default:
		return plain, false
	}
}

func fromNumber(field protoreflect.FieldDescriptor, number float64) (plain protoreflect.Value, ok bool) {
	switch field.Kind() {
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(number), true
	case protoreflect.Int32Kind:
		whole := int32(min(max(number, math.MinInt32), math.MaxInt32))
		return protoreflect.ValueOfInt32(whole), float64(whole) == number
	default:
		return plain, false
	}
}
