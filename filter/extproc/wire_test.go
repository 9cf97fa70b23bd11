package extproc

import (
	"os"
	"strings"
	"testing"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
)

// poisoned is a pool that spoils what comes back, so that every test fails that
// reads a body for longer than it may.
type poisoned struct{ mem.BufferPool }

func (p poisoned) Put(buffer *[]byte) {
	whole := (*buffer)[:cap(*buffer)]
	for i := range whole {
		whole[i] = 0xdb
	}
	p.BufferPool.Put(buffer)
}

func TestMain(m *testing.M) {
	bodies = poisoned{bodies}
	os.Exit(m.Run())
}

// inFrames is a message as it arrives, cut into frames of a size.
func inFrames(wire []byte, size int) mem.BufferSlice {
	var frames mem.BufferSlice
	for len(wire) > size {
		frames = append(frames, mem.SliceBuffer(wire[:size]))
		wire = wire[size:]
	}
	return append(frames, mem.SliceBuffer(wire))
}

func withBody(text string, end bool) *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestBody{
			RequestBody: &extprocv3.HttpBody{Body: []byte(text), EndOfStream: end},
		},
		MetadataContext: &corev3.Metadata{},
	}
}

func withHead(end bool, headers ...*corev3.HeaderValue) *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestHeaders{RequestHeaders: &extprocv3.HttpHeaders{
			Headers: &corev3.HeaderMap{Headers: headers}, EndOfStream: end,
		}},
		MetadataContext: &corev3.Metadata{},
		ProtocolConfig:  &extprocv3.ProtocolConfiguration{SendBodyWithoutWaitingForHeaderResponse: true},
	}
}

func TestCodecFindsTheBodyInEveryFraming(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "x", strings.Repeat("body ", 100), strings.Repeat("body ", 10_000)} {
		for _, end := range []bool{false, true} {
			wire, err := proto.Marshal(withBody(text, end))
			require.NoError(t, err)
			for _, size := range []int{7, 1000, 1 << 20} {
				var m received
				require.NoError(t, Codec().Unmarshal(inFrames(wire, size), &m))
				require.NotNil(t, m.body)
				assert.Equal(t, text, string(m.body.bytes()))
				assert.Equal(t, end, m.body.last)
				m.body.free()
			}
		}
	}
}

func TestCodecReadsAHeadAndWhatIsBesideIt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("v", 5000)
	message := withHead(true,
		&corev3.HeaderValue{Key: ":path", RawValue: []byte("/v1")},
		&corev3.HeaderValue{Key: "old", Value: "as text"},
		&corev3.HeaderValue{Key: "empty"},
		&corev3.HeaderValue{Key: "long", RawValue: []byte(long)})
	wire, err := proto.Marshal(message)
	require.NoError(t, err)
	var m received
	require.NoError(t, Codec().Unmarshal(inFrames(wire, 100), &m))
	assert.Nil(t, m.body)
	require.NotNil(t, m.head)
	assert.Equal(t, []header{{":path", "/v1"}, {"old", "as text"}, {"empty", ""}, {"long", long}}, m.head.headers)
	assert.True(t, m.head.last)
	message.Request = nil
	assert.True(t, proto.Equal(message, &m.ProcessingRequest))
}

func TestCodecReadsOtherMessagesWhole(t *testing.T) {
	t.Parallel()
	want := &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestTrailers{RequestTrailers: &extprocv3.HttpTrailers{
			Trailers: &corev3.HeaderMap{Headers: []*corev3.HeaderValue{{Key: "k", RawValue: []byte(strings.Repeat("v", 5000))}}},
		}},
		ProtocolConfig: &extprocv3.ProtocolConfiguration{SendBodyWithoutWaitingForHeaderResponse: true},
	}
	wire, err := proto.Marshal(want)
	require.NoError(t, err)
	var m received
	require.NoError(t, Codec().Unmarshal(inFrames(wire, 100), &m))
	assert.Nil(t, m.head)
	assert.Nil(t, m.body)
	assert.True(t, proto.Equal(want, &m.ProcessingRequest))
}

