package decision

import (
	"cmp"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
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
	Color   int             `json:"color"` // the method, or else the place among the choices that are best anywhere; -1: nowhere
	Cost    result.Interval `json:"cost"`
	Ratio   result.Interval `json:"ratio"`
	Arrived int             `json:"arrived"`
	Runs    int             `json:"runs"`
}

// mostChoices is the largest number of choices that a cell lists.
const mostChoices = 6

// dimension is something in which settings differ.
type dimension struct {
	name   string
	number bool
	values []string // for people
	words  []string // the same with the name: "latency 1ms"
	of     []int    // by cell: index into values; -1: the cell has no place
}

// Of returns the map of an answer, which may be nil. It returns nil if there are not several settings.
func Of(a *result.Answer, s *fold.Summary) *Map {
	if a == nil {
		return nil
	}
	m := &Map{By: a.Question.By, title: a.Headline(), keys: s.Keys}
	x, rows := axes(a.Cells, s)
	if x == nil {
		return nil
	}
	m.X, m.Y = Axis{x.name, x.values}, Axis{rows.name, rows.values}
	if m.ByRows = len(rows.values) == 1 && len(m.By) > 1; m.ByRows {
		m.Y = Axis{}
		for _, by := range m.By {
			m.Y.Values = append(m.Y.Values, CostName(by))
		}
	}
	winners := escape.Names(s.Labels)
	for i := range a.Cells {
		c := &a.Cells[i]
		if x.of[i] < 0 || rows.of[i] < 0 {
			continue
		}
		to := Cell{By: slices.Index(m.By, c.By), X: x.of[i], Y: rows.of[i], Best: c.Best, cell: c}
		if m.ByRows {
			to.Y = to.By
		}
		for _, of := range c.Choices[:c.Best] {
			if !slices.Contains(winners, of.Name) {
				winners = append(winners, of.Name)
			}
		}
		m.Cells = append(m.Cells, to)
	}
	for i := range m.Cells {
		for _, of := range m.Cells[i].cell.Choices {
			color := slices.Index(winners, of.Name)
			if color >= len(s.Labels) {
				color -= len(s.Labels)
			}
			if len(m.Cells[i].Choices) < max(mostChoices, m.Cells[i].Best) {
				m.Cells[i].Choices = append(m.Cells[i].Choices, Choice{of.Name, color, of.Cost, of.Ratio, of.Arrived, of.Runs})
			}
		}
	}
	return m
}

// CostName names what decides.
func CostName(by string) string {
	if c := metrics.FindCost(by); c != nil {
		return c.Name
	}
	return by
}

// axes returns the columns and the rows; nil if there is only one setting.
func axes(cells []result.Cell, s *fold.Summary) (x, rows *dimension) {
	all := slices.DeleteFunc(dimensions(cells, s), func(d *dimension) bool { return len(d.values) < 2 })
	settings := map[string]bool{}
	for i := range cells {
		settings[cells[i].Name] = true
	}
	told := func(d *dimension) bool { return len(d.values) == len(settings) }
	switch i := slices.IndexFunc(all, told); {
	case len(settings) < 2:
		return nil, nil
	case i >= 0: // it tells all settings apart
		all = all[i : i+1]
		if cells[0].Level == nil {
			all[0].rename(cells)
		}
	case len(all) < 2:
		all = []*dimension{{}}
		for i := range cells {
			all[0].add(cells[i].Name)
		}
	case len(all) == 2 && all[1].number: // upward
		slices.Reverse(all[1].values)
		for i := range cells {
			all[1].of[i] = len(all[1].values) - 1 - all[1].of[i]
		}
	}
	return all[0], combined(all[1:], len(cells))
}

// rename names the values of a dimension as the answer names the settings.
func (d *dimension) rename(cells []result.Cell) {
	for i, v := range d.of {
		d.values[v] = strings.TrimPrefix(cells[i].Name, d.name+" ")
	}
}

// add appends a cell with its value.
func (d *dimension) add(value string) {
	i := slices.Index(d.values, value)
	if i < 0 {
		i, d.values, d.words = len(d.values), append(d.values, value), append(d.words, value)
	}
	d.of = append(d.of, i)
}

// dimensions returns the keys that settings name, in their order, the method, if each setting has its own, and the
// level. Numbers are in order.
func dimensions(cells []result.Cell, s *fold.Summary) []*dimension {
	var all []*dimension
	var keys []string
	methods, levels := &dimension{name: "method"}, &dimension{}
	for i := range cells {
		c := &cells[i]
		for _, at := range c.At {
			if !slices.Contains(keys, at.Key) {
				keys = append(keys, at.Key)
			}
		}
		method := escape.Name(c.Choices[0].Method)
		if slices.ContainsFunc(c.Choices, func(of result.Choice) bool { return of.Method != c.Choices[0].Method }) {
			method = ""
		}
		methods.add(method)
		if c.Level == nil {
			levels.of = append(levels.of, -1)
			continue
		}
		first := c.Level.Conditions[0]
		levels.name = first.Metric + " " + first.Relation
		levels.add(quantity.Measured(first.Value))
	}
	for _, key := range keys {
		k := slices.IndexFunc(s.Keys, func(k fold.Key) bool { return k.Name == key })
		all = append(all, ofKey(cells, &s.Keys[k]))
	}
	return append(all, methods, levels)
}

// ofKey returns the dimension of a key.
func ofKey(cells []result.Cell, k *fold.Key) *dimension {
	d := &dimension{name: k.Title, number: k.Numbers != nil}
	var present []int // indices of values; -1: unset
	for i := range cells {
		value := -1
		for _, at := range cells[i].At {
			if at.Key == k.Name {
				value = slices.Index(k.Values, at.Text())
			}
		}
		d.of = append(d.of, value)
		if !slices.Contains(present, value) {
			present = append(present, value)
		}
	}
	slices.SortFunc(present, func(a, b int) int {
		if a < 0 || b < 0 || !d.number {
			return a - b
		}
		return cmp.Compare(k.Numbers[a], k.Numbers[b])
	})
	for i, v := range d.of {
		d.of[i] = slices.Index(present, v)
	}
	for _, v := range present {
		if v < 0 {
			d.values, d.words = append(d.values, "unset"), append(d.words, "no "+d.name)
			continue
		}
		d.values, d.words = append(d.values, k.Label(v)), append(d.words, k.Setting(v, " "))
	}
	return d
}

// combined returns the rows of several dimensions.
func combined(of []*dimension, cells int) *dimension {
	switch len(of) {
	case 0:
		return &dimension{values: []string{""}, of: make([]int, cells)}
	case 1:
		return of[0]
	}
	d, rest := of[0], combined(of[1:], cells)
	both := &dimension{of: slices.Repeat([]int{-1}, cells)}
	for i := range d.values {
		for j := range rest.values {
			row := -1
			for c := range cells {
				if d.of[c] != i || rest.of[c] != j {
					continue
				}
				if row < 0 {
					row, both.values = len(both.values), append(both.values, d.words[i]+", "+rest.words[j])
				}
				both.of[c] = row
			}
		}
	}
	both.words = both.values
	return both
}
