package replay

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsName_TellsIdentifiersAndPathsFromProse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"load_invoice": true, "src/a.py": true, "fooBar": true, "FooBar": true, "HTTPServer": true, "utf8ness": true, "v1.2.3b": true,
		"invoice": false, "Invoice": false, "README": false, "well-known": false,
		"2024-05-15": false, "123456": false, "a_b": false, "a.b/c": false,
	} {
		assert.Equal(t, want, isName([]byte(name)), name)
	}
}

func TestEachName_ReadsTextAndTheJSONWithinIt(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		`"see ./src/a.py, then src/b.py."`:                            {"src/a.py", "src/b.py"},
		`"\u0066oo_bar\nfooBar(x)"`:                                   {"foo_bar", "fooBar"},
		`{"function": {"arguments": "{\"path\": \"x\\nsrc/a.py\"}"}}`: {"src/a.py"},
		`[{"member_name": 1}, "[broken_json"]`:                        {"member_name", "broken_json"},
		`"ünder_score_größe"`:                                         {"nder_score_gr"},
		`"\ud83d lone_half"`:                                          {"lone_half"},
		`123456`:                                                      nil,
		``:                                                            nil,
	} {
		var got []string
		eachName([]byte(value), func(name []byte) { got = append(got, string(name)) })
		assert.Equal(t, want, got, value)
	}
}
