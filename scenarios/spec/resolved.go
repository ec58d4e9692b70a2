package spec

import (
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/sections"
)

// WireValue returns the key as a file has it.
func (s *Scenario) WireValue() any {
	if !sections.Compresses(s.Wire) {
		return s.Wire
	}
	return s.Compress.Resolved(keys.Which{OnlyGiven: s.swept("wire")})
}

// YAML returns the resolved scenario as a file that can be loaded again.
func (s *Scenario) YAML() ([]byte, error) { return keys.YAML(s.Resolved()) }

// Resolved returns the scenario with every default filled in, in the order of the
// file format, quantities with their units. It marshals to JSON and YAML, and
// loading either gives an equal scenario.
func (s *Scenario) Resolved() jsonio.Object {
	o := jsonio.Of("version", s.Version, "name", s.Name)
	if s.About != "" {
		o.Add("about", s.About)
	}
	o = append(o, s.seedPair())
	for _, section := range []string{"topology", "platform", "place", "network", "compute", "tariffs",
		"dynamics", "faults", "silence", "wire",
		"problem", "algorithms", "stop", "record"} {
		if value, ok := s.resolvedSection(section); ok {
			o.Add(section, value)
		}
	}
	if len(s.Sweep) > 0 {
		o.Add("sweep", resolvedAxes(s.Sweep))
	}
	if len(s.List) > 0 {
		var points []jsonio.Object
		for i, p := range s.List {
			var o jsonio.Object
			if name := s.ListNames[i]; name != "" {
				o.Add(pointName, name)
			}
			points = append(points, append(o, resolvedSettings(p)...))
		}
		o.Add(pointsKey, points)
	}
	var list []jsonio.Object
	for _, c := range s.Claims {
		if c.unfit == "" { // the others are not of the scenario as it is now
			list = append(list, c.resolved())
		}
	}
	if list != nil {
		o.Add("claims", list)
	}
	if tables := s.resolvedTables(); tables != nil {
		o.Add("tables", tables)
	}
	if figures := s.resolvedFigures(); figures != nil {
		o.Add("figures", figures)
	}
	if rows := s.resolvedComparison(); rows != nil {
		o.Add("settings", rows)
	}
	if len(s.Small) > 0 && !s.set { // with other values it may not fit
		o.Add("small", resolvedSettings(s.Small))
	}
	return o
}

// resolvedSection returns what a file has under a key that the runs depend on; false if it has none.
func (s *Scenario) resolvedSection(section string) (any, bool) {
	if s.listed(section) {
		// The values of the first point may be none of the others': the file's own are all that they share.
		own := s.tree.Child(section)
		if own == nil {
			return nil, false
		}
		return keys.Plain(own.Value), true
	}
	switch section {
	case "topology":
		return s.Topology.Args.Resolved(keys.Which{OnlyGiven: s.swept(section)}), true
	case "platform":
		if !s.Platform.Read() {
			return nil, false
		}
		return s.Platform.Resolved(keys.Which{OnlyGiven: s.swept(section),
			NoDerived: s.swept("topology") || s.listed("topology")}), true
	case "place":
		return s.Place, len(s.Place) > 0
	case "network":
		return s.Network.Resolved(s.networkWritten()), true
	case "compute":
		return s.Compute.Resolved(keys.Which{NoDerived: s.swept(section)}), true
	case "tariffs":
		if !s.Tariffs.Read() {
			return nil, false
		}
		return s.Tariffs.Resolved(keys.Which{NoDerived: s.swept(section)}), true
	case "dynamics", "faults", "silence":
		a := map[string]keys.Args{"dynamics": s.Dynamics, "faults": s.Faults, "silence": s.Silence}[section]
		if !a.Read() {
			return nil, false
		}
		return a.Resolved(keys.Which{OnlyGiven: s.swept(section)}), true
	case "wire":
		return s.WireValue(), true
	case "problem":
		return s.Problem.Args.Resolved(keys.Which{OnlyGiven: s.swept(section)}), true
	case "algorithms":
		var all []jsonio.Object
		for _, a := range s.Algorithms {
			all = append(all, a.resolved(s.swept(section)))
		}
		return all, true
	case "stop":
		return s.Stop.Resolved(keys.Which{}), true
	case "record":
		return s.Record.Resolved(keys.Which{}), true
	}
	panic("scenarios: the section " + section + " has no resolved form")
}

// networkWritten says which keys of network are written: with a platform, not those of lines,
// and only those of the file where some points have a platform and others may not.
func (s *Scenario) networkWritten() keys.Which {
	w := keys.Which{NoDerived: s.swept("network"), OnlyGiven: s.listed("platform")}
	if s.Platform.Read() {
		w.Except = sections.LineKeys()
	}
	return w
}

func (s *Scenario) resolvedTables() []jsonio.Object {
	var tables []jsonio.Object
	for _, t := range s.Tables {
		o := jsonio.Of("name", t.Name, "title", t.Title, "source", t.Source)
		addText(&o, "corner", t.Corner)
		o.Add("columns", t.Columns)
		var rows []jsonio.Object
		for _, r := range t.Rows {
			if r.Unfit != "" {
				continue
			}
			row := jsonio.Of("name", r.Name)
			addText(&row, "cells", r.Cells)
			if r.Printed != nil {
				row.Add("printed", r.Printed)
			}
			if named := s.fitting(r.Claims); named != nil {
				row.Add("claims", named)
			}
			addText(&row, "note", r.Note)
			rows = append(rows, row)
		}
		if rows == nil {
			continue
		}
		o.Add("rows", rows)
		if t.X != nil {
			o.Add("x", t.X)
			addText(&o, "xlabel", t.XLabel)
			addText(&o, "ylabel", t.YLabel)
			o.Add("scale", map[bool]string{false: "linear", true: "log"}[t.Log])
		}
		if t.Full {
			o.Add("small", false)
		}
		tables = append(tables, o)
	}
	return tables
}

