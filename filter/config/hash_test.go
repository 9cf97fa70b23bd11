package config

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func everything(t *testing.T) *Config {
	t.Helper()
	loaded, err := Load("testdata/valid/everything.yaml")
	require.NoError(t, err)
	return loaded
}

func TestHash_IsShortAndTheSameEverywhere(t *testing.T) {
	t.Parallel()
	loaded := everything(t)
	assert.Regexp(t, "^[0-9a-f]{12}$", loaded.Hash)
	assert.Regexp(t, "^[0-9a-f]{12}$", loaded.PruneHash)
	minimal, err := Load("testdata/valid/minimal.yaml")
	require.NoError(t, err)
	assert.Equal(t, "f997a7627fc5", minimal.Hash, "changes only with the schema, the defaults or the file")
	assert.Equal(t, "5526c79b1200", minimal.PruneHash)
}

func TestHash_IgnoresCommentsOrderWhiteSpaceAndDefaultsWrittenOut(t *testing.T) {
	t.Parallel()
	minimal, err := Load("testdata/valid/minimal.yaml")
	require.NoError(t, err)
	const rewritten = `# A comment.
models: [{price: {output: 2.0, input: 1, cached_input: 1}, context_window: 100_000,  tier: "medium",
  apis: ["openai_chat_completions"], 'cluster': c, name: m, upstream_model: m, family: "", tool_proficiency: 1}]
prune: {max_summarize_chars: 4000}
missing_model: ""
default_model: m # here
`
	other, err := Parse("rewritten.yaml", []byte(rewritten))
	require.NoError(t, err)
	assert.Equal(t, minimal.Hash, other.Hash)
	assert.Equal(t, minimal.PruneHash, other.PruneHash)
}

// JSON is YAML: the effective configuration is itself a file that means the
// same.
func TestHash_OfTheEffectiveConfigurationAsAFile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"testdata/valid/everything.yaml", "testdata/valid/minimal.yaml", "../../deploy/pointsman.yaml"} {
		loaded, err := Load(path)
		require.NoError(t, err)
		text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(loaded)
		require.NoError(t, err)
		again, err := Parse("effective.json", text)
		require.NoError(t, err)
		assert.Equal(t, loaded.Hash, again.Hash, path)
		assert.True(t, proto.Equal(loaded.Config, again.Config), path)
	}
}

func TestHash_ChangesWithEveryEffectiveValue(t *testing.T) {
	t.Parallel()
	loaded := everything(t)
	seen := map[string]string{loaded.Hash: "the original"}
	checked := 0
	eachScalar(loaded.ProtoReflect(), "", func(message protoreflect.Message, field protoreflect.FieldDescriptor, path string) {
		before := message.Get(field)
		message.Set(field, changed(before))
		changedHash, err := hash(loaded)
		require.NoError(t, err)
		assert.NotContains(t, seen, changedHash, "%s", path)
		seen[changedHash] = path
		message.Set(field, before)
		checked++
	})
	assert.Greater(t, checked, 60)
	again, err := hash(loaded)
	require.NoError(t, err)
	assert.Equal(t, loaded.Hash, again, "every change was taken back")
}

func TestPruneHash_ChangesWithThePrunePolicyAlone(t *testing.T) {
	t.Parallel()
	minimal, err := os.ReadFile("testdata/valid/minimal.yaml")
	require.NoError(t, err)
	hashes := func(more string) (whole, prune string) {
		loaded, err := Parse("p.yaml", append(append([]byte{}, minimal...), more...))
		require.NoError(t, err)
		return loaded.Hash, loaded.PruneHash
	}
	whole, prune := hashes("")
	otherWhole, samePrune := hashes("hints: deny\n")
	assert.NotEqual(t, whole, otherWhole)
	assert.Equal(t, prune, samePrune)
	otherWhole, otherPrune := hashes("prune: {keep_last_rounds: 4}\n")
	assert.NotEqual(t, whole, otherWhole)
	assert.NotEqual(t, prune, otherPrune)
}

func changed(value protoreflect.Value) protoreflect.Value {
	switch value := value.Interface().(type) {
	case string:
		return protoreflect.ValueOfString(value + "!")
	case bool:
		return protoreflect.ValueOfBool(!value)
	case int32:
		return protoreflect.ValueOfInt32(value - 1)
	case int64: // the seconds of a duration
		return protoreflect.ValueOfInt64(value + 1)
	case float64:
		return protoreflect.ValueOfFloat64(value + 0.001)
	default:
		panic("a kind that the schema does not have")
	}
}

func eachScalar(message protoreflect.Message, key string, visit func(protoreflect.Message, protoreflect.FieldDescriptor, string)) {
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		path := child(key, string(field.Name()))
		switch {
		case field.IsMap():
		case field.IsList() && field.Message() != nil:
			for i := range value.List().Len() {
				eachScalar(value.List().Get(i).Message(), item(path, i), visit)
			}
		case field.IsList():
		case field.Message() != nil:
			eachScalar(value.Message(), path, visit)
		default:
			visit(message, field, path)
		}
		return true
	})
}
