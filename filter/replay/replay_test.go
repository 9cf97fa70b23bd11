package replay

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
)

var update = flag.Bool("update", false, "write the golden files anew")

// configuration is the one in testdata, with some of its text replaced.
func configuration(t *testing.T, old string, with ...string) *config.Config {
	t.Helper()
	text, err := os.ReadFile("testdata/pointsman.yaml")
	require.NoError(t, err)
	if old != "" {
		require.Contains(t, string(text), old)
		text = bytes.Replace(text, []byte(old), []byte(strings.Join(with, "")), 1)
	}
	cfg, err := config.Parse("pointsman.yaml", text)
	require.NoError(t, err)
	return cfg
}

// replayed replays files, and what "-" reads, and says what the problems were.
func replayed(t *testing.T, cfg *config.Config, options Options, files ...string) (*Report, []string) {
	t.Helper()
	problems := []string{}
	options.Problem = func(text string) { problems = append(problems, text) }
	if options.Every == 0 {
		options.Every = 1
	}
	if options.Regimes == nil {
		options.Regimes = Regimes{{0.1, 1.25}, {0.1, 1}}
	}
	r, err := New(cfg, options)
	require.NoError(t, err)
	return r.Run(files), problems
}

const sessions = "testdata/sessions.jsonl"

// TestReport_IsWrittenForPeopleAndPrograms replays sessions of all three APIs.
func TestReport_IsWrittenForPeopleAndPrograms(t *testing.T) {
	t.Parallel()
	report, problems := replayed(t, configuration(t, ""), Options{Regimes: DefaultRegimes()}, sessions)
	assert.Empty(t, problems)
	assert.False(t, report.Failed())
	for name, write := range map[string]func(io.Writer) error{
		"report.txt":  func(out io.Writer) error { return report.WriteText(out, Style{}) },
		"report.json": report.WriteJSON,
		"report.html": report.WriteHTML,
	} {
		var got bytes.Buffer
		require.NoError(t, write(&got))
		golden(t, name, got.Bytes())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(string(want), string(got)), "%s differs; -update writes it anew", path)
}

func TestReplay_PrunesAndKeepsItsPromisesInEachAPI(t *testing.T) {
	t.Parallel()
	for offset, name := range []string{"chat", "messages", "responses"} {
		report, problems := replayed(t, configuration(t, ""), Options{Every: 5, Offset: offset}, sessions)
		require.Empty(t, problems, name)
		require.Equal(t, 1, report.Sessions, name)
		assert.Positive(t, report.Results[0].TokensSaved, name)
		assert.Positive(t, report.Results[0].Pruned, name)
		assert.Equal(t, Checks{Requests: 2 * report.Requests}, report.Checks, name)
	}
}

func TestReplay_PrunesWhetherOrNotTheConfigurationDoes(t *testing.T) {
	t.Parallel()
	on, _ := replayed(t, configuration(t, ""), Options{}, sessions)
	off, _ := replayed(t, configuration(t, "enabled: true, "), Options{}, sessions)
	assert.Equal(t, on.Results, off.Results)
	var text strings.Builder
	require.NoError(t, off.WriteText(&text, Style{}))
	assert.Contains(t, text.String(), "prune.enabled is false in the configuration; this is what it would do\n")
}

func TestReplay_DoesNotDependOnHowTheWorkIsSpread(t *testing.T) {
	want, _ := replayed(t, configuration(t, ""), Options{}, sessions, sessions)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	got, _ := replayed(t, configuration(t, ""), Options{}, sessions, sessions)
	assert.Equal(t, want, got)
	assert.Equal(t, 8, got.Sessions)
}

