package fold

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
)

// Options tell a Fold what to look for.
type Options struct {
	// Targets are the accuracies of interest. If there are none, they are those that each
	// run states as its own, one by one.
	Targets []result.Target
	// More names the metrics for which more is better.
	More []string
	// Headlines returns those of the recorded metrics that are shown without being asked
	// for; nil: those for which more is better.
	Headlines func(recorded []string) []string
	// Titles names metrics for people, where their names do not say enough.
	Titles map[string]string
	// Number reads a swept value as a number, as "10ms"; nil reads plain numbers only.
	Number func(result.Setting) (x float64, ok bool)
	// Seed keys the resampling of bootstrap intervals.
	Seed uint64
}

// Fold gathers the runs of a study, one at a time: by grid point and method, and of each
// run a few numbers. Everything that is said of several runs is said by it, so that there
// is one number for each question.
type Fold struct {
	options  Options
	costs    []metrics.CostItem // those that methods are compared by first
	statuses Statuses
	seeds    []uint64        // in the order of first appearance
	seen     map[uint64]bool // of them
	labels   []string
	metrics  []string
	keys     []Key
	points   []Point
	byName   map[string]int // points
	targets  []NamedTarget
	groups   map[string]*group
	added    int
}

// group is the runs of one method at one grid point.
type group struct {
	point, label int
	algorithm    string
	statuses     Statuses
	records      []record
	bySeed       map[uint64]int // which of them
	missed       []Miss
	finite       map[string]bool // metrics that were recorded: whether ever as a finite number
}

// record is what is kept of a run.
type record struct {
	index int // in the order of adding
	seed  uint64
	ended bool
	end   reading   // of the whole run: what it paid, and where it ended
	to    []attempt // by target, as far as it goes
}

// reading is what a run has paid at a moment, and its metrics then.
type reading struct {
	paid   []float64 // by cost
	values []float64 // by Fold.metrics, as far as it goes; NaN: the run lacks the number
}

// attempt is what a run paid to reach a target, or in vain.
type attempt struct {
	reading
	asked, reached bool
}

// New returns an empty collector. It panics if a target has no conditions, or one with
// a relation other than "<=" and ">=".
func New(o Options) *Fold {
	f := &Fold{options: o, costs: metrics.RankedCosts(), statuses: Statuses{}, seen: map[uint64]bool{},
		byName: map[string]int{}, groups: map[string]*group{}}
	for _, t := range o.Targets {
		if err := t.Check(); err != nil {
			panic("study: " + err.Error())
		}
		f.target(t)
	}
	return f
}

// Add takes what is to be known of a run; r may be used for something else afterwards.
// It returns an error for a run that it has seen already, and for a target that the
// run's samples are needed for and that has none: then nothing of it is taken.
func (f *Fold) Add(r *result.Run) error {
	to, err := f.attempts(r)
	if err != nil {
		return fmt.Errorf("study: %s: %w", r.Name(), err)
	}
	g := f.group(r)
	if _, twice := g.bySeed[r.Seed]; twice {
		return fmt.Errorf("study: two runs of %s: give each result once", r.Name())
	}
	g.bySeed[r.Seed] = len(g.records)
	f.statuses[r.Status]++
	g.statuses[r.Status]++
	if !f.seen[r.Seed] {
		f.seen[r.Seed] = true
		f.seeds = append(f.seeds, r.Seed)
	}
	rec := record{index: f.added, seed: r.Seed, ended: r.Status.Ended(), to: to}
	rec.end.paid = f.paid(&metrics.Moment{Iteration: r.Iterations, Totals: r.Totals})
	for _, v := range r.Final.Values {
		f.keep(&rec.end, v.Name, v.Value)
	}
	f.added++
	g.records = append(g.records, rec)
	for t := range to {
		if to[t].asked && !to[t].reached {
			g.miss(t, f.targets[t].Target, r)
		}
	}
	g.noteFinite(r)
	return nil
}

// keep notes a metric of a run.
func (f *Fold) keep(s *reading, name string, value float64) {
	i := indexOf(&f.metrics, name)
	for len(s.values) <= i {
		s.values = append(s.values, math.NaN())
	}
	s.values[i] = value
}

