package extproc_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pointsman/pointsman/filter/decision"
)

// maxChunk is the bound that Envoy documents for a message of a body.
const maxChunk = 64 << 10

func inDuplex(message *extprocv3.ProcessingRequest) *extprocv3.ProcessingRequest {
	message.ProtocolConfig.RequestBodyMode = filterv3.ProcessingMode_FULL_DUPLEX_STREAMED
	return message
}

func duplexHead(more ...string) *extprocv3.ProcessingRequest { return inDuplex(chatHead(more...)) }

func upload() *extprocv3.ProcessingRequest {
	return inDuplex(head(false, ":method", "POST", ":path", "/v1/files"))
}

func trailers() *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestTrailers{}}
}

// long is a request whose body is a few chunks long.
func long(model string) string {
	return strings.Replace(hello, "auto", model, 1) + strings.Repeat(" ", 240_000)
}

// cut is the body's messages, cut at most every n bytes; end is on the last.
func cut(text string, n int, end bool) []*extprocv3.ProcessingRequest {
	var messages []*extprocv3.ProcessingRequest
	for len(text) > n {
		messages = append(messages, body(text[:n], false))
		text = text[n:]
	}
	return append(messages, body(text, end))
}

// sent is what Envoy would send on of one request.
type sent struct {
	head      *extprocv3.CommonResponse
	metadata  *structValue
	body      strings.Builder
	chunks    int
	ends      int // of the stream, announced
	trailers  int
	immediate *extprocv3.ImmediateResponse
}

// take is Envoy's side of the protocol: it fails where the order is not head,
// body, trailers, or something comes after the end.
func (s *sent) take(response *extprocv3.ProcessingResponse) error {
	if s.ends > 0 || s.trailers > 0 || s.immediate != nil {
		return fmt.Errorf("after the end: %v", response)
	}
	switch part := response.GetResponse().(type) {
	case *extprocv3.ProcessingResponse_RequestHeaders:
		s.head, s.metadata = part.RequestHeaders.GetResponse(), response.GetDynamicMetadata()
	case *extprocv3.ProcessingResponse_RequestBody:
		return s.takeChunk(part.RequestBody.GetResponse().GetBodyMutation().GetStreamedResponse())
	case *extprocv3.ProcessingResponse_RequestTrailers:
		s.trailers++
	case *extprocv3.ProcessingResponse_ImmediateResponse:
		s.immediate = part.ImmediateResponse
	default:
		return fmt.Errorf("unknown: %v", response)
	}
	return nil
}

func (s *sent) takeChunk(chunk *extprocv3.StreamedBodyResponse) error {
	switch {
	case s.head == nil:
		return errors.New("a chunk before the head")
	case chunk == nil:
		return errors.New("a body without a streamed response")
	case len(chunk.GetBody()) >= maxChunk:
		return fmt.Errorf("a chunk of %d bytes", len(chunk.GetBody()))
	}
	s.chunks++
	s.body.Write(chunk.GetBody())
	if chunk.GetEndOfStream() {
		s.ends++
	}
	return nil
}

// converse sends all messages and takes all answers, side by side as Envoy does.
func converse(s stream, messages ...*extprocv3.ProcessingRequest) (*sent, error) {
	got := &sent{}
	return got, got.converse(s, messages...)
}

func (s *sent) converse(stream stream, messages ...*extprocv3.ProcessingRequest) error {
	go func() {
		for _, message := range messages {
			if stream.Send(message) != nil {
				return // the server has ended the stream
			}
		}
	}()
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.take(response)
		}
		if err != nil {
			return err
		}
	}
}

func TestDuplex_RewritesBodiesInEveryChunking(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	longText, wantLong := long("auto"), long("small-2026")
	want := strings.Replace(hello, "auto", "small-2026", 1)
	for name, test := range map[string]struct {
		messages []*extprocv3.ProcessingRequest
		want     string
	}{
		"at once":               {cut(hello, 1000, true), want},
		"by bytes":              {cut(hello, 1, true), want},
		"an empty last chunk":   {append(cut(hello, 10, false), body("", true)), want},
		"an empty first chunk":  {append([]*extprocv3.ProcessingRequest{body("", false)}, cut(hello, 10, true)...), want},
		"the end twice":         {append(cut(hello, 10, true), body("", true)), want},
		"long, at once":         {cut(longText, 1<<20, true), wantLong},
		"long, by 16 KiB":       {cut(longText, 16<<10, true), wantLong},
		"long, by 62,000 bytes": {cut(longText, 62_000, true), wantLong},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := converse(open(t, client), append(
				[]*extprocv3.ProcessingRequest{duplexHead("content-length", "1")}, test.messages...)...)
			require.NoError(t, err)
			assert.Equal(t, 1, got.ends)
			assert.Equal(t, test.want, got.body.String())
			assert.Equal(t, (len(test.want)+61_999)/62_000, got.chunks)
			set := setHeaders(got.head.GetHeaderMutation())
			assert.Equal(t, strconv.Itoa(len(test.want)), set["content-length"])
			assert.Equal(t, "small", set[decision.HeaderModel])
			assert.True(t, got.head.GetClearRouteCache())
			assert.Equal(t, "small", got.metadata.GetFields()[decision.Namespace].GetStructValue().GetFields()["model"].GetStringValue())
		})
	}
}

