package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

// shortMessage is how many characters a message may have that only continues
// the turn before it.
const shortMessage = 40

// why says in one phrase what led to a decision: the tier, the models that are
// out, and what the others would have cost. The decision before it in the
// session may be nil.
func why(d, before *routerv1.Decision) string {
	if d.GetVirtualModel() == "" {
		return "pinned: the client asked for " + d.GetRequestedModel()
	}
	facts := append(outPhrases(d.GetCandidates()), costPhrase(d))
	return tierPhrase(d, before) + ": " + strings.Join(facts, "; ")
}

func tierPhrase(d, before *routerv1.Decision) string {
	phrase := "tier " + d.GetTier()
	switch {
	case d.GetSource() == decision.SourceOverride:
		phrase += " by the client's hints"
	case d.GetSource() == decision.SourceFallback:
		phrase += ", the fallback"
	case d.GetHinted() != "":
		phrase += ", " + d.GetHinted() + " by the client's hint"
	case continues(d, before):
		phrase = "follows a " + d.GetTier() + " turn"
	}
	if required := d.GetRequiredTier(); required != d.GetTier() {
		phrase += ", " + required + " for " + d.GetVirtualModel()
	}
	return phrase
}

// continues says whether a short message has the weight of the turn before it.
func continues(d, before *routerv1.Decision) bool {
	return d.GetFraming().GetPriorChars() > 0 && d.GetFraming().GetMessageChars() <= shortMessage &&
		d.GetTier() == before.GetTier() && d.GetTier() != decision.Simple.String()
}

// outPhrases are the reasons against models, each with all the models that it
// holds against.
func outPhrases(candidates []*routerv1.Candidate) []string {
	var reasons []string
	out := map[string][]string{}
	for _, c := range candidates {
		if c.GetReason() == "" {
			continue
		}
		reason := shortReason(c.GetReason())
		if out[reason] == nil {
			reasons = append(reasons, reason)
		}
		out[reason] = append(out[reason], c.GetModel())
	}
	phrases := make([]string, len(reasons))
	for i, reason := range reasons {
		phrases[i] = holdsAgainst(out[reason], reason)
	}
	return phrases
}

// holdsAgainst makes a sentence of models and a reason against them.
func holdsAgainst(models []string, reason string) string {
	names, is, has := strings.Join(models, ", "), " is ", " has "
	if len(models) > 1 {
		is, has = " are ", " have "
	}
	switch {
	case reason == below:
		return names + is + reason
	case strings.HasPrefix(reason, "no "):
		return names + has + reason
	default:
		return names + ": " + reason
	}
}

const below = "below"

// shortReason leaves out of "tier simple is below complex" what the whole
// phrase begins with.
func shortReason(reason string) string {
	if strings.HasPrefix(reason, "tier ") && strings.Contains(reason, " is below ") {
		return below
	}
	return reason
}

// costPhrase lists the models that could have been chosen, cheapest first.
func costPhrase(d *routerv1.Decision) string {
	able := slices.DeleteFunc(slices.Clone(d.GetCandidates()), func(c *routerv1.Candidate) bool { return c.GetReason() != "" })
	slices.SortStableFunc(able, func(a, b *routerv1.Candidate) int { return cmp.Compare(a.GetCost(), b.GetCost()) })
	var phrase strings.Builder
	for i, c := range able {
		if i > 0 {
			phrase.WriteString([]string{" = ", " < "}[cmp.Compare(c.GetCost(), able[i-1].GetCost())])
		}
		phrase.WriteString(c.GetModel() + " " + usd(c.GetCost()))
	}
	return phrase.String()
}

// usd writes an amount with two digits that count, such as $0.0031.
func usd(amount float64) string {
	decimals := 2
	for limit := 0.1; amount > 0 && amount < limit && decimals < 9; limit /= 10 {
		decimals++
	}
	return fmt.Sprintf("$%.*f", decimals, amount)
}
