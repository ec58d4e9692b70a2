package spec

import (
	"fmt"
	"slices"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// scales are the scales of a panel's axes.
var scales = []string{"linear", "log-x", "log-y", "log"}

func figuresKey(cat *catalog.Catalog) keys.Param {
	curves := keys.Param{Name: "curves", Kind: keys.Sections, Derived: "one for each algorithm",
		Example: `[{label: K = 1, runs: 'runs("K = 1")'}]`, About: "what is drawn", Params: []keys.Param{
			{Name: "label", Kind: keys.String, Required: true, Example: "K = 1", About: "the name in the legend"},
			{Name: "runs", Kind: keys.String, Required: true, Example: `'at("DAGM", {"topology.nodes": 20})'`,
				About: "an expression, as in a check, that gives the runs: the median and the quartiles are drawn"},
		}}
	inPanel := curves
	inPanel.Derived, inPanel.About = "those of the figure", "what is drawn here"
	return keys.Param{Name: "figures", Kind: keys.Sections,
		About: "figures of a paper, redrawn from the runs", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Required: true, Example: "figure-3b",
				About: "the name of its files: letters, digits and hyphens"},
			{Name: "title", Kind: keys.String, Required: true, Example: "Loss per gradient", About: "what is drawn"},
			{Name: "source", Kind: keys.String, Required: true, Example: `"Nazari et al., Figure 3b"`,
				About: "where it is printed"},
			{Name: "printed", Kind: keys.String, Required: true, Example: "K = 1 lies below K = 15 throughout",
				About: "what the figure shows, in our words"},
			curves,
			{Name: "panels", Kind: keys.Sections, Required: true, Example: "[{x: rounds, y: test_accuracy}]",
				About: "the panels, from left to right", Params: []keys.Param{
					{Name: "title", Kind: keys.String, Example: "(b)", About: "the name of the panel"},
					{Name: "x", Kind: keys.Enum, Default: "iterations", Enum: costs(), About: "the cost on the horizontal axis"},
					{Name: "per_node", Kind: keys.Bool, Default: false,
						About: "the cost is divided by the number of nodes"},
					{Name: "y", Kind: keys.Enum, Example: "test_accuracy", Derived: "none, with paths",
						Enum: measure.Names(cat.Metrics), About: "the metric on the vertical axis"},
					{Name: "paths", Kind: keys.Bool, Default: false, About: "instead of a metric over a cost, the path of the " +
						"iterates in their plane, for runs of one node that record all iterates: a curve is the first of its runs"},
					{Name: "scale", Kind: keys.Enum, Default: "linear", Enum: scales,
						About: "which axes are logarithmic; log: both"},
					{Name: "target", Kind: keys.Float, Example: "0.9", About: "a level of the metric that is marked"},
					inPanel,
				}},
		}}
}

// figures reads the figures of a paper but for what their curves mean: see curves.
func (r *reader) figures(list []keys.Args, tables []TableSpec) []FigureSpec {
	var all []FigureSpec
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
	}
	for _, a := range list {
		f := FigureSpec{path: a.Path(""), at: a.Pos(), Name: a.String("name"), Title: a.String("title"),
			Source: a.String("source"), Printed: a.String("printed"), Curves: curves(a)}
		r.fileNames(a, f.Name, names)
		names = append(names, f.Name)
		for _, p := range a.Sections("panels") {
			f.Panels = append(f.Panels, r.panel(p))
		}
		if a.Given("panels") && len(f.Panels) == 0 {
			r.Fail(a.PosOf("panels"), a.Path("panels"), "write panels: [{y: test_accuracy}]",
				"a figure has at least one panel")
		}
		all = append(all, f)
	}
	return all
}

func (r *reader) panel(a keys.Args) PanelSpec {
	scale := a.String("scale")
	switch paths := a.Bool("paths"); {
	case paths && (a.Given("y") || a.Given("x") || a.Given("scale")):
		r.Fail(a.PosOf("paths"), a.Path("paths"), "leave out x, y and scale", "the axes of paths are those of their plane")
	case !paths && !a.Given("y"):
		r.Fail(a.Pos(), a.Path("y"), "write y: test_accuracy", "y is missing")
	}
	p := PanelSpec{Title: a.String("title"), X: a.String("x"), PerNode: a.Bool("per_node"), Y: a.String("y"),
		LogX: scale == "log-x" || scale == "log", LogY: scale == "log-y" || scale == "log", Paths: a.Bool("paths"),
		Curves: curves(a)}
	if a.Given("target") {
		level := a.Float("target")
		p.Target = &level
	}
	return p
}

func curves(a keys.Args) []CurveSpec {
	var all []CurveSpec
	for _, c := range a.Sections("curves") {
		all = append(all, CurveSpec{Label: c.String("label"), Runs: c.String("runs"), path: c.Path("runs"),
			at: c.PosOf("runs")})
	}
	return all
}

// curves completes the curves of all panels, and compiles them against the labels, the grid
// and the seeds of the study. See checks.
func (r *reader) curves(s *Scenario, scope claims.Scope) {
	for i := range s.Figures {
		f := &s.Figures[i]
		if f.Curves == nil && slices.ContainsFunc(f.Panels, func(p PanelSpec) bool { return p.Curves == nil }) {
			if len(scope.Points) > 1 {
				r.Fail(f.at, f.path, `write curves: [{label: ..., runs: 'at(LABEL, {KEY: value})'}]`,
					"the study has %d grid points: want curves that say which runs are drawn", len(scope.Points))
				continue
			}
			for _, l := range scope.Labels {
				f.Curves = append(f.Curves, CurveSpec{Label: l, Runs: fmt.Sprintf("runs(%q)", l), at: f.at, path: f.path})
			}
		}
		r.compileCurves(s, f.Curves, scope)
		for k := range f.Panels {
			if p := &f.Panels[k]; p.Curves != nil {
				r.compileCurves(s, p.Curves, scope)
			}
		}
	}
}

func (r *reader) compileCurves(s *Scenario, all []CurveSpec, scope claims.Scope) {
	for i := range all {
		c := &all[i]
		var err error
		if c.Compiled, err = claims.CompileSelection(c.Runs, scope); err != nil {
			c.Unfit = r.misfit(s, c.at, c.Runs, c.path, err)
		}
	}
}

// CurvesOf returns the curves of a panel.
func (f *FigureSpec) CurvesOf(p *PanelSpec) []CurveSpec {
	if p.Curves != nil {
		return p.Curves
	}
	return f.Curves
}

// drawn reports whether a run of a label is drawn, and by which metrics.
func (f *FigureSpec) drawn(label string) (names []string) {
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, c := range f.CurvesOf(p) {
			if !p.Paths && c.Compiled != nil && slices.Contains(c.Compiled.Labels(), label) {
				names = append(names, p.Y)
			}
		}
	}
	return names
}
