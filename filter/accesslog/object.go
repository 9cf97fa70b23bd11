package accesslog

import (
	"go.uber.org/zap/zapcore"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// object writes a message as decision.JSON does, straight into the log's
// encoder: snake_case names, every field, null for messages that are not set.
type object struct{ protoreflect.Message }

// MarshalLogObject adds every field.
func (o object) MarshalLogObject(to zapcore.ObjectEncoder) error {
	fields := o.Descriptor().Fields()
	for i := range fields.Len() {
		if err := o.add(to, fields.Get(i)); err != nil {
			return err
		}
	}
	return nil
}

func (o object) add(to zapcore.ObjectEncoder, field protoreflect.FieldDescriptor) error {
	name, value := string(field.Name()), o.Get(field)
	switch {
	case field.IsList():
		return to.AddArray(name, list{field, value.List()})
	case field.Message() != nil && !o.Has(field):
		return to.AddReflected(name, nil)
	case field.Message() != nil:
		return addMessage(to, name, value.Message())
	}
	switch field.Kind() {
	case protoreflect.StringKind:
		to.AddString(name, value.String())
	case protoreflect.BoolKind:
		to.AddBool(name, value.Bool())
	case protoreflect.Int32Kind:
		to.AddInt32(name, int32(value.Int())) //nolint:gosec // its kind says so
	case protoreflect.DoubleKind:
		to.AddFloat64(name, value.Float())
	default:
		return to.AddReflected(name, value.Interface())
	}
	return nil
}

func addMessage(to zapcore.ObjectEncoder, name string, message protoreflect.Message) error {
	if time, ok := message.Interface().(*timestamppb.Timestamp); ok {
		to.AddTime(name, time.AsTime())
		return nil
	}
	return to.AddObject(name, object{message})
}

// list is a repeated field, of messages or of strings.
type list struct {
	field  protoreflect.FieldDescriptor
	values protoreflect.List
}

// MarshalLogArray appends every element.
func (l list) MarshalLogArray(to zapcore.ArrayEncoder) error {
	for i := range l.values.Len() {
		element := l.values.Get(i)
		if l.field.Message() == nil {
			to.AppendString(element.String())
		} else if err := to.AppendObject(object{element.Message()}); err != nil {
			return err
		}
	}
	return nil
}
