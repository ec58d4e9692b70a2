package spec

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// choice is a setting of the scenario that a paper may make differently.
type choice struct {
	steps    []string // of its path: algorithms, the label, the parameter
	text     string   // its value, or the values that it takes in the study
	required bool     // a row of settings must name it
	at       keys.FilePosition
	covered  bool // a row names it
}

// comparable reports whether papers state the keys of the choice's section. Rows of settings need not name the others:
// network, machines and recording, which papers that count messages leave open.
func (c *choice) comparable() bool {
	return !slices.Contains([]string{"network", "compute", "dynamics", "faults", "silence", "record", "wire"}, c.steps[0])
}

// path returns the path of the choice as a row of settings names it.
func (c *choice) path() string {
	var b strings.Builder
	for i, s := range c.steps {
		switch {
		case strings.ContainsAny(s, ".[]"):
			fmt.Fprintf(&b, "[%q]", s)
		case i > 0:
			b.WriteString("." + s)
		default:
			b.WriteString(s)
		}
	}
	return b.String()
}

// under reports whether a path names the choice, an enclosing section, or a part of it.
func (c *choice) under(path []string) bool {
	n := min(len(path), len(c.steps))
	for i := range n {
		if path[i] != c.steps[i] && path[i] != "*" {
			return false
		}
	}
	return n > 0
}

// choices returns the choices of the scenario in the order of the file format. A key that the sweep, the list of
// points or a tuning varies has all of its values.
func (s *Scenario) choices() []choice {
	all := []choice{{[]string{"seeds"}, valueText(s.resolvedSeeds().Value), true, s.at("seeds"), false}}
	if len(s.Seeds) == 1 && s.DataSeed == nil {
		all[0].text, all[0].at = "1", s.at("seed")
	}
	for _, name := range []string{"topology", "network", "compute", "tariffs", "dynamics", "faults", "silence"} {
		all = append(all, s.sectionChoices(name, s.section(name), "kind", "nodes")...)
	}
	if sections.Compresses(s.Wire) {
		all = append(all, s.sectionChoices("wire", s.Compress)...)
	} else {
		all = append(all, choice{[]string{"wire"}, s.Wire, false, s.at("wire"), false})
	}
	all = append(all, s.sectionChoices("problem", s.Problem.Args, s.problemSizes()...)...)
	for _, a := range s.Algorithms {
		all = append(all, a.choices()...)
	}
	all = append(all, s.sectionChoices("stop", s.Stop)...)
	all = append(all, s.sectionChoices("record", s.Record)...)
	for _, axis := range s.varied() {
		c := choice{s.canonical(axis.Key), listText(axis.Values), true, s.at(axis.Key), false}
		k := slices.IndexFunc(all, func(o choice) bool { return slices.Equal(o.steps, c.steps) })
		if k < 0 {
			all = append(all, c)
			continue
		}
		c.at = all[k].at
		all[k] = c
	}
	return all
}

// varied returns the keys that the study varies, with their values: those of the sweep, then those of the points.
func (s *Scenario) varied() []Axis {
	varied := slices.Clone(s.Sweep)
	for _, point := range s.List {
		for _, v := range point.Values {
			k := slices.IndexFunc(varied, func(a Axis) bool { return a.Key == v.Key })
			if k < 0 {
				k, varied = len(varied), append(varied, Axis{Key: v.Key})
			}
			varied[k].Values = append(varied[k].Values, v.Value)
		}
	}
	return varied
}

// problemSizes returns the keys of the problem that a row of settings must name even if they have their defaults: all
// but those with a neutral value.
func (s *Scenario) problemSizes() []string {
	neutral := []any{false, 0, 1, 0.0, 1.0, "none", "shared"}
	var names []string
	for _, m := range s.Problem.Args.Resolved(keys.Which{}) {
		switch m.Value.(type) {
		case bool, int, float64, string:
			if slices.Contains(neutral, m.Value) {
				continue
			}
		}
		names = append(names, m.Key)
	}
	return names
}

