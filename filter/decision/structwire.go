package decision

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields of struct.proto.
const (
	structFields = 1
	entryKey     = 1
	entryValue   = 2
	numberValue  = 2
	textValue    = 3
	structValue  = 5
)

// structHead is the most that appendStruct puts before a Struct, in bytes, but
// for the name: four tags, three lengths below 256 MiB and that of the name.
const structHead = 4 + 3*4 + 1

// appendText appends a field with a text to a Struct's wire form.
func appendText(wire []byte, name, text string) []byte {
	return append(appendTextHead(wire, name, len(text)), text...)
}

// appendTextHead appends a field up to its text, of which it is given the size.
func appendTextHead(wire []byte, name string, size int) []byte {
	wire = appendEntry(wire, name, protowire.SizeTag(textValue)+protowire.SizeBytes(size))
	wire = protowire.AppendTag(wire, textValue, protowire.BytesType)
	return protowire.AppendVarint(wire, uint64(size)) //nolint:gosec // a length
}

func appendNumber(wire []byte, name string, number float64) []byte {
	wire = appendEntry(wire, name, protowire.SizeTag(numberValue)+protowire.SizeFixed64())
	wire = protowire.AppendTag(wire, numberValue, protowire.Fixed64Type)
	return protowire.AppendFixed64(wire, math.Float64bits(number))
}

// appendStruct appends a field with a Struct that is given by its wire form.
func appendStruct(wire []byte, name string, inner []byte) []byte {
	wire = appendEntry(wire, name, protowire.SizeTag(structValue)+protowire.SizeBytes(len(inner)))
	wire = protowire.AppendTag(wire, structValue, protowire.BytesType)
	return protowire.AppendBytes(wire, inner)
}

// appendEntry appends a field up to its value, of which it is given the size.
func appendEntry(wire []byte, name string, valueSize int) []byte {
	size := protowire.SizeTag(entryKey) + protowire.SizeBytes(len(name)) +
		protowire.SizeTag(entryValue) + protowire.SizeBytes(valueSize)
	wire = protowire.AppendTag(wire, structFields, protowire.BytesType)
	wire = protowire.AppendVarint(wire, uint64(size)) //nolint:gosec // a length
	wire = protowire.AppendTag(wire, entryKey, protowire.BytesType)
	wire = protowire.AppendString(wire, name)
	wire = protowire.AppendTag(wire, entryValue, protowire.BytesType)
	return protowire.AppendVarint(wire, uint64(valueSize)) //nolint:gosec // a length
}
