package main

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// settings are what the demo changes in the configuration.
type settings struct {
	grpc, admin          string // pointsman's addresses
	listener, envoyAdmin string // Envoy's addresses
	decisionLog          string
	clusters             map[string]string // addresses by name
}

// applied puts the settings into a configuration's text, and leaves everything
// else, comments included, as it is.
func (s settings) applied(text []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	root := document.Content[0]
	put(root, s.grpc, "listen", "grpc")
	put(root, s.admin, "listen", "admin")
	put(root, s.listener, "envoy", "listener")
	put(root, s.envoyAdmin, "envoy", "admin")
	put(root, "true", "envoy", "token_usage")
	put(root, s.decisionLog, "decision_log")
	for _, cluster := range at(root, yaml.SequenceNode, "clusters").Content {
		name := at(cluster, yaml.ScalarNode, "name").Value
		put(cluster, s.clusters[name], "address")
	}
	for _, model := range at(root, yaml.SequenceNode, "models").Content {
		*at(model, yaml.SequenceNode, "apis") = everyAPI()
	}
	return yaml.Marshal(&document)
}

// everyAPI is what each model speaks in the demo: the stand-ins speak all of
// them, and the same session is to have the same choice in each.
func everyAPI() yaml.Node {
	list := yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, api := range sessions {
		list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: string(api)})
	}
	return list
}

// put sets the value at a path of keys.
func put(node *yaml.Node, value string, path ...string) {
	for _, key := range path[:len(path)-1] {
		node = at(node, yaml.MappingNode, key)
	}
	scalar := at(node, yaml.ScalarNode, path[len(path)-1])
	scalar.Tag, scalar.Value = "", value
}

// at is the value of a mapping's key, which is added where it is missing.
func at(mapping *yaml.Node, kind yaml.Kind, key string) *yaml.Node {
	for pair := range slices.Chunk(mapping.Content, 2) {
		if pair[0].Value == key {
			return pair[1]
		}
	}
	value := &yaml.Node{Kind: kind}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	return value
}
