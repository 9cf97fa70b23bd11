package replay

import (
	"fmt"
	"math"
	"strings"
)

// chart is a drawing, in the units of its view box.
type chart struct {
	Title         string
	Width, Height int
	Left, Right   string // where the lines of its grid begin and end
	Ticks         []tick
	Shapes        []shape
	Lines         []polyline
	Labels        []label
}

// tick is a line of the grid.
type tick struct {
	At, Text string
	Zero     bool
}

// shape is a bar.
type shape struct{ X, Y, Width, Height, Class, Title string }

// polyline is a curve.
type polyline struct{ Points, Class, Title string }

// label is a text, centred.
type label struct{ X, Y, Text, Class string }

// scale turns shares in percent into heights.
type scale struct {
	low, high   float64 // what the chart shows; more is cut off
	top, bottom float64
}

func (s scale) at(value float64) float64 {
	value = min(max(value, s.low), s.high)
	return s.bottom - (value-s.low)/(s.high-s.low)*(s.bottom-s.top)
}

// lowest is where charts of savings are cut off at the latest: how bad a policy
// is beyond that, its label says, and the others stay legible.
const lowest = -60

// savings is a scale for shares that are saved.
func savings(values []float64, top, bottom float64) scale {
	const step = 20
	low, high := 0.0, float64(step)
	for _, value := range values {
		low, high = min(low, value), max(high, value)
	}
	return scale{
		low: max(math.Floor(low/step)*step, lowest), high: math.Ceil(high/step) * step,
		top: top, bottom: bottom,
	}
}

// ticks are the lines of the grid, one every step.
func (s scale) ticks(step float64, text func(value float64) string) (ticks []tick) {
	for value := s.low; value <= s.high; value += step {
		ticks = append(ticks, tick{At: px(s.at(value)), Text: text(value), Zero: value == 0})
	}
	return ticks
}

func wholePercent(value float64) string {
	return strings.Replace(fmt.Sprintf("%.0f%%", value), "-", "−", 1)
}

// px writes a length.
func px(value float64) string { return fmt.Sprintf("%.1f", value) }
