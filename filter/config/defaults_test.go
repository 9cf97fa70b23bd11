package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"google.golang.org/protobuf/reflect/protoreflect"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

func TestDefaults_AreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	loaded := parse(t, []byte(`
virtual_models: [{name: auto}]
default_model: m
models:
  - {name: m, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 100000, price: {input: 1, output: 2}}
clusters: [{name: c, address: "127.0.0.1:80", tls: {}, credential: {file: f}}]
classifier: {llm: {base_url: "http://127.0.0.1:81", model: m}}
`))
	checked := 0
	eachField(loaded.ProtoReflect(), func(message protoreflect.Message, field protoreflect.FieldDescriptor) {
		if field.HasDefault() {
			checked++
			assert.True(t, message.Has(field), "%s is filled in", field.FullName())
			assert.Equal(t, field.Default().Interface(), message.Get(field).Interface(), "%s", field.FullName())
		}
	})
	assert.Greater(t, checked, 25, "the schema declares defaults")
}

func TestDefaults_ThatFollowAnotherKey(t *testing.T) {
	t.Parallel()
	const base = `
default_model: m
models:
  - {name: m, cluster: c, apis: [openai_chat_completions], tier: simple, context_window: 100000, price: {input: 1, output: 2}}
  - {name: n, upstream_model: u, family: f, cluster: d, apis: [openai_chat_completions], tier: simple, context_window: 100000,
     price: {input: 3, cached_input: 0, cache_write: 4, output: 2}}
virtual_models: [{name: auto}, {name: m, mode: shadow}, {name: n, mode: shadow, rollout_percent: 100}, {name: u, rollout_percent: 0}]
`
	loaded := parse(t, []byte(base))
	model, named := loaded.Model("m"), loaded.Model("n")

	assert.Equal(t, "m", model.GetUpstreamModel(), "the name")
	assert.Equal(t, "u", named.GetUpstreamModel())
	assert.Equal(t, "m", model.GetFamily(), "a family of its own")
	assert.Equal(t, "f", named.GetFamily())
	assert.InDelta(t, 1, model.GetPrice().GetCachedInput(), 0, "the input price")
	assert.InDelta(t, 1, model.GetPrice().GetCacheWrite(), 0, "the input price")
	assert.InDelta(t, 0, named.GetPrice().GetCachedInput(), 0, "0 is a price")
	assert.InDelta(t, 4, named.GetPrice().GetCacheWrite(), 0)

	rollout := make([]int32, 0, len(loaded.GetVirtualModels()))
	for _, virtual := range loaded.GetVirtualModels() {
		rollout = append(rollout, virtual.GetRolloutPercent())
	}
	assert.Equal(t, []int32{100, 0, 100, 0}, rollout, "all sessions under enforce, none under shadow")

	assert.Equal(t, "c", loaded.GetEnvoy().GetDefaultCluster(), "the default model's")
	assert.Equal(t, "127.0.0.1:9002", loaded.GetEnvoy().GetPointsmanAddress(), "listen.grpc")
	for listen, want := range map[string]string{
		"10.0.0.5:9002":      "10.0.0.5:9002",
		"0.0.0.0:9002":       "127.0.0.1:9002",
		":9002":              "127.0.0.1:9002",
		"[::]:9002":          "127.0.0.1:9002",
		"localhost:9002":     "localhost:9002",
		"unix:///run/p.sock": "unix:///run/p.sock",
	} {
		loaded := parse(t, []byte(base+`listen: {grpc: "`+listen+`"}`))
		assert.Equal(t, want, loaded.GetEnvoy().GetPointsmanAddress(), "from this machine, %s", listen)
	}
}

// The reader of files knows four kinds of values, and maps of text to text.
func TestSchemaHasOnlyWhatFilesCarry(t *testing.T) {
	t.Parallel()
	carried := []protoreflect.Kind{
		protoreflect.StringKind, protoreflect.BoolKind, protoreflect.Int32Kind, protoreflect.DoubleKind, protoreflect.MessageKind,
	}
	eachDescriptor((*configv1.Config)(nil).ProtoReflect().Descriptor(), func(field protoreflect.FieldDescriptor) {
		assert.Contains(t, carried, field.Kind(), "%s", field.FullName())
		if field.IsMap() {
			assert.Equal(t, protoreflect.StringKind, field.MapKey().Kind(), "%s", field.FullName())
			assert.Equal(t, protoreflect.StringKind, field.MapValue().Kind(), "%s", field.FullName())
		}
	})
}

// eachField visits the fields of a message and of the messages it holds.
func eachField(message protoreflect.Message, visit func(protoreflect.Message, protoreflect.FieldDescriptor)) {
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		visit(message, field)
		if field.Message() == nil || field.IsMap() || !message.Has(field) {
			continue
		}
		if !field.IsList() {
			eachField(message.Get(field).Message(), visit)
			continue
		}
		for j := range message.Get(field).List().Len() {
			eachField(message.Get(field).List().Get(j).Message(), visit)
		}
	}
}

func eachDescriptor(message protoreflect.MessageDescriptor, visit func(protoreflect.FieldDescriptor)) {
	for i := range message.Fields().Len() {
		field := message.Fields().Get(i)
		visit(field)
		if field.Message() != nil && !field.IsMap() && field.Message().FullName() != "google.protobuf.Duration" {
			eachDescriptor(field.Message(), visit)
		}
	}
}
