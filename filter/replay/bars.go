package replay

import "fmt"

// The sizes of the two wide charts.
const (
	wide, high               = 920, 340
	leftEdge, rightEdge      = 52.0, 908.0
	topEdge, bottomEdge      = 24.0, 300.0
	gapInGroup, gapInBetween = 3.0, 0.22 // units; share of a group
)

// costBars has a group of bars for each regime and a bar for each policy.
func (r *Report) costBars() chart {
	values := make([]float64, len(r.Results))
	for i := range r.Results {
		values[i] = r.Results[i].CostSaved
	}
	s := savings(values, topEdge, bottomEdge)
	c := chart{
		Title: "Input cost saved, by policy and regime", Width: wide, Height: high, Left: px(leftEdge), Right: px(rightEdge),
		Ticks: s.ticks(20, wholePercent),
	}
	perGroup := int(policies - configured)
	group := (rightEdge - leftEdge) / float64(len(r.Results)/perGroup)
	width := group*(1-gapInBetween)/float64(perGroup) - gapInGroup
	for i := range r.Results {
		result := &r.Results[i]
		left := leftEdge + group*float64(i/perGroup) + group*gapInBetween/2 + float64(i%perGroup)*(width+gapInGroup)
		c.Shapes = append(c.Shapes, s.bar(left, width, result.CostSaved, result.policy.String(),
			fmt.Sprintf("%s at %s: %s", result.policy.title(r.keep), result.regime(), change(result.CostSaved))))
		c.Labels = append(c.Labels, s.valueLabel(left+width/2, result.CostSaved))
		if i%perGroup == 0 {
			c.Labels = append(c.Labels, label{
				X: px(leftEdge + group*(float64(i/perGroup)+0.5)), Y: px(bottomEdge + 28), Text: result.regime().String(), Class: "group",
			})
		}
	}
	return c
}

// bar stands on zero, or hangs from it.
func (s scale) bar(left, width, value float64, class, title string) shape {
	zero, end := s.at(0), s.at(value)
	return shape{X: px(left), Y: px(min(zero, end)), Width: px(width), Height: px(max(zero, end) - min(zero, end)), Class: class, Title: title}
}

// valueLabel stands at a bar's end, on its outer side.
func (s scale) valueLabel(x, value float64) label {
	y := s.at(value) - 5
	if value < 0 {
		y = s.at(value) + 13
	}
	return label{X: px(x), Y: px(y), Text: wholePercent(value), Class: "value"}
}

// The size of a histogram.
const (
	narrow, low               = 290, 190
	histogramLeft, histoRight = 34.0, 268.0
	histoTop, histoBottom     = 14.0, 150.0
)

// sessionHistograms has a histogram of pointsman for each regime, all of one
// scale.
func (r *Report) sessionHistograms() (charts []chart) {
	from, to, most := 0, binWidth, 1
	for i := range r.Results {
		if r.Results[i].policy == configured {
			for _, bin := range r.Results[i].Histogram {
				from, to, most = min(from, bin.From), max(to, bin.To), max(most, bin.Sessions)
			}
		}
	}
	step := 1 + (most-1)/4
	s := scale{low: 0, high: float64((most + step - 1) / step * step), top: histoTop, bottom: histoBottom}
	for i := range r.Results {
		if r.Results[i].policy == configured {
			charts = append(charts, r.Results[i].histogramChart(s, step, from, to))
		}
	}
	return charts
}

func (r *Result) histogramChart(s scale, step, from, to int) chart {
	c := chart{
		Title: r.regime().String(), Width: narrow, Height: low, Left: px(histogramLeft), Right: px(histoRight),
		Ticks: s.ticks(float64(step), func(value float64) string { return fmt.Sprintf("%.0f", value) }),
	}
	width := (histoRight - histogramLeft) / float64((to-from)/binWidth)
	for _, bin := range r.Histogram {
		class := configured.String()
		if bin.From < 0 {
			class = "loss"
		}
		left := histogramLeft + width*float64((bin.From-from)/binWidth)
		c.Shapes = append(c.Shapes, s.bar(left+1, width-2, float64(bin.Sessions), class,
			fmt.Sprintf("%d%% to %d%%: %s", bin.From, bin.To, some(bin.Sessions, "session"))))
	}
	every := 1 + (to-from)/(8*binWidth)
	for edge := from; edge <= to; edge += binWidth * every {
		c.Labels = append(c.Labels, label{
			X: px(histogramLeft + width*float64((edge-from)/binWidth)), Y: px(histoBottom + 18), Text: wholePercent(float64(edge)), Class: "edge",
		})
	}
	return c
}
