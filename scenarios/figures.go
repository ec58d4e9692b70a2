package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics"
	fold "tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems"
	"tallynet/scenarios/problems/data"
)

// FigureSpec is a figure of a paper, drawn again from the runs of the study.
type FigureSpec struct {
	Name    string // of its files
	Title   string
	Source  string // where it is printed
	Printed string // what is to be seen there, in words
	Curves  []CurveSpec
	Panels  []PanelSpec

	path string
	at   keys.FilePosition
}

// PanelSpec is a metric over a cost.
type PanelSpec struct {
	Title      string
	X          string // the ID of the cost
	PerNode    bool
	Y          string // the metric
	LogX, LogY bool
	Target     *float64    // a level to be marked
	Paths      bool        // in place of X and Y: the ways of the iterates in their plane
	Curves     []CurveSpec // nil: those of the figure
}

// CurveSpec is some runs that become one curve.
type CurveSpec struct {
	Label string
	Runs  string // an expression whose value is a list of runs; see package claims

	path  string
	at    keys.FilePosition
	runs  *claims.Selection
	unfit string // why the expression makes no sense with the overrides
}

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
		if c.runs, err = claims.CompileSelection(c.Runs, scope); err != nil {
			c.unfit = r.misfit(s, c.at, c.Runs, c.path, err)
		}
	}
}

// curvesOf returns the curves of a panel.
func (f *FigureSpec) curvesOf(p *PanelSpec) []CurveSpec {
	if p.Curves != nil {
		return p.Curves
	}
	return f.Curves
}

// drawn reports whether a run of a label is drawn, and by which metrics.
func (f *FigureSpec) drawn(label string) (names []string) {
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, c := range f.curvesOf(p) {
			if !p.Paths && c.runs != nil && slices.Contains(c.runs.Labels(), label) {
				names = append(names, p.Y)
			}
		}
	}
	return names
}

// Figures draws the scenario's figures from the runs of the study, in the order of the file.
func (st *Study) Figures(runs []result.Run) ([]result.PaperFigure, error) {
	if len(st.Scenario.Figures) == 0 {
		return nil, nil
	}
	runs = st.everywhere(runs)
	var all []result.PaperFigure
	for i := range st.Scenario.Figures {
		f := &st.Scenario.Figures[i]
		out := result.PaperFigure{Name: f.Name, Title: f.Title, Source: f.Source, Printed: f.Printed}
		for k := range f.Panels {
			p := &f.Panels[k]
			drawn := result.PaperPanel{Title: p.Title, X: p.X, PerNode: p.PerNode, Y: p.Y, LogX: p.LogX, LogY: p.LogY,
				Target: p.Target, Paths: p.Paths}
			for _, c := range f.curvesOf(p) {
				draw := c.draw
				if p.Paths {
					draw = func(_ *PanelSpec, runs []result.Run) (result.PaperCurve, error) { return st.path(&c, &drawn, runs) }
				}
				curve, err := draw(p, runs)
				if err != nil {
					return nil, err
				}
				drawn.Curves = append(drawn.Curves, curve)
			}
			out.Panels = append(out.Panels, drawn)
		}
		all = append(all, out)
	}
	return all, nil
}

// draw folds the runs of a curve into one: those that ended well, or the only one.
func (c *CurveSpec) draw(p *PanelSpec, runs []result.Run) (result.PaperCurve, error) {
	out := result.PaperCurve{Label: c.Label, Reason: c.unfit}
	if c.runs == nil {
		return out, nil
	}
	chosen, reason := c.runs.Evaluate(runs)
	out.Reason = reason
	var tracks []fold.Track
	var ill []string
	for _, r := range chosen {
		if !r.Status.Ended() && len(chosen) > 1 {
			ill = append(ill, fmt.Sprintf("%s, seed %d: %s", r.Label, r.Seed, r.Status))
			continue
		}
		t, err := p.track(r)
		if err != nil {
			return out, err
		}
		if len(t.Iterations) > 0 {
			tracks = append(tracks, t)
		}
	}
	if len(ill) > 0 {
		out.Reason = "left out: " + strings.Join(ill, "; ")
	}
	if out.Runs = len(tracks); out.Runs == 0 {
		if out.Reason == "" {
			out.Reason = "no run has the metric " + p.Y
		}
		return out, nil
	}
	folded := fold.FoldCurves(tracks)
	out.X, out.Mid = folded.Costs[0], folded.Mid[0]
	if out.Runs > 1 {
		out.Low, out.High = folded.Low[0], folded.High[0]
	}
	return out, nil
}

// path draws the path of the first of the curve's runs, names the axes of the panel, and
// marks the points of the plane that the problem names.
func (st *Study) path(c *CurveSpec, panel *result.PaperPanel, runs []result.Run) (result.PaperCurve, error) {
	out := result.PaperCurve{Label: c.Label, Reason: c.unfit}
	if c.runs == nil {
		return out, nil
	}
	chosen, reason := c.runs.Evaluate(runs)
	out.Reason = reason
	if len(chosen) == 0 {
		return out, nil
	}
	run, err := chosen[0].Full()
	if err != nil {
		return out, err
	}
	path := result.PathOf(run)
	if path.XLabel == "" {
		out.Reason = "no path in a plane: want one node, few coordinates, and record: {iterates: all}"
		return out, nil
	}
	out.Runs, out.X, out.Mid = 1, path.X, path.Y
	panel.X, panel.Y = path.XLabel, path.YLabel
	if path.OfY && panel.Marks == nil {
		panel.Marks = st.marks(run)
	}
	return out, nil
}

// marks returns the points of the plane of y that the problem of a run names.
func (st *Study) marks(run *result.Run) []result.Mark {
	i := slices.IndexFunc(st.points, func(p GridPoint) bool { return p.Metrics().Equal(run.Point) })
	if i < 0 {
		return nil
	}
	in, err := st.points[i].Scenario.Build(run.Seed, new(data.Loader))
	if err != nil {
		return nil
	}
	known, ok := in.Problem.(problems.Landmarked)
	if !ok {
		return nil
	}
	var marks []result.Mark
	for _, l := range known.Landmarks() {
		marks = append(marks, result.Mark{Name: l.Name, X: l.Y[0], Y: l.Y[1]})
	}
	return marks
}

// track is what a run measured of the panel's metric, over its cost.
func (p *PanelSpec) track(r *result.Run) (fold.Track, error) {
	t := fold.Track{Costs: make([][]float64, 1), Values: make([][]float64, 1)}
	full, err := r.Full()
	if err != nil {
		return t, err
	}
	m := slices.Index(full.Metrics, p.Y)
	if m < 0 {
		return fold.Track{}, nil
	}
	cost, share := metrics.FindCost(p.X), 1.0
	if p.PerNode {
		share = float64(max(1, len(full.Nodes)))
	}
	for i := range full.Samples {
		s := &full.Samples[i]
		t.Iterations = append(t.Iterations, s.Iteration)
		t.Costs[0] = append(t.Costs[0], cost.Value(&s.Moment)/share)
		t.Values[0] = append(t.Values[0], s.Values[m])
	}
	return t, nil
}
