package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// choice is something that a scenario sets, and that a paper may set otherwise.
type choice struct {
	steps  []string // of its path: algorithms, the label, the parameter
	text   string   // its value, or the values that it takes in the study
	wanted bool     // a row of settings must name it
	at     keys.FilePosition
}

// counts reports whether the section of the choice is one whose keys a row must name where a
// file gives them: networks, machines and records are none, since papers that count do not set
// them.
func (c *choice) counts() bool {
	return !slices.Contains([]string{"network", "compute", "dynamics", "faults", "silence", "record", "wire"}, c.steps[0])
}

// path returns the path of the choice, as a row of settings names it.
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

// under reports whether a path names the choice, the section around it, or a part of it.
func (c *choice) under(path []string) bool {
	n := min(len(path), len(c.steps))
	for i := range n {
		if path[i] != c.steps[i] && path[i] != "*" {
			return false
		}
	}
	return n > 0
}

// canonical returns the steps of a path as a row of settings writes it: an algorithm by its
// label, whichever way it is named. It returns nil for what is not a path.
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
			name = s.labelOf(step)
		}
		all = append(all, name)
	}
	return all
}

// labelOf returns the label of the algorithm that a step names by index, label or name.
func (s *Scenario) labelOf(step keys.PathStep) string {
	if step.IsIndex && step.Index < len(s.Algorithms) {
		return s.Algorithms[step.Index].Label
	}
	for _, a := range s.Algorithms {
		if strings.EqualFold(a.Label, step.Key) {
			return a.Label
		}
	}
	for _, a := range s.Algorithms {
		if strings.EqualFold(a.Name, step.Key) {
			return a.Label
		}
	}
	return step.Key
}

// choices returns all that the scenario sets, in the order of the file format: the sections
// key by key, with the values that a sweep, a list of points or a tuning gives.
func (s *Scenario) choices() []choice {
	all := []choice{{[]string{"seeds"}, valueText(s.seedPair().Value), true, s.at("seeds")}}
	if len(s.Seeds) == 1 && s.DataSeed == nil {
		all[0].text, all[0].at = "1", s.at("seed")
	}
	all = append(all, s.section("topology", s.Topology.Args, "kind", "nodes")...)
	all = append(all, s.section("network", s.Network)...)
	all = append(all, s.section("compute", s.Compute)...)
	if s.Tariffs.Read() {
		all = append(all, s.section("tariffs", s.Tariffs)...)
	}
	all = append(all, s.section("dynamics", s.Dynamics)...)
	all = append(all, s.section("faults", s.Faults)...)
	all = append(all, s.section("silence", s.Silence)...)
	if sections.Compresses(s.Wire) {
		all = append(all, s.section("wire", s.Compress)...)
	} else {
		all = append(all, choice{[]string{"wire"}, s.Wire, false, s.at("wire")})
	}
	all = append(all, s.section("problem", s.Problem.Args, s.sizes()...)...)
	for _, a := range s.Algorithms {
		all = append(all, s.parameters(a)...)
	}
	all = append(all, s.section("stop", s.Stop)...)
	all = append(all, s.section("record", s.Record)...)
	for _, axis := range s.Sweep {
		all = s.varied(all, axis.Key, axis.Values)
	}
	var listed []Axis
	for _, point := range s.List {
		for _, v := range point {
			k := slices.IndexFunc(listed, func(a Axis) bool { return a.Key == v.Key })
			if k < 0 {
				k, listed = len(listed), append(listed, Axis{Key: v.Key})
			}
			listed[k].Values = append(listed[k].Values, v.Value)
		}
	}
	for _, axis := range listed {
		all = s.varied(all, axis.Key, axis.Values)
	}
	return all
}

