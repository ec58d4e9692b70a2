package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// PaperSetting is a row of the table that holds the paper's settings against the scenario's.
type PaperSetting struct {
	Name   string // of what is set: "nodes", "step sizes"
	Paper  string // what the paper prints
	Here   string // in words; empty: what the keys say
	Keys   []string
	Same   bool   // Paper and Here say the same in other words
	Reason string // why it differs

	path string
	args keys.Args
	// value is what the keys say.
	value string
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
	return slices.ContainsFunc(s.Claims, func(c ClaimSpec) bool { return c.stated && c.Class != result.Ours })
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
