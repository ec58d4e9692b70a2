package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/list"
	"tallynet/metrics/report/figure"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// finest is the fineness of curves while there is room.
const finest fineness = 128

// Limits of a page. A number takes up to twelve bytes in the file.
const (
	maxNumbers = 500_000 // of curves
	maxFilled  = 300_000 // of curves, if those of single runs do not fit
	maxBrief   = 40_000  // of curves of a brief page
	maxValues  = 50_000  // of outcomes: one for each method, grid point and outcome
	maxDetails = 100_000 // of links, nodes and phases
	// happenings of all timelines, some 20 bytes each; timelines share them equally
	maxHappenings = 20_000
)

// Options configure a Builder with what is not part of a run.
type Options struct {
	// Positions returns a place for each node of a run's graph. Without it, or where it
	// returns too few, nodes lie on a circle.
	Positions func(r *result.Run) []Position
	// Wiring returns the positions of a run's physical links, or nil if they are unknown. Without it, the page
	// lists them by name.
	Wiring func(r *result.Run) *Wiring
	// Brief is set for a page that is rewritten while runs go on. Its curves have fewer points, and it omits
	// links, nodes and phases.
	Brief bool
}

// Builder collects the runs of a study. Of each run it keeps only what the page draws.
type Builder struct {
	options  Options
	costs    []metrics.CostItem // curves are over them
	metrics  []string
	ofNodes  []string // metrics that nodes have at the end
	methods  []methodWords
	fineness fineness
	groups   []*group // in the order of appearance
	byName   map[string]*group
	numbers  int // of all curves
	details  int // numbers in all details
	left     int // groups whose detail does not fit
	bare     int // groups whose curves do not fit
	platform []platformRow
	assumed  []string // of platforms
	graphs   drawings[drawnGraph]
	wirings  drawings[drawnWiring]
}

// drawings are what some runs have in common.
type drawings[T any] struct {
	all   []T
	index map[string]int // by the text of a drawing
}

// add returns the index of a drawing. It keeps the drawing if it is new.
func (d *drawings[T]) add(v T) int {
	text := fmt.Sprint(v)
	i, known := d.index[text]
	if !known {
		i = len(d.all)
		d.index[text], d.all = i, append(d.all, v)
	}
	return i
}

// group is the runs of one method at one grid point.
type group struct {
	label    string
	point    result.Settings
	runs     []kept
	statuses fold.Statuses
	detail   *runDetail
	good     bool        // the detail is of a run that ended well
	size     int         // numbers in the detail
	timeline *result.Run // run with the timeline, reduced to its title, nodes and happenings
}

// kept is the part of a run that a Builder keeps.
type kept struct {
	seed   uint64
	failed string // how, if it did not end well
	track  track
	size   int // numbers of the track
}

// NewBuilder returns a builder without runs.
func NewBuilder(o Options) *Builder {
	return &Builder{options: o, costs: costs(), fineness: finest, byName: map[string]*group{},
		graphs:  drawings[drawnGraph]{index: map[string]int{}},
		wirings: drawings[drawnWiring]{index: map[string]int{}}}
}

// Add adds a run. It does not keep r.
func (b *Builder) Add(r *result.Run) {
	b.metrics = list.Add(b.metrics, r.Metrics...)
	b.addMethod(r)
	g := b.groupOf(r.Label, r.Point)
	g.statuses[r.Status]++
	k := kept{seed: r.Seed, track: newTrack(r, b.costs, b.metrics, b.fineness)}
	k.size = k.track.curve.numbers()
	if !r.Status.Ended() {
		k.failed = string(r.Status)
	}
	b.numbers -= g.numbers()
	g.runs = append(g.runs, k)
	b.numbers += g.numbers()
	most := maxNumbers
	if b.options.Brief {
		most = maxBrief
	}
	for b.numbers > most && b.fineness > 1 {
		b.thin()
	}
	if b.options.Brief {
		return
	}
	b.addDetail(g, r)
	b.addTimeline(g, r)
	b.addPlatform(g, r)
}

// thin halves the fineness of all curves.
func (b *Builder) thin() {
	b.fineness /= 2
	b.numbers = 0
	for _, g := range b.groups {
		for i := range g.runs {
			k := &g.runs[i]
			k.track.thin(b.fineness)
			k.size = k.track.curve.numbers()
		}
		b.numbers += g.numbers()
	}
}

