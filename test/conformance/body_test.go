package conformance

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/pointsman/pointsman/filter/conversation"
)

// An api is an endpoint, and how a body of it is made that asks for the model
// auto and is so many bytes long, most of them an image's.
type api struct {
	name   conversation.API
	path   string
	before string
	after  string
}

func apis() []api {
	return []api{
		{
			name: conversation.OpenAIChat,
			path: "/v1/chat/completions",
			before: oddities + `"model":"auto","messages":[{"role":"user","content":[{"type":"text","text":"caf\u00e9"},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,`,
			after: `"}}]}],"metadata":{"b":1,"a":2}}`,
		},
		{
			name: conversation.OpenAIResponses,
			path: "/v1/responses",
			before: oddities + `"model":"auto","input":[{"role":"user","content":[{"type":"input_text","text":"caf\u00e9"},` +
				`{"type":"input_image","image_url":"data:image/png;base64,`,
			after: `"}]}],"metadata":{"b":1,"a":2}}`,
		},
		{
			name: conversation.AnthropicMessages,
			path: "/v1/messages",
			before: oddities + `"model":"auto","max_tokens":64,"messages":[{"role":"user","content":[{"type":"text","text":"caf\u00e9"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`,
			after: `"}}]}],"metadata":{"b":1,"a":2}}`,
		},
	}
}

// oddities are what a JSON library would write otherwise.
const oddities = `{"seed":12345678901234567890,"top_p":1.0,`

// A wire is a body as it is sent.
type wire struct {
	api    string
	size   int
	coding string
}

// wires keeps them: to make the long ones takes longer than to send them.
var wires sync.Map // of wire to []byte

// sent is a request of that many bytes in the framing's coding.
func (a api) sent(size int, f framing) []byte {
	name := ""
	if f.coding != nil {
		name = f.name
	}
	key := wire{a.path, size, name}
	if made, ok := wires.Load(key); ok {
		return made.([]byte)
	}
	made := a.body(size)
	if f.coding != nil {
		made = f.coding(a.sent(size, framing{}))
	}
	wires.Store(key, made)
	return made
}

// body is a request of that many bytes; too few for one are no request. Its
// middle is not the same anywhere, so that no two chunks can be taken for each
// other, and compression makes it a few times smaller.
func (a api) body(size int) []byte {
	if size < len(a.before)+len(a.after) {
		return bytes.Repeat([]byte("x"), size)
	}
	body := append(make([]byte, 0, size+8), a.before...)
	for len(body) < size-len(a.after) {
		body = fmt.Appendf(body, "%08x", uint32(len(body))*2654435761)
	}
	return append(body[:size-len(a.after)], a.after...)
}

func gzipped(body []byte) []byte {
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, _ = writer.Write(body) // a buffer takes everything
	_ = writer.Close()
	return out.Bytes()
}

func zstandard(body []byte) []byte {
	writer, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // no options, nothing to be wrong
	}
	return writer.EncodeAll(body, nil)
}
