package selection

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/filter/conversation"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// RefusedError says why no model takes a request.
type RefusedError struct {
	// Kind is what is wrong. Where models are out by different filters it is the
	// one that the nearest model failed.
	Kind Kind
	// Model is the catalogue model that came nearest; empty for KindUnknownModel
	// and KindShadow.
	Model string
	// Tokens and Maximum are what was asked for and the most that could have
	// been, for two kinds. KindWindow: the estimated prompt, and the largest
	// prompt that fits into the nearest model's window beside the answer.
	// KindOutput: the requested answer, and the nearest model's limit. Tokens is
	// more than Maximum, but for an empty prompt beside an answer that overfills
	// the window, where both are 0.
	Tokens  int
	Maximum int
	// Candidates are the models that were considered, each with its reason.
	Candidates []*routerv1.Candidate

	message string
}

// Error says what is wrong, names the filter and the nearest model, and quotes
// nothing of the request but its model.
func (r *RefusedError) Error() string { return r.message }

func (c *Catalogue) refusal(t Target, f *field, d *demand, candidates []*routerv1.Candidate) *RefusedError {
	kind := slices.Max(f.failed)
	nearest := f.nearest(kind, d)
	r := &RefusedError{Kind: kind, Model: nearest.GetName(), Candidates: candidates}
	if kind == KindWindow {
		r.Tokens, r.Maximum = int(d.prompt), int(c.largestPrompt(nearest.window, d.answer))
	}
	if kind == KindOutput {
		r.Tokens, r.Maximum = int(d.asked), int(nearest.maxOutput)
	}
	if t.Virtual == nil {
		r.message = "model " + nearest.GetName() + " cannot take this request: " + c.reason(kind, nearest, d)
		return r
	}
	r.message = "no model of " + t.Virtual.Name + " can take this request: " + c.shortfall(kind, nearest, d) + others(f.failed, kind)
	return r
}

// nearest returns, of the models that failed at a filter, the one that failed
// by least, and of equal ones the first.
func (f *field) nearest(kind Kind, d *demand) *model {
	var nearest *model
	var best float64
	for i, m := range f.models {
		if f.failed[i] != kind {
			continue
		}
		if near := closeness(kind, m, d); nearest == nil || near > best {
			nearest, best = m, near
		}
	}
	return nearest
}

// closeness ranks the models that failed at one filter: by how much they have
// of what it measures, and otherwise by how few capabilities they lack.
func closeness(kind Kind, m *model, d *demand) float64 {
	if kind == KindWindow {
		return float64(m.window)
	}
	if kind == KindOutput {
		return float64(m.maxOutput)
	}
	if kind == KindProficiency {
		return m.GetToolProficiency()
	}
	return -float64(bits.OnesCount8(uint8(d.missing(m))))
}

// shortfall says what all candidates lack, and how far the nearest gets.
func (c *Catalogue) shortfall(kind Kind, nearest *model, d *demand) string {
	if kind == KindAPI {
		return "none speaks " + string(d.api)
	}
	if kind == KindState {
		return d.held + " refers to a part of the conversation that a provider holds, and none of them is on a cluster " +
			"marked holds_state: send the whole conversation"
	}
	if kind == KindWindow {
		return "context window: needs " + grouped(d.needed) + " tokens (prompt " + grouped(d.prompt) + ", margin " +
			grouped(c.margin(d.prompt)) + ", answer " + grouped(d.answer) + "); largest window: " +
			nearest.GetName() + ", " + grouped(nearest.window) + " tokens"
	}
	if kind == KindOutput {
		return "output limit: asks for " + grouped(d.asked) + " tokens; largest limit: " +
			nearest.GetName() + ", " + grouped(nearest.maxOutput) + " tokens"
	}
	return kind.String() + ": nearest is " + nearest.GetName() + ": " + c.reason(kind, nearest, d)
}

// others names the filters that ruled out further models before.
func others(failed []Kind, kind Kind) string {
	var names []string
	for earlier := KindAPI; earlier < kind; earlier++ {
		if slices.Contains(failed, earlier) {
			names = append(names, earlier.String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; other models are out by " + strings.Join(names, ", ")
}

func (c *Catalogue) unknownModel(requested string) *RefusedError {
	message := "unknown model " + quoted(requested)
	if len(c.virtual) > 0 {
		message += ": ask for " + c.someVirtual() + " or for a model of the catalogue"
	}
	return &RefusedError{Kind: KindUnknownModel, message: message}
}

// someVirtual names the first virtual models.
func (c *Catalogue) someVirtual() string {
	const shown = 5
	names := make([]string, 0, shown)
	for _, v := range c.virtual[:min(shown, len(c.virtual))] {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

func shadowRefusal(v *Virtual, requested string) *RefusedError {
	message := "virtual model " + v.Name + " is in shadow mode, where a request goes to the model that it asks for, and " +
		quoted(requested) + " is no model of the catalogue"
	return &RefusedError{Kind: KindShadow, message: message}
}

func pinnedAPIRefusal(found []*model, requested string, api conversation.API) *RefusedError {
	var speaks []string
	for _, m := range found {
		for _, spoken := range m.GetApis() {
			if !slices.Contains(speaks, spoken) {
				speaks = append(speaks, spoken)
			}
		}
	}
	return &RefusedError{
		Kind: KindAPI, Model: found[0].GetName(),
		message: "model " + quoted(requested) + " does not speak " + string(api) + ": it speaks " + strings.Join(speaks, ", "),
	}
}

// quoted quotes a name that came from the client, and cuts it where nobody
// would read on.
func quoted(name string) string {
	const shown = 100
	if len(name) > shown {
		return strconv.Quote(strings.ToValidUTF8(name[:shown], "")) + "…"
	}
	return strconv.Quote(name)
}