func TestReplay_ChoosesSessions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{}, "abcdefg"},
		{Options{Every: 2}, "aceg"},
		{Options{Every: 2, Offset: 1}, "bdf"},
		{Options{Every: 3, Offset: 2}, "cf"},
		{Options{Limit: 2}, "ab"},
		{Options{Every: 2, Offset: 1, Limit: 2}, "bd"},
	} {
		var in strings.Builder
		for _, name := range "abcdefg" {
			in.WriteString(`{"session":"` + string(name) + `","api":"` + string(name) + `","messages":[]}` + "\n\n")
		}
		test.options.Stdin = strings.NewReader(in.String())
		_, problems := replayed(t, configuration(t, ""), test.options, Stdin)
		var got strings.Builder
		for _, problem := range problems {
			got.WriteByte(problem[len(problem)-3]) // of (is "a")
		}
		assert.Equal(t, test.want, got.String())
	}
}

func TestReplay_SaysWhatCannotBeReplayedAndGoesOn(t *testing.T) {
	t.Parallel()
	const good = `{"session":"s","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"}]}`
	path := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("nonsense\n\n"+good+"\n[]\n"), 0o600))
	report, problems := replayed(t, configuration(t, ""), Options{Stdin: strings.NewReader(good)}, "none.jsonl", path, Stdin)
	assert.Equal(t, []string{
		"open none.jsonl: no such file or directory",
		path + `:1: not a session: must be an object with "session" and "messages"`,
		path + `:4: not a session: must be an object with "session" and "messages"`,
	}, problems)
	assert.Equal(t, 2, report.Sessions)
	assert.Equal(t, 3, report.Unreadable)
	assert.True(t, report.Failed())
}

func TestReplay_ASessionThatTheConfigurationRefusesIsLeftOut(t *testing.T) {
	t.Parallel()
	const one = `{"session":"s","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"}]}`
	for want, test := range map[string]struct {
		cfg   *config.Config
		model string
	}{
		`stdin:1: session "s": call 1 at 0.1/1.25: it is answered with 404 instead of sent: `: {configuration(t, ""), "nobody"},
		`stdin:1: session "s": call 1 at 0.1/1.25: no model of the configuration speaks openai_chat_completions`: {
			configuration(t, "openai_chat_completions, "), "auto",
		},
		`stdin:1: session "s": call 1 at 0.1/1.25: it is answered with 413 instead of sent: `: {
			configuration(t, "virtual_models", "limits: {max_body_bytes: 20}\nvirtual_models"), "auto",
		},
	} {
		report, problems := replayed(t, test.cfg, Options{Model: test.model, Stdin: strings.NewReader(one)}, Stdin)
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], want)
		assert.Equal(t, []int{0, 1, 0}, []int{report.Sessions, report.Unreadable, report.Requests})
		var text, page bytes.Buffer
		require.NoError(t, report.WriteText(&text, Style{}))
		require.NoError(t, report.WriteHTML(&page))
		require.NoError(t, report.WriteJSON(io.Discard))
		assert.Contains(t, text.String(), "0 sessions, 0 requests")
		assert.Contains(t, text.String(), "Nothing was replayed.")
		assert.Contains(t, page.String(), "Nothing was replayed.")
		assert.Contains(t, page.String(), "1 session could not be replayed.")
	}
}

func TestReport_ABrokenPromiseIsSaidEverywhere(t *testing.T) {
	t.Parallel()
	report, _ := replayed(t, configuration(t, ""), Options{}, sessions)
	report.Checks.Longer = 7
	assert.True(t, report.Failed())
	var text, page, machine bytes.Buffer
	require.NoError(t, report.WriteText(&text, Style{Colour: true}))
	require.NoError(t, report.WriteHTML(&page))
	require.NoError(t, report.WriteJSON(&machine))
	assert.Contains(t, text.String(), "\x1b[31m✗\x1b[0m of 106 requests")
	assert.Contains(t, text.String(), "7 longer")
	assert.Contains(t, page.String(), "7 longer")
	assert.NotContains(t, page.String(), "nothing but tool results changed")
	assert.Contains(t, machine.String(), `"longer": 7`)
}

