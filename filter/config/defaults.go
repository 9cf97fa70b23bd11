package config

import (
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

const (
	// wholePercent is a rollout to every session.
	wholePercent = 100

	// llmTimeout is how long an LLM classifier is waited for: a small model writes
	// its twenty tokens in half a second, and people notice two.
	llmTimeout = 1500 * time.Millisecond
)

// fill writes every default into a valid configuration: those of the schema,
// and those that follow another key, which are here and nowhere else.
func fill(c *configv1.Config) {
	fillSchema(c.ProtoReflect())
	for _, model := range c.GetModels() {
		fillModel(model)
	}
	for _, virtual := range c.GetVirtualModels() {
		virtual.RolloutPercent = new(rolloutPercent(virtual))
	}
	if llm := c.GetClassifier().GetLlm(); llm != nil && llm.GetTimeout() == nil {
		llm.Timeout = durationpb.New(llmTimeout)
	}
	fillDefaultModels(c)
	fillEnvoy(c)
}

// fillSchema writes the schema's defaults into a message and what it holds. Of
// the sections, those that are always in force are created; one whose presence
// means something, such as tls, stays as it is.
func fillSchema(message protoreflect.Message) {
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		switch field := fields.Get(i); {
		case field.IsMap():
		case field.IsList():
			for j := 0; field.Message() != nil && j < message.Get(field).List().Len(); j++ {
				fillSchema(message.Get(field).List().Get(j).Message())
			}
		case field.Message() != nil:
			if message.Has(field) || alwaysInForce(field) {
				fillSchema(message.Mutable(field).Message())
			}
		case field.HasDefault() && !message.Has(field):
			message.Set(field, field.Default())
		case field.Kind() == protoreflect.StringKind && message.Get(field).String() == "":
			message.Clear(field) // an empty text and none mean the same
		}
	}
}

func alwaysInForce(section protoreflect.FieldDescriptor) bool {
	return section.Parent() == (*configv1.Config)(nil).ProtoReflect().Descriptor() && section.Name() != "principal"
}

func fillModel(model *configv1.Model) {
	model.UpstreamModel = new(upstreamModel(model))
	if model.GetFamily() == "" {
		model.Family = new(model.GetName())
	}
	price := model.GetPrice()
	if price.CachedInput == nil {
		price.CachedInput = new(price.GetInput())
	}
	if price.CacheWrite == nil {
		price.CacheWrite = new(price.GetInput())
	}
}

// upstreamModel is what the body's `model` becomes: by default the name.
func upstreamModel(model *configv1.Model) string {
	if upstream := model.GetUpstreamModel(); upstream != "" {
		return upstream
	}
	return model.GetName()
}

// rolloutPercent is the share of sessions for which a virtual model's selection
// is enforced: by default all of them, or none in shadow mode.
func rolloutPercent(virtual *configv1.VirtualModel) int32 {
	switch {
	case virtual.RolloutPercent != nil:
		return virtual.GetRolloutPercent()
	case virtual.GetMode() == "shadow":
		return 0
	default:
		return wholePercent
	}
}

// fillDefaultModels names the default model of every API in use.
func fillDefaultModels(c *configv1.Config) {
	byAPI := make(map[string]string)
	for _, api := range apisInUse(c) {
		byAPI[api] = c.GetDefaultModel()
		if name, ok := c.GetDefaultModelByApi()[api]; ok {
			byAPI[api] = name
		}
	}
	c.DefaultModelByApi = byAPI
}

// fillEnvoy fills in where Envoy dials pointsman, and the cluster of paths that
// are not pointsman's: the default model's.
func fillEnvoy(c *configv1.Config) {
	envoy := c.GetEnvoy()
	if grpc, why := parseAddress(c.GetListen().GetGrpc(), listens); why == "" && envoy.GetPointsmanAddress() == "" {
		envoy.PointsmanAddress = new(grpc.onThisMachine().String())
	}
	if envoy.GetDefaultCluster() == "" {
		envoy.DefaultCluster = new(find(c.GetModels(), c.GetDefaultModel()).GetCluster())
	}
}

// effective turns a valid configuration into the one that holds.
func effective(message *configv1.Config) (*Config, error) {
	fill(message)
	whole, err := hash(message)
	if err != nil {
		return nil, err
	}
	prune, err := hash(message.GetPrune())
	return &Config{Config: message, Hash: whole, PruneHash: prune}, err
}
