package config_test

import (
	"fmt"

	"github.com/pointsman/pointsman/filter/config"
)

func ExampleParse() {
	_, err := config.Parse("pointsman.yaml", []byte(`
default_model: medum
models:
  - name: medium
    cluster: provider
    apis: [openai_chat_completions]
    tier: medium
    context_windw: 200000
    price: {input: 0.6, output: 2.4}
prune:
  max_summarize_chars: 100
`))
	fmt.Println(err)
	// Output:
	// pointsman.yaml:2: default_model: no model is called "medum": did you mean medium?
	// pointsman.yaml:8: models[0].context_windw: unknown key: did you mean context_window?
	// pointsman.yaml:11: prune.max_summarize_chars: must be at least 3200 (is 100)
}