// numbers estimates how many numbers the file will hold for the curves of a group: its runs, and median and
// quartiles if there are several.
func (g *group) numbers() int {
	n, longest := 0, 0
	for i := range g.runs {
		n += g.runs[i].size
		longest = max(longest, g.runs[i].size)
	}
	if len(g.runs) > 1 {
		n += 3 * longest
	}
	return n
}

func (b *Builder) groupOf(label string, point result.Settings) *group {
	name := fold.GroupName(label, point)
	g := b.byName[name]
	if g == nil {
		g = &group{label: label, point: slices.Clone(point), statuses: fold.Statuses{}}
		b.byName[name] = g
		b.groups = append(b.groups, g)
	}
	return g
}

// addMethod notes the parameters of a method: those of its first run, less what later
// runs have otherwise.
func (b *Builder) addMethod(r *result.Run) {
	words := list.Map(r.Parameters, func(p result.Setting) string { return p.Key + " " + p.Text() })
	i := slices.IndexFunc(b.methods, func(m methodWords) bool { return m.Label == r.Label })
	if i < 0 {
		b.methods = append(b.methods, methodWords{r.Label, r.Algorithm, strings.Join(words, ", ")})
		return
	}
	known := strings.Split(b.methods[i].Parameters, ", ")
	for j, w := range known {
		name, _, _ := strings.Cut(w, " ")
		if !slices.Contains(words, w) && name != "" {
			known[j] = name + " varies"
		}
	}
	b.methods[i].Parameters = strings.Join(known, ", ")
}

// Page returns the page of all runs that were added: methods, charts, and the table of the platforms. Groups that the
// summary does not have are left out.
func (b *Builder) Page(s *fold.Summary) Page {
	var p Page
	p.Methods = list.Map(b.methods, func(m methodWords) methodWords {
		return methodWords{escape.Name(m.Label), m.Algorithm, escape.Words(m.Parameters)}
	})
	if len(b.platform) > 0 {
		p.Folded = []table.Table{b.platformTable(s.Points)}
	}
	c := &p.Charts
	p.Goals = list.Map(s.Targets, func(t fold.NamedTarget) string { return t.Name })
	c.Methods, c.Level = escape.Names(s.Labels), s.Level
	c.Costs = list.Map(costs(), func(cost metrics.CostItem) measure {
		return measure{ID: cost.ID, Name: cost.Name, Unit: cost.Unit}
	})
	c.Palette = figure.LinePalette()
	axes := s.Axes()
	for _, i := range axes {
		k := s.Keys[i]
		a := axis{Key: k.Name, Name: k.Title, Numbers: k.Numbers}
		for v := range k.Labels {
			a.Values, a.Settings = append(a.Values, k.Label(v)), append(a.Settings, k.Setting(v, " = "))
		}
		c.Axes = append(c.Axes, a)
	}
	for i, o := range s.Outcomes { // with numbers, and only the main ones if there are too many groups for all
		some := slices.ContainsFunc(s.Groups, func(g fold.Group) bool { return g.Values[i].Statistic != fold.None })
		if !some || !o.Main && len(s.Outcomes)*len(s.Groups) > maxValues {
			continue
		}
		p.outcomes = append(p.outcomes, i)
		c.Outcomes = append(c.Outcomes, measure{ID: o.ID, Name: outcomeName(s, &o), Unit: o.Unit, More: o.More,
			Target: o.Target >= 0})
	}
	for _, name := range b.metrics {
		q := measure{Name: name, Title: fold.MetricWords(name, ""), Unit: metrics.Number}
		if i := slices.IndexFunc(s.Outcomes, func(o fold.Outcome) bool { return o.ID == "final."+name }); i >= 0 {
			o := s.Outcomes[i]
			q.More, q.Headline = o.More, o.Headline
			q.Title = fold.MetricWords(name, strings.TrimPrefix(o.Name, "final "))
		}
		c.Metrics = append(c.Metrics, q)
	}
	for _, t := range s.Targets {
		for _, condition := range t.Conditions {
			c.addTarget(condition)
		}
	}
	for i := range s.Groups {
		sg := &s.Groups[i]
		point := &s.Points[sg.Point]
		out := chartGroup{Method: sg.Label, Point: pick(point.Values, axes)}
		for _, o := range p.outcomes {
			v := estimate(&sg.Values[o])
			if m := &sg.Values[o]; s.Outcomes[o].Target < 0 && m.Statistic == fold.None && m.Reached == 0 {
				v.Note = "" // the page says how the runs ended
			}
			out.Values = append(out.Values, v)
		}
		if g := b.byName[fold.GroupName(s.Labels[sg.Label], point.Settings)]; g != nil {
			out.Status = g.status()
			if g.detail != nil {
				d := *g.detail
				d.Group = i
				c.Details = append(c.Details, d)
			}
			if g.timeline != nil {
				c.Timelines = append(c.Timelines, runTimeline{Group: i})
			}
		}
		c.Groups = append(c.Groups, out)
	}
	b.fill(c, s)
	for k := range c.Timelines {
		g := s.Groups[c.Timelines[k].Group]
		run := b.byName[fold.GroupName(s.Labels[g.Label], s.Points[g.Point].Settings)].timeline
		c.Timelines[k].fill(run, maxHappenings/len(c.Timelines))
	}
	c.Timelines = slices.DeleteFunc(c.Timelines, func(t runTimeline) bool { return t.Until == 0 }) // no room
	c.dropUnpaid()
	b.dropUnused(c)
	c.Graphs, c.Wirings = b.graphs.all, b.wirings.all
	p.Notes = b.notes()
	return p
}