// sizes returns the keys of the problem whose values a row of settings must name even where
// they are defaults: all but those that change nothing.
func (s *Scenario) sizes() []string {
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

// section returns the choices of a section. Wanted are those that the file gives, and some
// others.
func (s *Scenario) section(name string, a keys.Args, wanted ...string) []choice {
	var all []choice
	if !a.Read() {
		return nil
	}
	for _, m := range a.Resolved(keys.Which{}) {
		c := choice{steps: []string{name, m.Key}, text: valueText(m.Value), at: s.at(name + "." + m.Key)}
		c.wanted = c.counts() && (a.Given(m.Key) || slices.Contains(wanted, m.Key))
		all = append(all, c)
	}
	return all
}

// parameters returns what an algorithm sets; of what is tuned, the values that are tried.
func (s *Scenario) parameters(a AlgorithmSpec) []choice {
	var all []choice
	for _, m := range MethodSettings(a.Args) {
		if m.Key == "tune" {
			continue
		}
		c := choice{[]string{"algorithms", a.Label, m.Key}, valueText(m.Value), a.Args.Given(m.Key), a.Args.PosOf(m.Key)}
		if a.Tune != nil {
			for _, axis := range a.Tune.Grid {
				if axis.Key == m.Key {
					c.text, c.wanted = "tuned over "+listText(axis.Values), true
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
		all = append(all, choice{[]string{"algorithms", a.Label, "tune"}, rule, true, a.pos()})
	}
	return all
}

// varied sets the values that a key takes in the study.
func (s *Scenario) varied(all []choice, key string, values []any) []choice {
	steps := s.canonical(key)
	c := choice{steps, listText(values), true, s.at(key)}
	for i := range all {
		if slices.Equal(all[i].steps, steps) {
			c.at = all[i].at
			all[i] = c
			return all
		}
	}
	return append(all, c)
}

// listText writes values one after the other, each once.
func listText(values []any) string {
	var words []string
	for _, v := range values {
		if text := valueText(v); !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	return strings.Join(words, ", ")
}

// valueText writes a value for people.
func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return keys.FormatFloat(v)
	case []any:
		return listText(v)
	case []float64:
		words := make([]any, len(v))
		for i := range v {
			words[i] = v[i]
		}
		return listText(words)
	case jsonio.Object:
		var words []string
		for _, m := range v {
			words = append(words, m.Key+" "+valueText(m.Value))
		}
		return strings.Join(words, ", ")
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.NewReplacer(`"`, "", "[", "", "]", "", ",", ", ").Replace(string(raw))
}

// choicesText writes some choices in a line: one by its value alone, others with their names; a
// parameter that several algorithms have once, unless they differ in it.
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

// valuesOf writes the values of the choices of a name: one where all have the same.
func valuesOf(all []choice, name string) string {
	var of, texts []string
	var labels []string
	for _, c := range all {
		if n := len(c.steps); c.steps[n-1] == name {
			texts = append(texts, c.text)
			labels = append(labels, c.steps[max(0, n-2)])
		}
	}
	if len(slices.Compact(slices.Clone(texts))) == 1 {
		return texts[0]
	}
	for i, t := range texts {
		of = append(of, labels[i]+": "+t)
	}
	return strings.Join(of, ", ")
}

func settingsKey() keys.Param {
	return keys.Param{Name: "settings", Kind: keys.Sections,
		About: "the settings of the paper, beside those of the scenario", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Required: true, Example: "nodes", About: "what is set"},
			{Name: "paper", Kind: keys.String, Required: true, Example: "100 clients",
				Schema: jsonio.Of("type", []string{"number", "string"}),
				About:  "what the paper prints; \"not stated\" if it says nothing"},
			{Name: "key", Kind: keys.Strings, Example: "topology.nodes",
				About: "the keys of the scenario that set it, whose values are shown; a section means all keys in it, and " +
					"* every algorithm"},
			{Name: "here", Kind: keys.String, Example: "mean of the nodes' own models",
				Schema: jsonio.Of("type", []string{"number", "string"}),
				About:  "what the scenario does, in words; together with key, an explanation of the values"},
			{Name: "same", Kind: keys.Bool, Default: false, About: "both say the same in different words"},
			{Name: "reason", Kind: keys.String, Example: "runs in minutes", About: "why it differs"},
		}}
}

// settings reads the rows but for what the keys say: see chosen.
func (r *reader) settings(list []keys.Args) []PaperSetting {
	var all []PaperSetting
	for _, a := range list {
		s := PaperSetting{Name: a.String("name"), Paper: a.String("paper"), Here: a.String("here"), Keys: a.Strings("key"),
			Same: a.Bool("same"), Reason: a.String("reason"), path: a.Path(""), args: a}
		if len(s.Keys) == 0 && s.Here == "" {
			r.Fail(a.Pos(), s.path, "write key: topology.nodes, or here: ...",
				"the row %s says nothing about this scenario", s.Name)
		}
		all = append(all, s)
	}
	return all
}

// text returns what the scenario has: what the keys say, with the words that explain it.
func (s *PaperSetting) text() string {
	switch {
	case s.value == "":
		return s.Here
	case s.Here == "":
		return s.value
	}
	return s.value + " (" + s.Here + ")"
}

// differs reports whether the scenario departs from the paper.
func (s *PaperSetting) differs() bool { return !s.Same && !alike(s.Paper, s.text()) }

// alike reports whether two texts are the same word or the same number.
func alike(a, b string) bool {
	x, errX := strconv.ParseFloat(strings.ReplaceAll(a, ",", ""), 64)
	y, errY := strconv.ParseFloat(strings.ReplaceAll(b, ",", ""), 64)
	if errX == nil && errY == nil {
		return x == y
	}
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// chosen fills in what the keys of the settings say, and checks that nothing is left out: a
// scenario that reproduces something says of everything that it chooses what the paper has
// there. With overrides, and in the small form, the rows are those of the file.
func (r *reader) chosen(s *Scenario) {
	all := s.choices()
	covered := make([]bool, len(all))
	for i := range s.Settings {
		row := &s.Settings[i]
		var values []choice
		for _, key := range row.Keys {
			found := false
			for k, c := range all {
				if c.under(s.canonical(key)) {
					found, covered[k] = true, true
					values = append(values, c)
				}
			}
			if !found && r.as == wholeFile {
				r.Fail(row.args.PosOf("key"), row.path+".key", keys.DidYouMean(key, paths(all)),
					"the scenario sets no %s", key)
			}
		}
		row.value = choicesText(values)
		if r.as == wholeFile && row.differs() && row.Reason == "" && (row.value != "" || row.Here != "") {
			r.Fail(row.args.Pos(), row.path, "write reason: why, or same: true if both say the same",
				"%s: the paper has %q, and the scenario %q: want a reason", row.Name, row.Paper, row.text())
		}
	}
	if r.as != wholeFile || len(s.Settings) == 0 && !s.reproduces() {
		return
	}
	if len(s.Settings) == 0 {
		r.Fail(s.at("claims"), "settings", "write settings: [{name: nodes, paper: 100, key: topology.nodes, reason: "+
			"...}, ...]",
			"a scenario that reproduces a paper says what the paper's settings are")
		return
	}
	for k, c := range all {
		if c.wanted && !covered[k] {
			r.Fail(c.at, c.path(), fmt.Sprintf("add {name: ..., paper: ..., key: %s}", c.path()),
				"no row of settings names it; it is %s here", c.text)
		}
	}
}

// reproduces reports whether the scenario states claims of a paper. A file from before
// there were classes states none.
func (s *Scenario) reproduces() bool {
	return slices.ContainsFunc(s.Claims, func(c ClaimSpec) bool { return c.Stated && c.Class != result.Ours })
}

// Compared returns the settings as a result has them.
func (s *Scenario) Compared() []result.Compared {
	var all []result.Compared
	for i := range s.Settings {
		row := &s.Settings[i]
		all = append(all, result.Compared{Name: row.Name, Paper: row.Paper, Here: row.text(), Reason: row.Reason,
			Differs: row.differs()})
	}
	return all
}

func paths(all []choice) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.path())
	}
	return names
}

// SmallText says what the small form of the scenario changes; "" where there is none.
func (s *Scenario) SmallText() string {
	var words []string
	for _, v := range s.Small {
		words = append(words, v.Key+" = "+valueText(v.Value))
	}
	return strings.Join(words, "; ")
}
