package page

import "tallynet/metrics/report/compare"

// Comparison is the page of two results side by side.
func Comparison(c *compare.Compared, command []string) Page {
	b := NewBuilder(Options{})
	for _, r := range c.Runs {
		b.Add(r)
	}
	p := b.Page(c.Summary)
	p.Answer(c.Answer, c.Summary)
	p.Charts.Ask, p.Charts.Map = nil, nil // a comparison answers no scenario's question
	p.Kind, p.Title, p.Command = "comparison", c.Title, Shell(command)
	p.Tables, p.Folded = c.Tables, nil
	return p
}