// indexOf returns the index of v in a list, to which it is added if need be.
func indexOf[T comparable](list *[]T, v T) int {
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return i
}

// attempts returns what the run paid for each target.
func (f *Fold) attempts(r *result.Run) ([]attempt, error) {
	asked := f.options.Targets
	if len(asked) == 0 {
		for _, a := range r.Targets {
			asked = append(asked, a.Target)
		}
	}
	var to []attempt
	for _, t := range asked {
		if len(r.Samples) > 0 && !r.Measures(t) && r.Status.Ended() {
			continue
		}
		reached, known := r.Attempt(t)
		if !known {
			return nil, fmt.Errorf("its samples are needed to tell when it reached %s, and there are none", t)
		}
		i := f.target(t)
		for len(to) <= i {
			to = append(to, attempt{})
		}
		a := &to[i]
		a.asked = true
		switch {
		case reached.At != nil:
			a.reached, a.paid = true, f.paid(reached.At)
			for k, v := range reached.Values {
				f.keep(&a.reading, r.Metrics[k], v)
			}
		case r.Status.Ended():
			a.paid = f.paid(&metrics.Moment{Iteration: r.Iterations, Totals: r.Totals})
		}
	}
	return to, nil
}

// target returns the index of a target, which it adds if need be.
func (f *Fold) target(t result.Target) int {
	i := slices.IndexFunc(f.targets, func(o NamedTarget) bool { return o.Equal(t) })
	if i < 0 {
		i = len(f.targets)
		f.targets = append(f.targets, NamedTarget{t, t.String()})
	}
	return i
}

// GroupName identifies a group: runs of one method at one grid point, which differ in
// their seeds only.
func GroupName(label string, point result.Settings) string {
	return label + "\x00" + point.Text("=")
}

// group returns the group of a run.
func (f *Fold) group(r *result.Run) *group {
	name := GroupName(r.Label, r.Point)
	g := f.groups[name]
	if g == nil {
		g = &group{point: f.point(r), label: indexOf(&f.labels, r.Label), algorithm: r.Algorithm, statuses: Statuses{},
			bySeed: map[uint64]int{}, finite: map[string]bool{}}
		f.groups[name] = g
	}
	return g
}

// groupAt returns the group of a label at a point; nil if it has no runs.
func (f *Fold) groupAt(point, label int) *group {
	return f.groups[GroupName(f.labels[label], f.points[point].Settings)]
}

// NameKey is the key whose values are the names that the scenario gives to its points. The
// name cannot be one of a scenario.
const NameKey = "point"

// point returns the index of the grid point of a run.
func (f *Fold) point(r *result.Run) int {
	name := r.Point.Text(" = ")
	if i, ok := f.byName[name]; ok {
		return i
	}
	var at Point
	if r.PointName != "" {
		f.set(&at, NameKey, r.PointName, math.NaN())
	}
	for _, s := range r.Point {
		at.Settings = append(at.Settings, result.Setting{Key: s.Key, Value: slices.Clone(s.Value)})
		f.set(&at, s.Key, s.Text(), f.number(s))
	}
	f.byName[name] = len(f.points)
	f.points = append(f.points, at)
	return f.byName[name]
}

// set notes the value of a key at a point.
func (f *Fold) set(at *Point, key, value string, number float64) {
	k := slices.IndexFunc(f.keys, func(k Key) bool { return k.Name == key })
	if k < 0 {
		k = len(f.keys)
		f.keys = append(f.keys, Key{Name: key})
	}
	v := slices.Index(f.keys[k].Values, value)
	if v < 0 {
		v = len(f.keys[k].Values)
		f.keys[k].Values = append(f.keys[k].Values, value)
		f.keys[k].Numbers = append(f.keys[k].Numbers, number)
	}
	for len(at.Values) <= k {
		at.Values = append(at.Values, -1)
	}
	at.Values[k] = v
}

// number reads a swept value; NaN if it is none.
func (f *Fold) number(s result.Setting) float64 {
	if f.options.Number != nil {
		if x, ok := f.options.Number(s); ok {
			return x
		}
		return math.NaN()
	}
	var x float64
	if json.Unmarshal(s.Value, &x) != nil || string(s.Value) == "null" {
		return math.NaN()
	}
	return x
}