// What is written in two parts must read as one message, with the body that the
// edits make.
func TestCodecWritesOneMessage(t *testing.T) {
	t.Parallel()
	text := `{"model":"auto","messages":[` + strings.Repeat(`{},`, 1000) + `{}]}`
	wire, err := proto.Marshal(withBody(text, true))
	require.NoError(t, err)
	for name, edits := range map[string][]filter.Edit{
		"none":       {},
		"one":        {{Span: conversation.Span{Start: 9, End: 15}, With: []byte(`"large-2026"`)}},
		"at the end": {{Span: conversation.Span{Start: len(text) - 1, End: len(text)}, With: []byte(` }`)}},
		"several": {
			{Span: conversation.Span{}, With: []byte(" ")},
			{Span: conversation.Span{Start: 9, End: 15}},
			{Span: conversation.Span{Start: len(text), End: len(text)}, With: []byte("\n")},
		},
	} {
		metadata := decision.Metadata(&decision.Decision{Model: "large"})
		var m received
		require.NoError(t, Codec().Unmarshal(inFrames(wire, 1000), &m))
		head := &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_RequestBody{
			RequestBody: &extprocv3.BodyResponse{Response: &extprocv3.CommonResponse{
				HeaderMutation: &extprocv3.HeaderMutation{RemoveHeaders: []string{"x"}}, ClearRouteCache: true,
			}},
		}}
		out, err := Codec().Marshal(&sent{head, metadata, m.body.edited(edits)})
		require.NoError(t, err)
		m.body.free() // what is sent stands until it is
		var got extprocv3.ProcessingResponse
		require.NoError(t, proto.Unmarshal(out.Materialize(), &got))
		out.Free()

		want := proto.CloneOf(head)
		want.DynamicMetadata = new(structpb.Struct)
		require.NoError(t, proto.Unmarshal(metadata, want.GetDynamicMetadata()))
		want.GetRequestBody().Response.BodyMutation = &extprocv3.BodyMutation{
			Mutation: &extprocv3.BodyMutation_Body{Body: conversation.Apply([]byte(text), edits)},
		}
		assert.True(t, proto.Equal(want, &got), name)
	}
}

func TestCodecGivesMemoryBackWhenAllIsSent(t *testing.T) {
	t.Parallel()
	wire, err := proto.Marshal(withBody(strings.Repeat("body ", 1000), true))
	require.NoError(t, err)
	var m received
	require.NoError(t, Codec().Unmarshal(inFrames(wire, 100), &m))
	spoilt := m.body.bytes() // held for longer than it may be
	out := m.body.edited([]filter.Edit{{Span: conversation.Span{Start: 10, End: 20}}})
	m.body.free()
	assert.Equal(t, byte('b'), spoilt[0])
	out.Free()
	assert.Equal(t, byte(0xdb), spoilt[0])
}

func TestPoolHasAnEighthTooMuchAtMost(t *testing.T) {
	t.Parallel()
	seen := map[int]int{}
	for length := 1; length < 40<<20; length += 1 + length/100 {
		number, size := class(length)
		assert.GreaterOrEqual(t, size, length)
		if length > smallestBuffer {
			assert.LessOrEqual(t, size-length, length/8+1)
		}
		again, same := class(size)
		assert.Equal(t, []int{number, size}, []int{again, same}, "it goes back where it came from")
		if known, ok := seen[number]; ok {
			assert.Equal(t, known, size)
		}
		seen[number] = size
	}
	var p pool
	buffer := p.Get(5000)
	assert.Len(t, *buffer, 5000)
	p.Put(buffer)
}

// The codec reads what protobuf reads, and leaves to it to say what is wrong.
func FuzzFindBody(f *testing.F) {
	for _, message := range []*extprocv3.ProcessingRequest{withBody("body", true), withBody("", false), {}} {
		wire, err := proto.Marshal(message)
		require.NoError(f, err)
		f.Add(wire)
	}
	f.Add(protowire.AppendBytes(protowire.AppendTag(nil, requestBody, protowire.BytesType), []byte{0xff}))
	f.Fuzz(func(t *testing.T, wire []byte) {
		found, ok := findBody(wire)
		if !ok {
			return
		}
		require.True(t, 0 <= found.start && found.start <= found.end && found.end <= len(wire))
		var message extprocv3.ProcessingRequest
		if proto.Unmarshal(wire, &message) != nil || message.GetRequestBody() == nil {
			return // Envoy sends nothing of the kind
		}
		if len(message.GetRequestBody().GetBody()) > 0 {
			assert.Equal(t, string(message.GetRequestBody().GetBody()), string(wire[found.start:found.end]))
		}
	})
}

// Likewise for a head.
func FuzzFindHead(f *testing.F) {
	one := &corev3.HeaderValue{Key: "name", Value: "value"}
	for _, message := range []*extprocv3.ProcessingRequest{
		withHead(true), withHead(false, one, &corev3.HeaderValue{Key: "raw", RawValue: []byte("bytes")}), withBody("body", true), {},
	} {
		wire, err := proto.Marshal(message)
		require.NoError(f, err)
		f.Add(wire)
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		var want extprocv3.ProcessingRequest
		found, ok := findHead(wire)
		if !ok || proto.Unmarshal(wire, &want) != nil {
			return
		}
		if _, isHead := want.GetRequest().(*extprocv3.ProcessingRequest_RequestHeaders); !isHead {
			return // a body after the head takes its place
		}
		require.Len(t, found.headers, len(want.GetRequestHeaders().GetHeaders().GetHeaders()))
		assert.Equal(t, want.GetRequestHeaders().GetEndOfStream(), found.last)
		for i, one := range want.GetRequestHeaders().GetHeaders().GetHeaders() {
			value := one.GetValue()
			if raw := one.GetRawValue(); len(raw) > 0 {
				value = string(raw)
			}
			assert.Equal(t, header{one.GetKey(), value}, found.headers[i])
		}
	})
}