func TestDuplex_TrailersEndABodyAndAreAnswered(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	for name, messages := range map[string][]*extprocv3.ProcessingRequest{
		"after the body":        cut(hello, 10, false),
		"after an empty chunk":  append(cut(hello, 10, false), body("", false)),
		"after many long chunk": cut(long("auto"), 16<<10, false),
	} {
		messages = append([]*extprocv3.ProcessingRequest{duplexHead()}, messages...)
		got, err := converse(open(t, client), append(messages, trailers())...)
		require.NoError(t, err, name)
		assert.Zero(t, got.ends, "%s: trailers are the end", name)
		assert.Equal(t, 1, got.trailers, name)
		assert.Contains(t, got.body.String(), `"model":"small-2026"`, name)
		assert.NotContains(t, setHeaders(got.head.GetHeaderMutation()), "content-length", name)
	}
}

func TestDuplex_ABodyThatIsNotChangedComesBackAsItCame(t *testing.T) {
	t.Parallel()
	text := long("large-2026")
	messages := cut(text, 16<<10, true)
	got, err := converse(open(t, dial(t, "")), append([]*extprocv3.ProcessingRequest{duplexHead("content-length", "1")}, messages...)...)
	require.NoError(t, err)
	assert.Equal(t, text, got.body.String())
	assert.NotContains(t, setHeaders(got.head.GetHeaderMutation()), "content-length")
}

func TestDuplex_PassesABodyThrough(t *testing.T) {
	t.Parallel()
	const text = `{"model":"gpt-9","messages":[]}`
	got, err := converse(open(t, dial(t, "unknown_models: pass_through\n")), duplexHead(), body(text[:5], false), body(text[5:], true))
	require.NoError(t, err)
	assert.Equal(t, text, got.body.String())
	assert.Equal(t, map[string]string{decision.HeaderPass: "1"}, setHeaders(got.head.GetHeaderMutation()))
	assert.Nil(t, got.metadata)
}

func TestDuplex_RefusesAtOnceWhatCanBeRefused(t *testing.T) {
	t.Parallel()
	client := dial(t, "limits: {max_body_bytes: 65536}\n")
	tooMuch := strings.Repeat(" ", 65_537)
	for name, test := range map[string]struct {
		messages []*extprocv3.ProcessingRequest
		why      string
	}{
		"a length over the limit": {[]*extprocv3.ProcessingRequest{duplexHead("content-length", "65537")}, "pointsman_request_too_large"},
		"a hint that is none":     {[]*extprocv3.ProcessingRequest{duplexHead("x-pointsman-hint-tier", "vast")}, "pointsman_invalid_hint"},
		"no body": {
			[]*extprocv3.ProcessingRequest{inDuplex(head(true, ":method", "POST", ":path", "/v1/chat/completions"))},
			"pointsman_malformed_body",
		},
		"trailers instead of a body": {[]*extprocv3.ProcessingRequest{duplexHead(), trailers()}, "pointsman_malformed_body"},
		"a body over the limit":      {append([]*extprocv3.ProcessingRequest{duplexHead()}, cut(tooMuch, 65_536, false)...), "pointsman_request_too_large"},
		"a body that ends early":     {[]*extprocv3.ProcessingRequest{duplexHead(), body(hello[:20], true)}, "pointsman_malformed_body"},
		"an unknown model": {
			[]*extprocv3.ProcessingRequest{duplexHead(), body(`{"model":"gpt-9",`, false), body(`"messages":[]}`, true)},
			"pointsman_model_not_found",
		},
	} {
		got, err := converse(open(t, client), test.messages...)
		require.NoError(t, err, name)
		assert.Equal(t, test.why, got.immediate.GetDetails(), name)
		assert.Equal(t, "application/json", setHeaders(got.immediate.GetHeaders())["content-type"], name)
		assert.Nil(t, got.head, name)
	}
}

func TestDuplex_ABodyOfExactlyTheLimitIsTaken(t *testing.T) {
	t.Parallel()
	text := hello + strings.Repeat(" ", 65_536-len(hello))
	got, err := converse(open(t, dial(t, "limits: {max_body_bytes: 65536}\n")),
		append([]*extprocv3.ProcessingRequest{duplexHead("content-length", "65536")}, cut(text, 1000, true)...)...)
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(text, "auto", "small-2026", 1), got.body.String())
}

