package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// callCurves has a curve for each policy in the first regime: what share of the
// cost of all calls up to one was saved.
func (r *Report) callCurves() chart {
	results := r.Results[:policies-configured]
	curves := make([][]float64, len(results))
	var values []float64
	for i := range results {
		curves[i] = results[i].savedSoFar()
		values = append(values, curves[i]...)
	}
	s := savings(values, topEdge, bottomEdge)
	regime := results[0].regime().String()
	c := chart{
		Title: "Input cost saved up to a session's nth call, at " + regime, Width: wide, Height: high,
		Left: px(leftEdge), Right: px(rightEdge), Ticks: s.ticks(20, wholePercent),
	}
	for i := range slices.Backward(results) { // pointsman last, on top
		c.Lines = append(c.Lines, polyline{
			Points: s.points(curves[i]), Class: results[i].policy.String(),
			Title: fmt.Sprintf("%s: %s in the end", results[i].policy.title(r.keep), change(results[i].CostSaved)),
		})
	}
	c.Labels = callNumbers(len(curves[0]))
	return c
}

// savedSoFar is, by call, what share of the cost up to it was saved.
func (r *Result) savedSoFar() []float64 {
	out := make([]float64, len(r.Calls))
	base, cost := 0.0, 0.0
	for i, call := range r.Calls {
		base, cost = base+call.BaseCost, cost+call.Cost
		out[i] = saved(base, cost)
	}
	return out
}

func (s scale) points(values []float64) string {
	points := make([]string, len(values))
	for i, value := range values {
		points[i] = px(callAt(i, len(values))) + "," + px(s.at(value))
	}
	return strings.Join(points, " ")
}

// callAt is where a call stands among so many.
func callAt(i, of int) float64 {
	return leftEdge + (rightEdge-leftEdge)*float64(i)/float64(max(of-1, 1))
}

// callNumbers labels about ten of the calls.
func callNumbers(calls int) (labels []label) {
	step := max(1, calls/10)
	if step > 5 {
		step = (step + 4) / 5 * 5
	}
	for i := range calls {
		if number := i + 1; number == 1 || number%step == 0 {
			labels = append(labels, label{X: px(callAt(i, calls)), Y: px(bottomEdge + 20), Text: strconv.Itoa(number), Class: "edge"})
		}
	}
	return labels
}
