package spec

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// settingsKey declares the comparison of a paper's settings with those of the scenario.
func settingsKey() keys.Param {
	return keys.Param{Name: "settings", Kind: keys.Sections,
		About: "the settings of the paper, beside those of the scenario", Params: []keys.Param{
			{Name: "fact", Kind: keys.String, Example: "s-nodes", About: "the fact of the paper that sets it"},
			{Name: "name", Kind: keys.String, Derived: "the fact's", Example: "nodes", About: "what is set"},
			{Name: "paper", Kind: keys.String, Unless: "fact", Example: "100 clients",
				Schema: jsonio.Of("type", []string{"number", "string"}), Default: "not stated",
				About: "what the paper prints"},
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

// PaperSetting is a row of the table that compares the settings of a paper with those of the scenario.
type PaperSetting struct {
	Fact   string // its ID; "" if the paper does not state it
	Name   string // what is set, as in "nodes" or "step sizes"
	Paper  string // what the paper prints
	Here   string // what the scenario does, in words; may be empty
	Keys   []string
	Same   bool   // Paper and Here say the same in different words
	Reason string // why it differs

	path  string
	args  keys.Args
	value string // the values of Keys
}

// text returns what the scenario sets: the values of the keys, explained by Here.
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
func (s *PaperSetting) differs() bool { return !s.Same && !equalText(s.Paper, s.text()) }

// equalText reports whether two texts are the same words or the same number.
func equalText(a, b string) bool {
	x, errX := strconv.ParseFloat(strings.ReplaceAll(a, ",", ""), 64)
	y, errY := strconv.ParseFloat(strings.ReplaceAll(b, ",", ""), 64)
	if errX == nil && errY == nil {
		return x == y
	}
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// settings reads the rows. compareSettings fills in the values of their keys.
func (r *reader) settings(list []keys.Args) []PaperSetting {
	var all []PaperSetting
	for _, a := range list {
		s := PaperSetting{Keys: a.Strings("key"), path: a.Path(""), args: a}
		a.Fill(&s)
		if s.Name == "" && s.Fact == "" {
			r.Fail(a.Pos(), s.path, "write name: nodes, or fact: the ID of a setting", "the row has no name")
		}
		if len(s.Keys) == 0 && s.Here == "" {
			r.Fail(a.Pos(), s.path, "write key: topology.nodes, or here: ...",
				"the row %s says nothing about this scenario", s.Name)
		}
		all = append(all, s)
	}
	return all
}

// compareSettings fills in the values of the settings' keys. A scenario that reproduces a paper must compare each of
// its choices with the paper's, and give a reason for each difference. Only a whole file is checked for that.
func (r *reader) compareSettings(s *Scenario) {
	all := s.choices()
	for i := range s.Settings {
		row := &s.Settings[i]
		r.settingFact(s, row)
		var values []choice
		for _, key := range row.Keys {
			found := s.matching(key, all)
			for _, c := range found {
				c.covered = true
				values = append(values, *c)
			}
			if found == nil && r.mode == wholeFile {
				r.Fail(row.args.PosOf("key"), row.path+".key", keys.DidYouMean(key, paths(all)),
					"the scenario sets no %s", key)
			}
		}
		row.value = choicesText(values)
		if r.mode == wholeFile && row.differs() && row.Reason == "" && (row.value != "" || row.Here != "") {
			r.Fail(row.args.Pos(), row.path, "write reason: why, or same: true if both say the same",
				"%s: the paper has %q, and the scenario %q: want a reason", row.Name, row.Paper, row.text())
		}
	}
	if r.mode != wholeFile || len(s.Settings) == 0 && !s.reproduces() {
		return
	}
	if len(s.Settings) == 0 {
		r.Fail(s.at("claims"), "settings", "write settings: [{name: nodes, paper: 100, key: topology.nodes, reason: "+
			"...}, ...]", "a scenario that reproduces a paper says what the paper's settings are")
		return
	}
	for _, c := range all {
		if c.required && !c.covered {
			r.Fail(c.at, c.path(), fmt.Sprintf("add {name: ..., paper: ..., key: %s}", c.path()),
				"no row of settings names it; it is %s here", c.text)
		}
	}
}

// settingFact fills in what the fact of a row says.
func (r *reader) settingFact(s *Scenario, row *PaperSetting) {
	if s.Facts != nil {
		r.checkNumbers(s, row.args.PosOf("here"), row.path+".here", row.Here)
		r.checkNumbers(s, row.args.PosOf("reason"), row.path+".reason", row.Reason)
	}
	if row.Fact == "" || r.mode == resolvedFile {
		return
	}
	var names []string
	if s.Facts != nil {
		for _, f := range s.Facts.Facts {
			if f.Class != result.ASetting {
				continue
			}
			if names = append(names, f.ID); f.ID == row.Fact {
				row.Name, row.Paper = cmp.Or(row.Name, strings.ReplaceAll(strings.TrimPrefix(f.ID, "s-"), "-", " ")), f.Says
				return
			}
		}
	}
	r.Fail(row.args.PosOf("fact"), row.path+".fact", keys.DidYouMean(row.Fact, names), "there is no setting %s", row.Fact)
}

func paths(all []choice) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.path())
	}
	return names
}

// reproduces reports whether the scenario judges facts of a paper.
func (s *Scenario) reproduces() bool { return s.PaperID != "" }

// Compared returns the settings as a result stores them.
func (s *Scenario) Compared() []result.Compared {
	var all []result.Compared
	for i := range s.Settings {
		row := &s.Settings[i]
		all = append(all, result.Compared{Fact: row.Fact, Name: row.Name, Paper: row.Paper, Here: row.text(),
			Reason: row.Reason, Differs: row.differs()})
	}
	return all
}

// resolvedSettings returns the rows as a file gives them. Overrides may make rows invalid. So that the scenario can be
// loaded again, a changed value gets a reason, and an additional row names the choices that no other row names.
func (s *Scenario) resolvedSettings() []jsonio.Object {
	if len(s.Settings) == 0 && !s.reproduces() {
		return nil
	}
	all := s.choices()
	var rows []jsonio.Object
	for i := range s.Settings {
		row := &s.Settings[i]
		var present []string
		for _, key := range row.Keys {
			found := s.matching(key, all)
			for _, c := range found {
				c.covered = true
			}
			if found != nil {
				present = append(present, key)
			}
		}
		rows = append(rows, row.resolved(present, s.overridden))
	}
	var others []string
	for _, c := range all {
		if !c.covered && (c.required || c.comparable()) {
			others = append(others, c.path())
		}
	}
	if others != nil {
		rows = append(rows, jsonio.Of("name", "others", "paper", "not compared", "key", others,
			"reason", "defaults, and what was set for this run"))
	}
	return rows
}

// resolved returns the row with those of its keys that are present.
func (s *PaperSetting) resolved(present []string, overridden bool) jsonio.Object {
	here, reason := s.Here, s.Reason
	if present == nil && here == "" {
		here = "not in this run"
	}
	if overridden && s.differs() && reason == "" {
		reason = "changed for this run"
	}
	o := jsonio.Of("name", s.Name, "paper", s.Paper)
	addList(&o, "key", present)
	addNonZero(&o, "here", here)
	addNonZero(&o, "same", s.Same)
	addNonZero(&o, "reason", reason)
	return o
}

// SmallText summarizes what the small form changes. It returns "" if there is no small form.
func (s *Scenario) SmallText() string {
	var words []string
	for _, v := range s.Small {
		words = append(words, v.Key+" = "+valueText(v.Value))
	}
	return strings.Join(words, "; ")
}