// addTarget adds the value of a metric in a target, once though several targets may have it.
func (c *chartData) addTarget(of result.Condition) {
	line := targetLine{slices.Index(c.metricNames(), of.Metric), of.Value}
	if line.Metric >= 0 && !math.IsInf(line.Value, 0) && !math.IsNaN(line.Value) {
		c.Targets = list.Add(c.Targets, line)
	}
}

// UnderWay returns the page of runs of which some have not ended. It has only their curves. Interrupted runs count
// as still running.
func (b *Builder) UnderWay(s *fold.Summary) Page {
	p := b.Page(s)
	c := &p.Charts
	p.Folded, p.Methods, c.Outcomes, c.UnderWay = nil, nil, nil, true
	for i := range c.Groups {
		c.Groups[i].Values = nil
	}
	return p
}

// outcomeName returns the name of an outcome. A single target is called "the target".
func outcomeName(s *fold.Summary, o *fold.Outcome) string {
	if len(s.Targets) == 1 && o.Target == 0 {
		return strings.TrimSuffix(o.Name, s.Targets[0].Name) + "the target"
	}
	return o.Name
}

// has reports whether the page has a view.
func (p *Page) has(view string) bool { return slices.Contains(p.Views(), view) }

// Views returns the views that the page has: the map of the answer first, then the chart that the answer names.
func (p Page) Views() []string {
	c := &p.Charts
	var all []string
	add := func(view string, there bool) {
		if there {
			all = append(all, view)
		}
	}
	priced := slices.ContainsFunc(c.Outcomes, func(q measure) bool { return q.Unit != metrics.Number })
	timed := slices.ContainsFunc(c.Outcomes, func(q measure) bool { return strings.Contains(q.ID, "critical_path.") })
	if c.UnderWay {
		add("curves", len(c.Runs) > 0)
		return all
	}
	add("parameter", len(c.Axes) > 0 && len(c.Outcomes) > 0)
	add("path", timed && len(c.Groups) > 0)
	add("curves", len(c.Runs)+len(c.Means) > 0)
	add("map", c.Map != nil || c.Ask != nil && len(c.Axes) > 0 && len(c.Outcomes) > 0)
	add("pareto", priced && len(c.Groups) > 1)
	add("profile", priced && len(c.Methods) > 1 && len(c.Groups) >= 3*len(c.Methods))
	add("spread", slices.ContainsFunc(c.Details, func(d runDetail) bool { return d.Count > 1 }))
	first := func(view string) {
		all = slices.Insert(slices.DeleteFunc(all, func(v string) bool { return v == view }), 0, view)
	}
	if c.Open != nil {
		first(c.Open.View)
	}
	if c.Map != nil {
		first("map")
	}
	return all
}

// Lead returns the view that stands beside the headline; "" if there is none.
func (p Page) Lead() string {
	if views := p.Views(); len(views) > 0 && (p.Charts.Open != nil || p.Charts.Map != nil) {
		return views[0]
	}
	return ""
}