// sectionChoices returns the choices of a section. A row of settings must name the keys that the file gives, and those
// in required.
func (s *Scenario) sectionChoices(name string, a keys.Args, required ...string) []choice {
	var all []choice
	for _, m := range a.Resolved(keys.Which{}) {
		c := choice{steps: []string{name, m.Key}, text: valueText(m.Value), at: s.at(name + "." + m.Key)}
		c.required = c.comparable() && (a.Given(m.Key) || slices.Contains(required, m.Key))
		all = append(all, c)
	}
	return all
}

// choices returns the parameters of an algorithm, tuned ones with the values that are tried.
func (a *AlgorithmSpec) choices() []choice {
	var all []choice
	for _, m := range MethodSettings(a.Args) {
		if m.Key == "tune" {
			continue
		}
		c := choice{[]string{"algorithms", a.Label, m.Key}, valueText(m.Value), a.Args.Given(m.Key), a.Args.PosOf(m.Key),
			false}
		if a.Tune != nil {
			for _, axis := range a.Tune.Grid {
				if axis.Key == m.Key {
					c.text, c.required = "tuned over "+listText(axis.Values), true
				}
			}
		}
		all = append(all, c)
	}
	if a.Tune != nil {
		rule := "least " + a.Tune.By
		if a.Tune.MoreBy {
			rule = "most " + a.Tune.By
		}
		for i, t := range a.Tune.To {
			rule += map[bool]string{true: " to ", false: " and "}[i == 0] + t.String()
		}
		all = append(all, choice{[]string{"algorithms", a.Label, "tune"}, rule, true, a.pos(), false})
	}
	return all
}

// matching returns the choices that a path names.
func (s *Scenario) matching(path string, all []choice) (found []*choice) {
	steps := s.canonical(path)
	for k := range all {
		if all[k].under(steps) {
			found = append(found, &all[k])
		}
	}
	return found
}

// canonical returns the steps of a path with an algorithm named by its label. It returns nil if path is not a path.
func (s *Scenario) canonical(path string) []string {
	steps, err := keys.ParsePath(path)
	if err != nil {
		return nil
	}
	if steps[0].Key == "seed" {
		return []string{"seeds"}
	}
	var all []string
	for i, step := range steps {
		name := step.Key
		if step.IsIndex {
			name = fmt.Sprint(step.Index)
		}
		if i == 1 && steps[0].Key == "algorithms" && name != "*" {
			name = step.Key
			if k := s.AlgorithmOf(step); k >= 0 && k < len(s.Algorithms) {
				name = s.Algorithms[k].Label
			}
		}
		all = append(all, name)
	}
	return all
}

// AlgorithmOf returns the index that a step has, or the index of the algorithm whose label or name it is; -1 if there
// is none.
func (s *Scenario) AlgorithmOf(step keys.PathStep) int {
	if step.IsIndex {
		return step.Index
	}
	i := slices.IndexFunc(s.Algorithms, func(a AlgorithmSpec) bool { return strings.EqualFold(a.Label, step.Key) })
	if i < 0 {
		i = slices.IndexFunc(s.Algorithms, func(a AlgorithmSpec) bool { return strings.EqualFold(a.Name, step.Key) })
	}
	return i
}

// choicesText formats choices that share a row: a single one as its value, several with their names.
func choicesText(all []choice) string {
	var names []string
	for _, c := range all {
		if n := c.steps[len(c.steps)-1]; !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	var words []string
	for _, name := range names {
		text := valuesOf(all, name)
		if len(names) > 1 {
			text = name + " " + text
		}
		words = append(words, text)
	}
	return strings.Join(words, "; ")
}

// valuesOf formats the values of the choices with a name. Values that differ are preceded by the label of their
// algorithm.
func valuesOf(all []choice, name string) string {
	var texts, labels []string
	for _, c := range all {
		if n := len(c.steps); c.steps[n-1] == name {
			texts = append(texts, c.text)
			labels = append(labels, c.steps[max(0, n-2)])
		}
	}
	if len(slices.Compact(slices.Clone(texts))) == 1 {
		return texts[0]
	}
	for i := range texts {
		texts[i] = labels[i] + ": " + texts[i]
	}
	return strings.Join(texts, ", ")
}
