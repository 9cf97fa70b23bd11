package decision_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

func TestTiersAreOrderedAndOwnAQuarterOfDifficultyEach(t *testing.T) {
	t.Parallel()
	tiers := []decision.Tier{decision.Simple, decision.Medium, decision.Complex, decision.Reasoning}
	for i, tier := range tiers {
		low, high := float64(i)/4, float64(i+1)/4
		assert.InDelta(t, low, tier.Difficulty(0), 1e-12)
		for _, position := range []float64{-5, 0, 0.3, 1, 7} {
			assert.GreaterOrEqual(t, tier.Difficulty(position), low, tier)
			assert.Less(t, tier.Difficulty(position), high, tier)
		}
	}
	assert.Zero(t, decision.NoTier.Difficulty(0.5))
}

func TestParseTierReadsWhatStringWrites(t *testing.T) {
	t.Parallel()
	for _, tier := range []decision.Tier{
		decision.NoTier, decision.Simple, decision.Medium, decision.Complex, decision.Reasoning,
	} {
		got, err := decision.ParseTier(tier.String())
		require.NoError(t, err)
		assert.Equal(t, tier, got)
	}
	_, err := decision.ParseTier("hard")
	assert.EqualError(t, err, `unknown tier "hard": use simple, medium, complex or reasoning`)
}

func TestParseCategoryReadsTheNineteen(t *testing.T) {
	t.Parallel()
	assert.Len(t, decision.Categories(), 19)
	for _, category := range decision.Categories() {
		got, err := decision.ParseCategory(string(category))
		require.NoError(t, err)
		assert.Equal(t, category, got)
	}
	_, err := decision.ParseCategory("poetry")
	assert.ErrorContains(t, err, `unknown category "poetry": use one of chat, factual_qa,`)
}

// full is a decision with something in every field.
func full(t *testing.T) *decision.Decision {
	t.Helper()
	d := &decision.Decision{}
	fill(d.ProtoReflect())
	require.True(t, d.GetRequest().GetStream())
	return d
}

func fill(message protoreflect.Message) {
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		switch {
		case field.IsList() && field.Message() != nil:
			list := message.Mutable(field).List()
			fill(list.AppendMutable().Message())
			fill(list.AppendMutable().Message())
		case field.IsList():
			message.Mutable(field).List().Append(protoreflect.ValueOfString("x"))
		case field.Message() != nil:
			fill(message.Mutable(field).Message())
		default:
			message.Set(field, sample(field))
		}
	}
}

func sample(field protoreflect.FieldDescriptor) protoreflect.Value {
	switch field.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(0.1 + float64(field.Number()))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(1<<31 - 1)
	default:
		return protoreflect.ValueOfString(string(field.Name()))
	}
}

// metadata is what Envoy reads of a decision's metadata, under the namespace.
func metadata(t *testing.T, d *decision.Decision) *structpb.Struct {
	t.Helper()
	var carried structpb.Struct
	require.NoError(t, proto.Unmarshal(decision.Metadata(d), &carried))
	assert.Len(t, carried.GetFields(), 1)
	return carried.GetFields()[decision.Namespace].GetStructValue()
}

func TestMetadataHasWhatWasDecidedUnderTheNamesOfTheFields(t *testing.T) {
	t.Parallel()
	fields := metadata(t, full(t)).GetFields()
	assert.Equal(t, "requested_model", fields["requested_model"].GetStringValue())
	assert.InDelta(t, float64(1<<31-1), fields["prompt_tokens"].GetNumberValue(), 0)
	assert.InDelta(t, 28.1, fields["expected_cost"].GetNumberValue(), 1e-9)
	for _, other := range []string{"candidates", "request", "framing", "stamps", "cluster"} {
		assert.NotContains(t, fields, other)
	}
}

func TestMetadataCarriesEveryFieldThereAndBack(t *testing.T) {
	t.Parallel()
	want := full(t)
	got, err := decision.FromMetadata(metadata(t, want))
	require.NoError(t, err)
	assert.True(t, proto.Equal(want, got))
}

func TestMetadataHasZerosOnlyOfWhatIsCounted(t *testing.T) {
	t.Parallel()
	fields := metadata(t, &decision.Decision{Mode: "enforce"}).GetFields()
	assert.Equal(t, &structpb.Value{Kind: &structpb.Value_StringValue{}}, fields["tier"])
	assert.Contains(t, fields, "mode")
	for _, other := range []string{"principal", "expected_cost", "tokens_saved"} {
		assert.NotContains(t, fields, other)
	}
	fields = metadata(t, &decision.Decision{BytesSaved: 1}).GetFields()
	assert.Equal(t, &structpb.Value{Kind: &structpb.Value_NumberValue{}}, fields["tokens_saved"])
}

func TestFromMetadataSkipsWhatANewerVersionWrote(t *testing.T) {
	t.Parallel()
	carried := metadata(t, &decision.Decision{Model: "m"})
	carried.Fields["from_the_future"] = structpb.NewStringValue("x")
	d, err := decision.FromMetadata(carried)
	require.NoError(t, err)
	assert.Equal(t, "m", d.GetModel())
}

func TestFromMetadataRefusesWhatIsNoDecision(t *testing.T) {
	t.Parallel()
	for packed, message := range map[string]string{"!": "is no base64: ", "AAAA": "is no decision: ", strings.Repeat("A", 1<<20+4): "has 1048580 bytes, at most 1048576"} {
		_, err := decision.FromMetadata(&structpb.Struct{Fields: map[string]*structpb.Value{
			"packed": structpb.NewStringValue(packed),
		}})
		require.ErrorContains(t, err, "read decision metadata: packed ")
		require.ErrorContains(t, err, message)
	}
	_, err := decision.FromMetadata(&structpb.Struct{Fields: map[string]*structpb.Value{"model": structpb.NewStringValue("m")}})
	assert.EqualError(t, err, "read decision metadata: packed is missing")
}

func TestJSONHasPlainNumbersAndZerosAndNoNulls(t *testing.T) {
	t.Parallel()
	text, err := decision.JSON(&decision.Decision{
		Candidates: []*routerv1.Candidate{{Model: "m"}}, Framing: &routerv1.Framing{},
		Request: &routerv1.RequestFacts{}, Stamps: &routerv1.Stamps{},
	})
	require.NoError(t, err)
	assert.NotContains(t, string(text), "null")
	assert.NotContains(t, string(text), " ")
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	assert.InDelta(t, 0, fields["prompt_tokens"], 0)
	assert.Empty(t, fields["would_select"])
	assert.Equal(t, []any{map[string]any{"model": "m", "cost": 0.0, "reason": ""}}, fields["candidates"])
}

func TestIDsDoNotRepeat(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		seen[decision.NewID()] = true
	}
	assert.Len(t, seen, 1000)
}
