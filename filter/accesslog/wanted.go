package accesslog

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// wanted is what is read of a message: some of its fields, each of them whole or
// in part.
type wanted struct {
	fields map[protowire.Number]*wanted
	// keys is set for the entries of a map, which are messages of a key and a
	// value: which of them are read, and what of them.
	keys parts
}

// parts are fields of a message, or entries of a map, by name.
type parts map[string]*wanted

// whole is wanted with all that is in it.
var whole *wanted

// of wants fields of a message. It panics where the message has no such field.
func of(message proto.Message, inner parts) *wanted {
	fields := message.ProtoReflect().Descriptor().Fields()
	w := &wanted{fields: make(map[protowire.Number]*wanted, len(inner))}
	for name, part := range inner {
		w.fields[fields.ByName(protoreflect.Name(name)).Number()] = part
	}
	return w
}

// entries wants entries of a map.
func entries(values parts) *wanted {
	w := &wanted{keys: make(parts, len(values))}
	for key, value := range values {
		w.keys[key] = &wanted{fields: map[protowire.Number]*wanted{mapKey: whole, mapValue: value}}
	}
	return w
}

// cut appends what is wanted of a message in its wire form. What is no message
// it appends as it is, for whoever reads it to say so.
func (w *wanted) cut(to, message []byte) []byte {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeField(message)
		if size < 0 {
			return append(to, message...)
		}
		part, ok := w.fields[number]
		switch {
		case ok && part != whole && kind == protowire.BytesType:
			to = part.cutField(to, message[:size])
		case ok:
			to = append(to, message[:size]...)
		}
		message = message[size:]
	}
	return to
}

// cutField appends a field with what is wanted of the message that it holds.
func (w *wanted) cutField(to, field []byte) []byte {
	_, _, head := protowire.ConsumeTag(field)
	content, _ := protowire.ConsumeBytes(field[head:])
	if w.keys != nil {
		entry, ok := w.keys[string(keyOf(content))]
		if !ok {
			return to
		}
		w = entry
	}
	to = append(to, field[:head]...)
	begin := len(to) + lengthSize
	to = w.cut(append(to, make([]byte, lengthSize)...), content)
	putLength(to[begin-lengthSize:begin], len(to)-begin)
	return to
}

// The numbers of the fields of a map's entry (protobuf's encoding has it so).
const (
	mapKey   = 1
	mapValue = 2
)

func keyOf(entry []byte) (key []byte) {
	for len(entry) > 0 {
		number, kind, size := protowire.ConsumeField(entry)
		if size < 0 {
			break
		}
		if number == mapKey && kind == protowire.BytesType {
			_, _, head := protowire.ConsumeTag(entry)
			key, _ = protowire.ConsumeBytes(entry[head:])
		}
		entry = entry[size:]
	}
	return key
}

// lengthSize is the size of a length that is written before what it is the
// length of is known: as a varint with zeros at its end, which readers take.
const lengthSize = 5

func putLength(to []byte, length int) {
	for i := range to {
		to[i] = byte(length>>(7*i)&0x7f) | 0x80
	}
	to[len(to)-1] &= 0x7f
}
