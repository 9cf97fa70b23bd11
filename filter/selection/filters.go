package selection

import "github.com/pointsman/pointsman/filter/conversation"

// Kind says what a request was refused for. The hard filters come in the order
// in which they are applied; of several, the last one that a model reached is
// the one that it came nearest with.
type Kind uint8

// The kinds. They name what is wrong with the name that was asked for, and
// then the hard filters.
const (
	passes           Kind = iota // no filter holds against the model
	KindUnknownModel             // nothing has the name
	KindShadow                   // a shadowed request asked for no catalogue model
	KindAPI                      // models do not speak the API
	KindState                    // models are on clusters that hold no state
	KindFamily                   // models cannot read the sealed reasoning
	KindCapability               // models lack tools, vision, documents or json_schema
	KindRejects                  // models answer a parameter with 400
	KindOutput                   // more output is asked for than models give
	KindProficiency              // models are below min_tool_proficiency
	KindWindow                   // the context window is too small
)

var kindNames = [...]string{
	passes:           "",
	KindUnknownModel: "unknown model",
	KindShadow:       "shadow",
	KindAPI:          "API",
	KindState:        "held state",
	KindFamily:       "family",
	KindCapability:   "capabilities",
	KindRejects:      "rejected parameters",
	KindOutput:       "output limit",
	KindProficiency:  "tool proficiency",
	KindWindow:       "context window",
}

// String is the kind in words.
func (k Kind) String() string { return kindNames[k] }

// firstFailed returns the first hard filter that holds against a model.
func (d *demand) firstFailed(m *model) Kind {
	switch {
	case !m.speaks(d.api):
		return KindAPI
	case d.held != "" && !m.holdsState:
		return KindState
	case d.family != "" && m.GetFamily() != d.family:
		return KindFamily
	case !m.can.Has(d.needs):
		return KindCapability
	case d.rejectedBy(m) >= 0:
		return KindRejects
	case m.maxOutput > 0 && d.asked > m.maxOutput:
		return KindOutput
	case d.tools && m.weakTools != "":
		return KindProficiency
	case !d.anyWindow && d.needed > m.window:
		return KindWindow
	default:
		return passes
	}
}

// rejectedBy returns the first rule of a model that the body breaks, or -1.
func (d *demand) rejectedBy(m *model) int {
	if d.rejected == nil {
		return -1
	}
	for _, rule := range m.rejects {
		if d.rejected[rule] {
			return rule
		}
	}
	return -1
}

func (d *demand) missing(m *model) conversation.Capabilities { return d.needs &^ m.can }

// capabilities reads a catalogue entry's list.
func capabilities(names []string) conversation.Capabilities {
	var can conversation.Capabilities
	for _, name := range names {
		can |= capabilityBits[name]
	}
	return can
}

// capabilityBits are the capabilities that requests are held against. The
// catalogue's "reasoning" is not among them: no request demands it.
var capabilityBits = map[string]conversation.Capabilities{
	"tools":       conversation.Tools,
	"vision":      conversation.Vision,
	"documents":   conversation.Documents,
	"json_schema": conversation.JSONSchema,
}