// addCurves adds the curves of a group's runs and, if there are several, their median. Above maxNumbers it adds
// only the median of a group of several runs.
func (b *Builder) addCurves(c *chartData, g *group, index int) {
	var tracks []fold.Track
	several := len(g.runs) > 1 && b.numbers > maxNumbers
	for _, k := range g.runs {
		curve := k.track.curve
		// A metric that first appeared in a later run has no column here yet.
		curve.Values = append(slices.Clip(curve.Values), make([]column, len(b.metrics)-len(curve.Values))...)
		if len(curve.Iterations) > 0 && !several {
			c.Runs = append(c.Runs, runCurve{index, k.seed, k.failed, curve})
		}
		t := fold.Track{Iterations: curve.Iterations, Costs: plain(curve.Costs), Values: plain(curve.Values)}
		if k.failed != "" {
			t.Worst = list.Map(c.Metrics, func(m measure) float64 { return fold.Worst(m.More) })
		}
		if k.failed != string(result.Interrupted) && (len(t.Iterations) > 0 || t.Worst != nil) {
			tracks = append(tracks, t)
		}
	}
	if m := average(tracks); len(tracks) > 1 && len(m.Curve.Iterations) > 0 {
		m.Group = index
		c.Means = append(c.Means, m)
	}
}

// lineNumbers is the size in the file of a cost that is stored as a line, counted in numbers.
const lineNumbers = 4

// fill adds the curves of the groups until there is no room for more.
func (b *Builder) fill(c *chartData, s *fold.Summary) {
	room := maxNumbers
	if b.numbers > maxNumbers {
		room = maxFilled
	}
	for i := range s.Groups {
		g := b.byName[fold.GroupName(s.Labels[s.Groups[i].Label], s.Points[s.Groups[i].Point].Settings)]
		if g == nil {
			continue
		}
		if room <= 0 {
			b.bare++
			continue
		}
		runs, means := len(c.Runs), len(c.Means)
		b.addCurves(c, g, i)
		for _, r := range c.Runs[runs:] {
			room -= r.Curve.numbers()
		}
		for _, m := range c.Means[means:] {
			room -= m.Curve.numbers() + 2*len(m.Curve.Values)*len(m.Curve.Iterations) + lineNumbers*len(m.Curve.Costs)
		}
	}
}

// status says how the runs of a group ended.
func (g *group) status() string {
	if len(g.runs) == 1 {
		return strings.TrimPrefix(g.statuses.String(), "1 ")
	}
	return g.statuses.String()
}

// estimate converts a measured value. Its note has the kind of average and the number of censored runs.
func estimate(m *fold.Measured) chartValue {
	e := chartValue{float64(m.Value), float64(m.Low), float64(m.High), m.N, ""}
	var notes []string
	if m.Statistic == fold.Median {
		notes = append(notes, "median")
	}
	switch all := m.Censored + m.Reached; {
	case m.Statistic == fold.None:
		e.Value = math.NaN()
		notes = append(notes, fmt.Sprintf("%d of %d", m.Reached, all)) // short, since it stands in a cell
	case m.Censored > 0:
		notes = append(notes, fmt.Sprintf("%d of %d did not get there", m.Censored, all))
	}
	e.Note = strings.Join(notes, ", ")
	return e
}

// notes says what the charts leave out.
func (b *Builder) notes() []string {
	var notes []string
	if b.fineness < finest {
		notes = append(notes,
			fmt.Sprintf("With so many runs, curves show the first %s recorded iterations, and about as many of each "+
				"doubling after that; iterations.csv has all.", quantity.Count(int64(b.fineness))))
	}
	if b.numbers > maxNumbers {
		notes = append(notes, "With so many runs, seeds have no curves of their own; iterations.csv has all.")
	}
	if b.bare > 0 {
		notes = append(notes, fmt.Sprintf("%s of %s methods and grid points have no curve here; iterations.csv has all.",
			quantity.Count(int64(b.bare)), quantity.Count(int64(len(b.groups)))))
	}
	if b.left > 0 {
		notes = append(notes,
			fmt.Sprintf("For %d of %d methods and grid points links, nodes and phases are left out; links.csv, nodes.csv "+
				"and phases.csv have all.", b.left, len(b.groups)))
	}
	return notes
}
