package extproc

import (
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Codec is how the gRPC server of a Server must read and write messages. It has
// those with an Unmarshal or a Marshal of their own do it themselves, and leaves
// others to gRPC's own codec.
//
// A body is copied once on its way through, out of the frames that it comes in:
// it is read where it then stands, and sent from there, with what is put in
// between. Left to gRPC and protobuf it would be copied four times.
func Codec() encoding.CodecV2 { return codec{encoding.GetCodecV2(grpcproto.Name)} }

type codec struct{ encoding.CodecV2 }

// Unmarshal reads a message.
func (c codec) Unmarshal(data mem.BufferSlice, message any) error {
	if m, ok := message.(interface {
		Unmarshal(data mem.BufferSlice) error
	}); ok {
		return m.Unmarshal(data)
	}
	return c.CodecV2.Unmarshal(data, message)
}

// Marshal writes a message.
func (c codec) Marshal(message any) (mem.BufferSlice, error) {
	if m, ok := message.(*sent); ok {
		return m.marshal()
	}
	return c.CodecV2.Marshal(message)
}

// received is a message of Envoy's. Of one with a body only that is read.
type received struct {
	extprocv3.ProcessingRequest

	head *head // nil where the message has none
	body *body // likewise
	// budget is what the message is counted in; nil where it is not. full is set
	// where there was no room in it, and the message is not read.
	budget *budget
	full   bool
}

// Unmarshal reads a message.
func (m *received) Unmarshal(data mem.BufferSlice) error {
	if m.budget != nil && !m.budget.take(data.Len(), 0) {
		m.full = true
		return nil
	}
	message := m.copied(data)
	if found, ok := findBody(message.ReadOnlyData()); ok {
		m.body = &body{found, message}
		return nil
	}
	defer message.Free()
	rest := message.ReadOnlyData()
	if found, ok := findHead(rest); ok {
		m.head = found
		rest = without(rest, requestHeaders)
	}
	return proto.Unmarshal(rest, &m.ProcessingRequest)
}

// copied is the message in one piece.
func (m *received) copied(data mem.BufferSlice) mem.Buffer {
	if m.budget == nil {
		return data.MaterializeToBuffer(bodies)
	}
	whole := bodies.Get(data.Len())
	data.CopyTo(*whole)
	return mem.NewBuffer(whole, newLease(bodies, m.budget, data.Len()))
}

// sent is a message to Envoy. What is not in the message itself is put behind
// it: what comes of a message in two parts its receiver puts together (protobuf's
// encoding has it so).
type sent struct {
	*extprocv3.ProcessingResponse

	// metadata is the dynamic metadata in its wire form; nil where there is none.
	metadata []byte
	// body is what becomes of the request's body; nil where it stays as it is.
	body mem.BufferSlice
}

// headsRoom is room for what stands before the metadata and before the body of a
// message, in bytes.
const headsRoom = 64

func (m *sent) marshal() (mem.BufferSlice, error) {
	room := proto.Size(m.ProcessingResponse) + len(m.metadata) + headsRoom
	wire, err := proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(make([]byte, 0, room), m.ProcessingResponse)
	if err != nil {
		m.body.Free()
		return nil, err
	}
	if m.metadata != nil {
		wire = protowire.AppendTag(wire, dynamicMetadata, protowire.BytesType)
		wire = protowire.AppendBytes(wire, m.metadata)
	}
	if m.body != nil {
		wire = appendBodyHead(wire, m.body.Len())
	}
	return append(mem.BufferSlice{mem.SliceBuffer(wire)}, m.body...), nil
}
