package selection

import (
	"strconv"
	"strings"

	"github.com/pointsman/pointsman/filter/conversation"
	"github.com/pointsman/pointsman/filter/decision"
)

// reason says why a model is out, given the hard filter that holds against it.
func (c *Catalogue) reason(failed Kind, m *model, d *demand) string {
	switch failed {
	case KindAPI:
		return "does not speak " + string(d.api)
	case KindState:
		return "cluster " + m.GetCluster() + " is not marked holds_state, which " + d.held + " needs"
	case KindFamily:
		return "family " + m.GetFamily() + " cannot read family " + d.family + "'s sealed reasoning"
	case KindCapability:
		return lacks(d.missing(m))
	case KindRejects:
		return c.rules[d.rejectedBy(m)].text
	case KindOutput:
		return "output limit: asks for " + grouped(d.asked) + " tokens of " + grouped(m.maxOutput)
	case KindProficiency:
		return m.weakTools
	case KindWindow:
		return "context window: needs " + grouped(d.needed) + " tokens of " + grouped(m.window)
	case passes, KindUnknownModel, KindShadow: // no hard filters
	}
	return ""
}

// tierReason says why a model that could take the request is not considered.
func tierReason(has, required decision.Tier) string { return tierReasons[has][required] }

var tierReasons = func() (table [decision.Reasoning + 1][decision.Reasoning + 1]string) {
	for has := range table {
		for required := range table[has] {
			table[has][required] = "tier " + decision.Tier(has).String() + " is below " + decision.Tier(required).String()
		}
	}
	return table
}()

// lacks names missing capabilities, such as "no tools, no vision".
func lacks(missing conversation.Capabilities) string { return lackReasons[missing] }

var lackReasons = func() (table [judged + 1]string) {
	for missing := range table {
		table[missing] = "no " + strings.Join(conversation.Capabilities(missing).Names(), ", no ")
	}
	return table
}()

// proficiencyReason is the reason against requests with tools; empty where the
// proficiency suffices.
func proficiencyReason(has, required float64) string {
	if has >= required {
		return ""
	}
	return "tool proficiency " + decimal(has) + " is below " + decimal(required)
}

func decimal(number float64) string { return strconv.FormatFloat(number, 'g', -1, 64) }

// grouped writes a count of tokens for readers, such as 131,072. The count is
// not negative.
func grouped(count int64) string {
	var text [26]byte // 19 digits and 6 commas at most
	at, digits := len(text), 0
	for {
		at--
		text[at] = byte('0' + count%10)
		count /= 10
		digits++
		if count == 0 {
			return string(text[at:])
		}
		if digits%3 == 0 {
			at--
			text[at] = ','
		}
	}
}
