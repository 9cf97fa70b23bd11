package replay

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows.
type page struct {
	*Report

	Headline, Policy string
	Off              bool
	First            *tableRow // pointsman in the first regime
	Legend           []key
	Bars             chart
	Curves           chart
	Histograms       []chart
	Rows             []tableRow
	Kept             bool   // every promise
	Missing          string // what could not be replayed; empty for nothing
}

// key is an entry of the charts' legend.
type key struct{ Class, Title string }

// tableRow is a row of the page's table.
type tableRow struct {
	*Result

	Regime, Title                  string
	Tokens, Costs, Least, NameLost string
	Requests                       string // in which something is pruned
	Loss                           bool
}

// WriteHTML writes the report as one page, which needs nothing beside it.
func (r *Report) WriteHTML(out io.Writer) error {
	p := page{
		Report: r, Headline: r.headline(), Policy: r.settings(), Off: r.off,
		Kept: r.Checks.Broken() == 0,
	}
	if r.Unreadable > 0 {
		p.Missing = some(r.Unreadable, "session")
	}
	if len(r.Results) > 0 {
		p.draw()
	}
	if err := pageTemplate.Execute(out, &p); err != nil {
		return fmt.Errorf("html: %w", err)
	}
	return nil
}

func (p *page) draw() {
	for policy := configured; policy < policies; policy++ {
		p.Legend = append(p.Legend, key{Class: policy.String(), Title: policy.title(p.keep)})
	}
	p.Bars = p.costBars()
	p.Curves = p.callCurves()
	p.Histograms = p.sessionHistograms()
	for i := range p.Results {
		p.Rows = append(p.Rows, p.Results[i].tableRow(p.keep))
	}
	p.First = &p.Rows[0]
}

func (r *Result) tableRow(keep int) tableRow {
	return tableRow{
		Result: r, Regime: r.regime().String(), Title: r.policy.title(keep),
		Tokens: change(r.TokensSaved), Costs: change(r.CostSaved), Least: change(r.Worst.CostSaved),
		NameLost: percent(r.NeededPercent), Requests: grouped(r.Changed), Loss: r.CostSaved < 0,
	}
}
