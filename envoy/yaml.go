package envoy

import (
	"bytes"
	"encoding/json"
	"fmt"

	bootstrapv3 "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"sigs.k8s.io/yaml"
)

// YAML writes a bootstrap the way Envoy reads it. The same bootstrap gives the
// same bytes: names in snake_case, keys sorted.
func YAML(bootstrap *bootstrapv3.Bootstrap) ([]byte, error) {
	text, err := loose(bootstrap)
	if err != nil {
		return nil, err
	}
	out, err := yaml.JSONToYAML(text)
	if err != nil {
		return nil, fmt.Errorf("write the bootstrap as YAML: %w", err)
	}
	return out, nil
}

// JSON is YAML's counterpart for programs, indented by two spaces.
func JSON(bootstrap *bootstrapv3.Bootstrap) ([]byte, error) {
	text, err := loose(bootstrap)
	if err != nil {
		return nil, err
	}
	// protojson varies its white space on purpose; json.Indent sets it.
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, fmt.Errorf("indent the bootstrap: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func loose(bootstrap *bootstrapv3.Bootstrap) ([]byte, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(bootstrap)
	if err != nil {
		return nil, fmt.Errorf("write the bootstrap as JSON: %w", err)
	}
	return text, nil
}