// What is not ours is sent back piece by piece: a piece is back before the next
// one comes.
func TestDuplex_EchoesWhatIsNotOursAsItComes(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	long := strings.Repeat("x", 150_000)
	for name, end := range map[string]*extprocv3.ProcessingRequest{
		"a last chunk": body("end", true), "an empty chunk": body("", true), "trailers": trailers(),
	} {
		s := open(t, client)
		var got sent
		require.NoError(t, got.take(exchange(t, s, upload())), name)
		assert.False(t, got.head.GetClearRouteCache(), name)
		require.NoError(t, got.take(exchange(t, s, body("first", false))), name)
		assert.Equal(t, "first", got.body.String(), name)
		require.NoError(t, s.Send(body(long, false)))
		for got.body.Len() < len("first")+len(long) {
			response, err := s.Recv()
			require.NoError(t, err, name)
			require.NoError(t, got.take(response), name)
		}
		require.NoError(t, got.converse(s, end), name)
		assert.Equal(t, "first"+long+string(end.GetRequestBody().GetBody()), got.body.String(), name)
		assert.Equal(t, 1, got.ends+got.trailers, name)
	}
}

func TestDuplex_HeadsWithoutABodyAreAnsweredAlone(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	got, err := converse(open(t, client), inDuplex(head(true, ":method", "GET", ":path", "/v1/files", "x-selected-model", "large")))
	require.NoError(t, err)
	assert.True(t, got.head.GetClearRouteCache())
	assert.Zero(t, got.chunks)

	got, err = converse(open(t, client), inDuplex(head(true, ":method", "GET", ":path", "/v1/models")))
	require.NoError(t, err)
	assert.Contains(t, string(got.immediate.GetBody()), `"auto"`)
}

func TestDuplex_EndsQuietlyWhenEnvoyGivesUp(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	for name, first := range map[string]*extprocv3.ProcessingRequest{"gathering": duplexHead(), "echoing": upload()} {
		s := open(t, client)
		require.NoError(t, s.Send(first))
		require.NoError(t, s.Send(body(hello[:10], false)))
		require.NoError(t, s.CloseSend())
		got, err := converse(s)
		require.NoError(t, err, name)
		assert.Zero(t, got.ends, name)
		assert.Nil(t, got.immediate, name)
	}
}

// An error, and no mere end: Envoy would take that for a body without a rest.
func TestDuplex_FailsWhereItCannotAnswer(t *testing.T) {
	t.Parallel()
	client := dial(t, "")
	for _, first := range []*extprocv3.ProcessingRequest{duplexHead(), upload()} {
		for _, wrong := range []*extprocv3.ProcessingRequest{
			{}, upload(), {Request: &extprocv3.ProcessingRequest_ResponseHeaders{}},
		} {
			_, err := converse(open(t, client), first, body("x", false), wrong)
			assert.Equal(t, codes.FailedPrecondition, status.Code(err))
		}
	}
}

// Whatever the chunks are, the bytes are those of the whole body, every chunk is
// within the bound, and the end is announced once.
func FuzzDuplex_AnyChunking(f *testing.F) {
	client := dial(f, "")
	for seed := range uint64(8) {
		f.Add(seed, uint(seed*40_000), seed%2 == 0, seed%4 < 2)
	}
	f.Fuzz(func(t *testing.T, seed uint64, padding uint, ours, withTrailers bool) {
		text := hello + strings.Repeat(" ", int(padding%300_000))
		want, first := text, upload()
		if ours {
			want, first = strings.Replace(text, "auto", "small-2026", 1), duplexHead()
		}
		messages := append([]*extprocv3.ProcessingRequest{first}, cutAnyhow(text, seed, !withTrailers)...)
		if withTrailers {
			messages = append(messages, trailers())
		}
		got, err := converse(open(t, client), messages...)
		require.NoError(t, err)
		assert.Equal(t, 1, got.ends+got.trailers)
		assert.Equal(t, withTrailers, got.trailers == 1)
		same := want == got.body.String() // no diff of 300 KB
		assert.True(t, same, "%d bytes instead of %d, or others", got.body.Len(), len(want))
	})
}

// cutAnyhow cuts by chance, empty chunks included, at most 100 times.
func cutAnyhow(text string, seed uint64, end bool) []*extprocv3.ProcessingRequest {
	chance := rand.New(rand.NewPCG(seed, 0))
	var messages []*extprocv3.ProcessingRequest
	for range chance.IntN(100) {
		n := 0
		if most := len(text) >> chance.IntN(12); most > 0 && chance.IntN(8) > 0 {
			n = chance.IntN(most)
		}
		messages = append(messages, body(text[:n], false))
		text = text[n:]
	}
	return append(messages, body(text, end))
}