func TestReport_AddsUp(t *testing.T) {
	t.Parallel()
	report, _ := replayed(t, configuration(t, ""), Options{}, sessions)
	for _, result := range report.Results {
		inBins, requests, base, cost := 0, 0, 0.0, 0.0
		for _, bin := range result.Histogram {
			inBins += bin.Sessions
		}
		for _, call := range result.Calls {
			requests, base, cost = requests+call.Sessions, base+call.BaseCost, cost+call.Cost
		}
		assert.Equal(t, report.Sessions, inBins, result.Policy)
		assert.Equal(t, report.Requests, requests, result.Policy)
		assert.InDelta(t, result.Cost, cost, 1, result.Policy)
		assert.InDelta(t, result.CostSaved, saved(base, cost), 0.01, result.Policy)
		assert.LessOrEqual(t, result.Worst.CostSaved, result.CostSaved, result.Policy)
	}
}

func TestReport_NamesInHTMLAreText(t *testing.T) {
	t.Parallel()
	const evil = `{"session":"</table><script>x","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"}]}`
	report, _ := replayed(t, configuration(t, ""), Options{Stdin: strings.NewReader(evil)}, Stdin)
	var page bytes.Buffer
	require.NoError(t, report.WriteHTML(&page))
	assert.NotContains(t, page.String(), "<script")
	assert.Contains(t, page.String(), "&lt;script&gt;x")
}

func TestNew_SaysWhatIsWrongWithOptions(t *testing.T) {
	t.Parallel()
	good := Options{Regimes: DefaultRegimes(), Every: 1}
	for want, change := range map[string]func(*Options){
		"regimes: at least one is needed, such as 0.1/1.25":        func(o *Options) { o.Regimes = nil },
		"every: must be at least 1 (is 0)":                         func(o *Options) { o.Every = 0 },
		"offset: must be from 0 to 2, one less than every (is 3)":  func(o *Options) { o.Every, o.Offset = 3, 3 },
		"offset: must be from 0 to 0, one less than every (is -1)": func(o *Options) { o.Offset = -1 },
		"limit: must be at least 0 (is -1)":                        func(o *Options) { o.Limit = -1 },
	} {
		options := good
		change(&options)
		_, err := New(configuration(t, ""), options)
		require.EqualError(t, err, want)
	}
	_, err := New(configuration(t, "virtual_models: [{name: auto}]"), good)
	require.EqualError(t, err, "the configuration has no virtual model: say which model the requests ask for")
}

func TestReport_JSONIsInSnakeCase(t *testing.T) {
	t.Parallel()
	report, _ := replayed(t, configuration(t, ""), Options{}, sessions)
	var out bytes.Buffer
	require.NoError(t, report.WriteJSON(&out))
	var decoded any
	require.NoError(t, json.Unmarshal(out.Bytes(), &decoded))
	assertSnakeCase(t, decoded)
}

func assertSnakeCase(t *testing.T, value any) {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			assert.Regexp(t, "^[a-z]+(_[a-z]+)*$", name)
			assertSnakeCase(t, inner)
		}
	case []any:
		for _, inner := range value {
			assertSnakeCase(t, inner)
		}
	}
}

// Live, a shadowed session goes out as it came. Replayed, it says what enforcing
// would save.
func TestReplay_AShadowedModelIsReplayedAsEnforced(t *testing.T) {
	t.Parallel()
	shadowed := configuration(t, "{name: auto}", `{name: auto, aliases: ["m*"], mode: shadow}`)
	for _, name := range []string{"auto", "m"} {
		report, problems := replayed(t, shadowed, Options{Model: name}, sessions)
		assert.Empty(t, problems, name)
		assert.False(t, report.Failed(), name)
		enforced, _ := replayed(t, configuration(t, ""), Options{}, sessions)
		assert.Equal(t, enforced.Results, report.Results, name)
	}
}
