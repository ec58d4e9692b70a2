package decision

import (
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
)

// Map has a cell for each cost and setting that was run.
type Map struct {
	X  Axis     `json:"x"`
	Y  Axis     `json:"y"`
	By []string `json:"by"` // what decides, as in result.Question
	// ByRows is true if the rows are what decides, since the settings differ in one thing only.
	ByRows bool   `json:"byRows,omitempty"`
	Cells  []Cell `json:"cells"`

	title string
	keys  []fold.Key
}

// Axis has the columns of a map from the left, or its rows from the top.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Cell is a place of a map.
type Cell struct {
	By      int      `json:"by"` // index into Map.By
	X       int      `json:"x"`
	Y       int      `json:"y"`
	Best    int      `json:"best"`    // how many choices tie for the best; 0: none gets there in half of its runs
	Choices []Choice `json:"choices"` // the best first; not all of many

	cell *result.Cell
}

// Choice is a choice in a cell.
type Choice struct {
	Name    string          `json:"name"`
	Color   int             `json:"color"` // the method, or the place among those that are best anywhere; -1: nowhere
	Cost    result.Interval `json:"cost"`
	Ratio   result.Interval `json:"ratio"`
	Arrived int             `json:"arrived"`
	Runs    int             `json:"runs"`
}

// mostChoices is the largest number of choices that a cell lists.
const mostChoices = 6

// Of returns the map of an answer, which may be nil. It returns nil if there are not several settings.
func Of(a *result.Answer, s *fold.Summary) *Map {
	if a == nil || len(a.Cells) == 0 {
		return nil
	}
	m := &Map{By: a.Question.By, title: a.Headline(), keys: s.Keys}
	columns, rows := places(a.Cells, s)
	if columns == nil {
		return nil
	}
	var x, y []int
	m.X, x = axisOf(columns)
	m.Y, y = axisOf(rows)
	if m.ByRows = len(m.Y.Values) == 1 && len(m.By) > 1; m.ByRows {
		m.Y = Axis{Values: list.Map(m.By, answer.CostName)}
	}
	winners := escape.Names(s.Labels)
	for i := range a.Cells {
		winners = list.Add(winners, a.Cells[i].BestNames()...)
	}
	for i := range a.Cells {
		c := &a.Cells[i]
		to := Cell{By: slices.Index(m.By, c.By), X: x[i], Y: y[i], Best: c.Best, cell: c}
		if m.ByRows {
			to.Y = to.By
		}
		shown := c.Choices[:min(len(c.Choices), max(mostChoices, c.Best))]
		to.Choices = list.Map(shown, func(of result.Choice) Choice {
			color := slices.Index(winners, of.Name)
			if color >= len(s.Labels) {
				color -= len(s.Labels)
			}
			return Choice{of.Name, color, of.Cost, of.Ratio, of.Arrived, of.Runs}
		})
		m.Cells = append(m.Cells, to)
	}
	return m
}

// place is where a cell stands on an axis.
type place struct {
	axis, label string
	words       string    // the label with the name of the axis: "latency 1 ms"
	order       []float64 // of the places on the axis
}

// places returns the column and the row of each cell; nil if there is only one setting. Columns are the values of one
// thing in which settings differ, if it tells all of them apart, or else of the first.
func places(cells []result.Cell, s *fold.Summary) (columns, rows []place) {
	settings, differing := map[string]bool{}, [][]place{}
	for i := range cells {
		settings[cells[i].Name] = true
	}
	for _, on := range everything(cells, s) {
		axis, _ := axisOf(on)
		switch n := len(axis.Values); {
		case n > 1 && n == len(settings): // it tells all of them apart, so that their names are its values
			for i := range on {
				if cells[i].Level == nil {
					on[i].label = strings.TrimPrefix(cells[i].Name, on[i].axis+" ")
				}
			}
			return on, make([]place, len(cells))
		case n > 1:
			differing = append(differing, on)
		}
	}
	rows = make([]place, len(cells))
	switch {
	case len(settings) < 2:
		return nil, nil
	case len(differing) < 2:
		return list.Map(cells, func(c result.Cell) place { return place{label: c.Name} }), rows
	case len(differing) == 2:
		for i, p := range differing[1] {
			if rows[i] = p; len(p.order) == 2 { // a number: upward
				rows[i].order = []float64{-p.order[0]}
			}
		}
		return differing[0], rows
	}
	for _, on := range differing[1:] {
		for i, p := range on {
			rows[i].label = strings.TrimPrefix(rows[i].label+", "+p.words, ", ")
			rows[i].order = append(rows[i].order, p.order...)
		}
	}
	return differing[0], rows
}

// everything returns the places of the cells on the axes of the keys that settings name, of the method, if each
// setting has its own, and of the level. The order of a number has a second element.
func everything(cells []result.Cell, s *fold.Summary) [][]place {
	var all [][]place
	var keys []string
	for i := range cells {
		keys = list.Add(keys, cells[i].At.Keys()...)
	}
	for _, name := range keys {
		key := &s.Keys[slices.IndexFunc(s.Keys, func(k fold.Key) bool { return k.Name == name })]
		var on []place
		for i := range cells {
			p := place{key.Title, "unset", "no " + key.Title, []float64{-1}}
			if v := valueOf(&cells[i], key); v >= 0 {
				p.label, p.words, p.order = key.Label(v), key.Setting(v, " "), []float64{float64(v)}
				if key.Numbers != nil {
					p.order = []float64{key.Numbers[v], 0}
				}
			}
			on = append(on, p)
		}
		all = append(all, on)
	}
	methods, levels := make([]place, len(cells)), make([]place, len(cells))
	for i := range cells {
		c := &cells[i]
		name := c.Choices[0].Method
		if !slices.ContainsFunc(c.Choices, func(of result.Choice) bool { return of.Method != name }) {
			methods[i] = place{axis: "method", label: escape.Name(name), words: escape.Name(name)}
		}
		if c.Level != nil {
			first := c.Level.Conditions[0]
			levels[i] = place{axis: first.Metric + " " + first.Relation, label: quantity.Measured(first.Value)}
			levels[i].words = levels[i].axis + " " + levels[i].label
		}
	}
	return append(all, methods, levels)
}

// valueOf returns the index of the value that a key has in a cell; -1 if it has none.
func valueOf(c *result.Cell, k *fold.Key) int {
	text, _ := c.At.Get(k.Name)
	return slices.Index(k.Values, text)
}

// axisOf returns the axis of some places, and the index of each there.
func axisOf(on []place) (Axis, []int) {
	var distinct []place
	for _, p := range on {
		if !slices.ContainsFunc(distinct, func(o place) bool { return o.label == p.label }) {
			distinct = append(distinct, p)
		}
	}
	slices.SortStableFunc(distinct, func(a, b place) int { return slices.Compare(a.order, b.order) })
	axis := Axis{on[0].axis, list.Map(distinct, func(p place) string { return p.label })}
	return axis, list.Map(on, func(p place) int { return slices.Index(axis.Values, p.label) })
}
