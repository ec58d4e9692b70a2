package spec

import (
	"fmt"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

// figuresKey declares the figures of a paper.
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
			curves,
			{Name: "panels", Kind: keys.Sections, Required: true, Example: "[{x: rounds, y: test_accuracy}]",
				About: "the panels, from left to right", Params: []keys.Param{
					{Name: "title", Kind: keys.String, Example: "(b)", About: "the name of the panel"},
					{Name: "x", Kind: keys.Enum, Default: "iterations", Enum: claims.CostIDs(),
						About: "the cost on the horizontal axis"},
					{Name: "per_node", Kind: keys.Bool, Default: false,
						About: "the cost is divided by the number of nodes"},
					{Name: "y", Kind: keys.Enum, Example: "test_accuracy", Derived: "none, with paths",
						Enum: measure.Names(cat.Metrics), About: "the metric on the vertical axis"},
					{Name: "paths", Kind: keys.Bool, Default: false, About: "instead of a metric over a cost, the path of the " +
						"iterates in their plane, for runs of one node that record all iterates: a curve is the first of its runs"},
					{Name: "scale", Kind: keys.Enum, Default: "linear",
						Enum:  []string{"linear", "log-x", "log-y", "log"},
						About: "which axes are logarithmic; log: both"},
					{Name: "printed", Kind: keys.Strings, Example: "t1-lpdbo-*", About: "cells of a printed table that are " +
						"marked: the name of a head of its columns is that of an axis, and the value is on the other"},
					{Name: "target", Kind: keys.Float, Example: "0.9", About: "a level of the metric that is marked"},
					inPanel,
				}},
		}}
}

// FigureSpec is a figure of a paper, redrawn from the runs of the study.
type FigureSpec struct {
	Name   string // of its files
	Title  string
	Source string // where it is printed
	Curves []CurveSpec
	Panels []PanelSpec

	args keys.Args
}

// PanelCurves returns the curves of a panel.
func (f *FigureSpec) PanelCurves(p *PanelSpec) []CurveSpec {
	if p.Curves != nil {
		return p.Curves
	}
	return f.Curves
}

// metricsOf returns the metrics that the curves of a label show.
func (f *FigureSpec) metricsOf(label string) []string {
	var names []string
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, c := range f.PanelCurves(p) {
			if !p.Paths && c.Compiled != nil && slices.Contains(c.Compiled.Labels(), label) {
				names = append(names, p.Y)
			}
		}
	}
	return names
}

// resolved returns the figure as a file gives it, or nil if the overrides make all curves invalid.
func (f *FigureSpec) resolved() jsonio.Object {
	panels := resolvedList(f.Panels, func(p *PanelSpec) jsonio.Object { return p.resolved(f) })
	if panels == nil {
		return nil
	}
	curves := resolvedList(f.Curves, (*CurveSpec).resolved)
	return withList(f.args.With("panels", panels), "curves", curves).Resolved(keys.Which{})
}

// PanelSpec plots a metric over a cost.
type PanelSpec struct {
	Title      string
	X          string // the ID of the cost
	PerNode    bool
	Y          string // the metric
	LogX, LogY bool
	Printed    []string    // patterns of facts that are marked
	Target     *float64    // a level to mark
	Paths      bool        // instead of X and Y, plot the paths of the iterates in their plane
	Curves     []CurveSpec // nil: those of the figure

	args keys.Args
}

func (p *PanelSpec) resolved(f *FigureSpec) jsonio.Object {
	if resolvedList(f.PanelCurves(p), (*CurveSpec).resolved) == nil {
		return nil
	}
	except := []string{"paths"}
	if p.Paths {
		except = []string{"x", "per_node", "scale"}
	}
	curves := resolvedList(p.Curves, (*CurveSpec).resolved)
	return withList(p.args, "curves", curves).Resolved(keys.Which{Except: except})
}

// CurveSpec is a set of runs that become one curve.
type CurveSpec struct {
	Label string
	Runs  string // an expression whose value is a list of runs; see package claims

	path     string
	at       keys.FilePosition
	Compiled *claims.Selection
	Unfit    string // why the overrides make the expression invalid
}

func (c *CurveSpec) resolved() jsonio.Object {
	if c.Unfit != "" {
		return nil
	}
	return jsonio.Of("label", c.Label, "runs", c.Runs)
}

// figures reads the figures of a paper. compileExpressions compiles their curves.
func (r *reader) figures(list []keys.Args, tables []TableSpec) []FigureSpec {
	var all []FigureSpec
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
	}
	for _, a := range list {
		f := FigureSpec{Curves: curvesOf(a), args: a}
		a.Fill(&f)
		r.checkFileName(a, f.Name, names)
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
		Printed: a.Strings("printed"), Curves: curvesOf(a), args: a}
	if a.Given("target") {
		level := a.Float("target")
		p.Target = &level
	}
	return p
}

func curvesOf(a keys.Args) []CurveSpec {
	var all []CurveSpec
	for _, c := range a.Sections("curves") {
		all = append(all, CurveSpec{Label: c.String("label"), Runs: c.String("runs"), path: c.Path("runs"),
			at: c.PosOf("runs")})
	}
	return all
}

// compileFigures compiles the curves of all panels. A figure of a study with one grid point may leave curves out and
// then has one for each label. See compileExpressions.
func (r *reader) compileFigures(s *Scenario, scope claims.Scope) {
	for i := range s.Figures {
		f := &s.Figures[i]
		if f.Curves == nil && slices.ContainsFunc(f.Panels, func(p PanelSpec) bool { return p.Curves == nil }) {
			if len(scope.Points) > 1 {
				r.Fail(f.args.Pos(), f.args.Path(""), `write curves: [{label: ..., runs: 'at(LABEL, {KEY: value})'}]`,
					"the study has %d grid points: want curves that say which runs are drawn", len(scope.Points))
				continue
			}
			for _, l := range scope.Labels {
				f.Curves = append(f.Curves, CurveSpec{Label: l, Runs: fmt.Sprintf("runs(%q)", l), at: f.args.Pos(),
					path: f.args.Path("")})
			}
		}
		r.compileCurves(s, f.Curves, scope)
		for k := range f.Panels {
			r.compileCurves(s, f.Panels[k].Curves, scope)
		}
	}
}

func (r *reader) compileCurves(s *Scenario, all []CurveSpec, scope claims.Scope) {
	for i := range all {
		c := &all[i]
		var err error
		if c.Compiled, err = claims.CompileSelection(c.Runs, scope); err != nil {
			c.Unfit = r.invalid(s, c.at, c.Runs, c.path, err)
		}
	}
}