// addText adds a key, unless its value is empty.
func addText(o *jsonio.Object, key, text string) {
	if text != "" {
		o.Add(key, text)
	}
}

func (s *Scenario) resolvedFigures() []jsonio.Object {
	var all []jsonio.Object
	for i := range s.Figures {
		f := &s.Figures[i]
		o := jsonio.Of("name", f.Name, "title", f.Title, "source", f.Source, "printed", f.Printed)
		if list := resolvedCurves(f.Curves); list != nil {
			o.Add("curves", list)
		}
		var panels []jsonio.Object
		for _, p := range f.Panels {
			if panel, ok := p.resolved(f); ok {
				panels = append(panels, panel)
			}
		}
		if panels != nil {
			o.Add("panels", panels)
			all = append(all, o)
		}
	}
	return all
}

// resolved reports false for a panel without curves that make sense.
func (p *PanelSpec) resolved(f *FigureSpec) (jsonio.Object, bool) {
	var o jsonio.Object
	addText(&o, "title", p.Title)
	if p.Paths {
		o.Add("paths", true)
	} else {
		o = append(o, jsonio.Of("x", p.X, "per_node", p.PerNode, "y", p.Y)...)
		scale := map[[2]bool]string{{false, false}: "linear", {true, false}: "log-x", {false, true}: "log-y",
			{true, true}: "log"}
		o.Add("scale", scale[[2]bool{p.LogX, p.LogY}])
	}
	if p.Target != nil {
		o.Add("target", *p.Target)
	}
	list := resolvedCurves(p.Curves)
	if list != nil {
		o.Add("curves", list)
	}
	return o, list != nil || p.Curves == nil && resolvedCurves(f.Curves) != nil
}

func resolvedCurves(curves []CurveSpec) []jsonio.Object {
	var all []jsonio.Object
	for _, c := range curves {
		if c.Unfit == "" {
			all = append(all, jsonio.Of("label", c.Label, "runs", c.Runs))
		}
	}
	return all
}

// fitting returns the names of claims that are of the scenario as it is now.
func (s *Scenario) fitting(names []string) []string {
	var all []string
	for _, c := range s.Claims {
		if c.unfit == "" && slices.Contains(names, c.Name) {
			all = append(all, c.Name)
		}
	}
	return all
}

// resolvedComparison returns the settings. With overrides they no longer fit: what changed has a
// reason, and one more row names what is in no other, so that the scenario loads again.
func (s *Scenario) resolvedComparison() []jsonio.Object {
	if len(s.Settings) == 0 && !s.reproduces() {
		return nil
	}
	all := s.choices()
	covered := make([]bool, len(all))
	var rows []jsonio.Object
	for i := range s.Settings {
		rows = append(rows, s.Settings[i].resolved(s, all, covered))
	}
	var others []string
	for k, c := range all {
		if !covered[k] && (c.wanted || c.counts()) {
			others = append(others, c.path())
		}
	}
	if others != nil {
		rows = append(rows, jsonio.Of("name", "others", "paper", "not compared", "key", others,
			"reason", "defaults, and what was set for this run"))
	}
	return rows
}

// resolved returns the row, and notes the choices that it covers.
func (row *PaperSetting) resolved(s *Scenario, all []choice, covered []bool) jsonio.Object {
	o := jsonio.Of("name", row.Name, "paper", row.Paper)
	var found []string
	for _, key := range row.Keys {
		present := false
		for k := range all {
			if all[k].under(s.canonical(key)) {
				present, covered[k] = true, true
			}
		}
		if present {
			found = append(found, key)
		}
	}
	if found != nil {
		o.Add("key", found)
	}
	here, reason := row.Here, row.Reason
	if found == nil && here == "" {
		here = "not in this run"
	}
	if s.set && row.differs() && reason == "" {
		reason = "changed for this run"
	}
	addText(&o, "here", here)
	if row.Same {
		o.Add("same", true)
	}
	addText(&o, "reason", reason)
	return o
}

func (c ClaimSpec) resolved() jsonio.Object {
	var o jsonio.Object
	addText(&o, "name", c.Name)
	o = append(o, jsonio.Of("text", c.Text, "source", c.Source)...)
	if c.Stated {
		o.Add("class", string(c.Class))
	}
	if c.Printed != nil {
		o.Add("printed", c.Printed)
	}
	o.Add("check", c.Check)
	if c.Differs {
		o.Add("expected", "differs")
		o.Add("reason", c.Reason)
	}
	if c.Open {
		o.Add("expected", "undecided")
		o.Add("reason", c.Reason)
	}
	if c.Construction {
		o.Add("construction", true)
		o.Add("reason", c.Reason)
	}
	if c.Exact {
		o.Add("exact", true)
	}
	if c.Full {
		o.Add("small", false)
	}
	return o
}
