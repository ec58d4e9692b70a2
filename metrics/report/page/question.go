package page

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/decision"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
)

// openView is the chart that the answer names. Indices are -1 for anything.
type openView struct {
	View    string `json:"view"`
	Outcome int    `json:"outcome"` // of Outcomes
	Second  int    `json:"second"`  // of Outcomes: up, against the first
	Axis    int    `json:"axis"`    // of Axes
	Shape   int    `json:"shape"`   // of Axes: what shapes distinguish
	Cost    int    `json:"cost"`    // of Costs: below curves
	Metric  int    `json:"metric"`  // of Metrics: of curves
}

// asked is the question, and what it may be changed to.
type asked struct {
	Effect   string          `json:"-"` // what the effect is asked of, in words
	What     string          `json:"-"` // what is to be decided, in words
	By       []asking        `json:"by"`
	Choose   []int           `json:"choose"` // of Axes; -1: the method
	Along    []int           `json:"along"`  // in the same form
	Question result.Question `json:"question"`
}

// asking is something that may decide.
type asking struct {
	Word    string       `json:"word"` // in the scenario
	Degree  string       `json:"degree"`
	Unit    metrics.Unit `json:"unit"`
	Outcome int          `json:"outcome"` // of Outcomes; -1: the page has no values
}

// crossed is a value of a key at which the best choice changes.
type crossed struct {
	Axis    int     `json:"axis"`
	Outcome int     `json:"outcome"`
	Value   float64 `json:"value"`
	At      []int   `json:"at"` // the value on each of Axes; -1: any
	Text    string  `json:"text"`
}

// askable are the costs that a scenario may ask for, with their words.
var askable = []asking{{"time", "least", metrics.Seconds, 0}, {"bytes", "fewest", metrics.Bytes, 0},
	{"iterations", "fewest", metrics.Count, 0}, {"rounds", "fewest", metrics.Count, 0},
	{"gradients", "fewest", metrics.Count, 0}, {"energy", "least", metrics.Joules, 0},
	{"money", "least", metrics.Number, 0}}

// askableIDs are the IDs of these costs.
var askableIDs = []string{"time_s", "payload_bytes", "iterations", "rounds", "gradients", "energy_j", "money"}

// Answer puts the answer first: the question, headline and sentences, the map of the settings, and the chart that the
// answer names. The summary is that of Builder.Page.
func (p *Page) Answer(a *result.Answer, s *fold.Summary) {
	c, q := &p.Charts, &a.Question
	p.Headline, p.Sentences = a.Headline(), a.Sentences[1:]
	axisOf := func(key string) int { return slices.IndexFunc(c.Axes, func(x axis) bool { return x.Key == key }) }
	target := ""
	if q.To != nil {
		t := slices.IndexFunc(s.Targets, func(t fold.NamedTarget) bool { return t.Equal(*q.To) })
		target = fmt.Sprintf("to[%d].", t)
		for _, condition := range q.To.Conditions {
			c.addTarget(condition)
		}
	}
	outcome := func(by string) int {
		return slices.IndexFunc(c.Outcomes, func(o measure) bool {
			return o.ID == target+by || target == "" && o.ID == "totals."+by || o.ID == "final."+by
		})
	}
	c.Ask = &asked{What: words(c, append(slices.Clone(q.Choose), q.Of...)), Effect: words(c, q.Effect), Question: *q,
		Along: c.axesOf(q.Along), Choose: c.axesOf(append(slices.Clone(q.Choose), q.Of...))}
	for _, by := range slices.Concat(q.By, askableIDs, c.metricNames()) {
		to := asking{by, "best", metrics.Number, outcome(by)}
		if i := slices.Index(askableIDs, by); i >= 0 {
			to = askable[i]
			to.Outcome = outcome(by)
		}
		known := slices.ContainsFunc(c.Ask.By, func(other asking) bool { return other.Word == to.Word })
		if !known && (to.Outcome >= 0 || len(c.Ask.By) < len(q.By)) {
			c.Ask.By = append(c.Ask.By, to)
		}
	}
	c.Map = decision.Of(a, s)
	for _, x := range a.Crossovers {
		if axis := axisOf(x.Along); axis >= 0 && x.Method != "grid" {
			at := slices.Repeat([]int{-1}, len(c.Axes))
			for _, setting := range strings.Split(x.At, ", ") {
				key, value, _ := strings.Cut(setting, " ")
				if k := slices.IndexFunc(s.Keys, func(k fold.Key) bool { return k.Name == key }); axisOf(key) >= 0 {
					at[axisOf(key)] = slices.Index(s.Keys[k].Values, value)
				}
			}
			c.Crossed = append(c.Crossed, crossed{axis, outcome(x.By), x.Value, at, quantity.In(x.Unit, x.Value, 3)})
		}
	}
	view := map[string]string{"map": "parameter", "lines": "parameter", "bars": "parameter", "scatter": "pareto"}
	open := openView{View: view[a.Chart.Kind], Outcome: outcome(q.By[0]), Second: outcome(a.Chart.Y),
		Axis: axisOf(a.Chart.X), Shape: axisOf(a.Chart.Shape),
		Cost:   slices.IndexFunc(c.Costs, func(m measure) bool { return m.ID == q.By[0] }),
		Metric: slices.IndexFunc(c.Metrics, func(m measure) bool { return m.Name == a.Chart.Y })}
	if !p.has(open.View) {
		open.View = "curves"
	}
	if p.has(open.View) {
		c.Open = &open
	}
}

// metricNames returns the names of the metrics of curves.
func (c *chartData) metricNames() []string {
	return list.Map(c.Metrics, func(m measure) string { return m.Name })
}

// axesOf returns the axes that names of a question stand for, as far as the page has them; -1 for the method.
func (c *chartData) axesOf(names []string) []int {
	all := []int{}
	for _, name := range names {
		if name == result.TheMethod || name == result.TheParameters {
			all = append(all, -1)
		}
		for i, x := range c.Axes {
			if x.Key == name || strings.HasPrefix(x.Key, name+".") {
				all = append(all, i)
			}
		}
	}
	return all
}

// words returns names of a question for people.
func words(c *chartData, names []string) string {
	var all []string
	for _, name := range names {
		if i := slices.IndexFunc(c.Axes, func(x axis) bool { return x.Key == name }); i >= 0 {
			name = c.Axes[i].Name
		} else if name == result.TheMethod {
			name = "method"
		}
		all = append(all, escape.Name(name))
	}
	return answer.Enumerated(all)
}
