package fold

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/list"
	"tallynet/metrics/report/result"
)

// Options configure a Fold.
type Options struct {
	// Targets are the accuracies of interest. Without them, each run's own targets are used.
	Targets []result.Target
	// Own returns the target of a run, if its level depends on the run. It may be nil.
	Own func(r *result.Run, t result.Target) result.Target
	// More names the metrics for which more is better.
	More []string
	// Headlines returns the recorded metrics that are shown by default. If it is nil, they are the metrics in More.
	Headlines func(recorded []string) []string
	// Agree extends the conditions of a target by one that the nodes agree. It may be nil.
	Agree func([]result.Condition) []result.Condition
	// Titles has names for people of metrics whose own names are not clear enough.
	Titles map[string]string
	// KeyTitle returns the name of a swept key for people, and a longer one if whole is true, for keys that share the
	// shorter one. If it is nil, these are the last part of the key, and the key.
	KeyTitle func(key string, whole bool) string
	// LabelOf returns a swept value for people. If it is nil, that is Setting.Words.
	LabelOf func(result.Setting) string
	// Number parses a swept value such as "10ms". If it is nil, only plain numbers are parsed.
	Number func(result.Setting) (x float64, ok bool)
	// Seed keys the resampling of bootstrap intervals.
	Seed uint64
	// Level is the confidence of the intervals of ratios that Compare returns; 0: stats.Level.
	Level float64
}

// Fold collects the runs of a study by grid point and method. It keeps a few numbers of each run. All statistics
// over several runs come from it, so that no two of them disagree.
type Fold struct {
	options  Options
	costs    []metrics.CostItem // those that methods are compared by first
	statuses Statuses
	seeds    []uint64 // in the order of first appearance
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

// record is the numbers of a run.
type record struct {
	index  int // in the order of adding
	seed   uint64
	status result.Status
	end    reading   // of the whole run: what it paid, and where it ended
	to     []attempt // by target, as far as it goes
}

// reading is the costs and metrics of a run at a moment.
type reading struct {
	paid   []float64 // by cost
	values []float64 // by Fold.metrics, as far as it goes; NaN: the run lacks the number
}

// attempt is the cost of a run to reach a target, if it did.
type attempt struct {
	reading
	before         reading // the sample before
	asked, reached bool
}

// New returns an empty collector. It panics if a target has no conditions, or one with
// a relation other than "<=" and ">=".
func New(o Options) *Fold {
	if o.KeyTitle == nil {
		o.KeyTitle = func(key string, whole bool) string {
			if whole {
				return key
			}
			return key[strings.LastIndexByte(key, '.')+1:]
		}
	}
	if o.LabelOf == nil {
		o.LabelOf = result.Setting.Words
	}
	f := &Fold{options: o, costs: metrics.RankedCosts(), statuses: Statuses{},
		byName: map[string]int{}, groups: map[string]*group{}}
	for _, t := range o.Targets {
		if err := t.Check(); err != nil {
			panic("fold: " + err.Error())
		}
		f.target(t)
	}
	return f
}

// Skip makes room for a run that is not added, so that points and labels have the indices of a Fold with all runs.
func (f *Fold) Skip(r *result.Run) { f.group(r) }

// Add adds a run. It does not keep r. It returns an error if the run was added before, or if a target needs the
// run's samples and there are none; then the Fold is unchanged.
func (f *Fold) Add(r *result.Run) error {
	to, err := f.attempts(r)
	if err != nil {
		return fmt.Errorf("fold: %s: %w", r.Name(), err)
	}
	g := f.group(r)
	if _, twice := g.bySeed[r.Seed]; twice {
		return fmt.Errorf("fold: two runs of %s: give each result once", r.Name())
	}
	g.bySeed[r.Seed] = len(g.records)
	f.statuses[r.Status]++
	g.statuses[r.Status]++
	f.seeds = list.Add(f.seeds, r.Seed)
	rec := record{index: f.added, seed: r.Seed, status: r.Status, to: to}
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

// keep records a metric of a run.
func (f *Fold) keep(s *reading, name string, value float64) {
	i := indexOf(&f.metrics, name)
	for len(s.values) <= i {
		s.values = append(s.values, math.NaN())
	}
	s.values[i] = value
}

// indexOf returns the index of v in a list. It appends v if it is missing.
func indexOf[T comparable](list *[]T, v T) int {
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return i
}

// attempts returns the attempts of a run at the targets.
func (f *Fold) attempts(r *result.Run) ([]attempt, error) {
	asked := f.options.Targets
	if len(asked) == 0 {
		asked = list.Map(r.Targets, func(a result.Attempt) result.Target { return a.Target })
	}
	var to []attempt
	for _, t := range asked {
		if len(r.Samples) > 0 && !r.Measures(t) && r.Status.Ended() {
			continue
		}
		own := t
		if f.options.Own != nil {
			own = f.options.Own(r, t)
		}
		reached, known := r.Attempt(own)
		if !known {
			return nil, fmt.Errorf("its samples are needed to tell when it reached %s, and there are none", t)
		}
		i := f.target(t)
		for len(to) <= i {
			to = append(to, attempt{})
		}
		a := &to[i]
		a.asked = true
		if reached.At != nil {
			a.reached, a.paid = true, f.paid(reached.At)
			for k, v := range reached.Values {
				f.keep(&a.reading, r.Metrics[k], v)
			}
			there := func(s result.Sample) bool { return s.Moment == *reached.At }
			if i := slices.IndexFunc(r.Samples, there); i > 0 {
				a.before.paid = f.paid(&r.Samples[i-1].Moment)
			}
		}
	}
	return to, nil
}

// target returns the index of a target. It adds the target if it is new.
func (f *Fold) target(t result.Target) int {
	i := slices.IndexFunc(f.targets, func(o NamedTarget) bool { return o.Equal(t) })
	if i < 0 {
		i = len(f.targets)
		f.targets = append(f.targets, NamedTarget{t, t.String()})
	}
	return i
}

// GroupName returns a string that identifies a group: the runs of one method at one grid point.
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

// NameKey is the key whose values are the scenario's names of its points. A scenario cannot have a key of this name.
const NameKey = "point"

// point returns the index of the grid point of a run.
func (f *Fold) point(r *result.Run) int {
	name := r.Point.Text(" = ")
	if i, ok := f.byName[name]; ok {
		return i
	}
	var at Point
	if r.PointName != "" {
		f.set(&at, NameKey, r.PointName, r.PointName, math.NaN())
	}
	for _, s := range r.Point {
		at.Settings = append(at.Settings, result.Setting{Key: s.Key, Value: slices.Clone(s.Value)})
		f.set(&at, s.Key, s.Text(), f.options.LabelOf(s), f.number(s))
	}
	f.byName[name] = len(f.points)
	f.points = append(f.points, at)
	return f.byName[name]
}

// set records the value of a key at a point.
func (f *Fold) set(at *Point, key, value, label string, number float64) {
	k := slices.IndexFunc(f.keys, func(k Key) bool { return k.Name == key })
	if k < 0 {
		k = len(f.keys)
		f.keys = append(f.keys, Key{Name: key})
	}
	v := slices.Index(f.keys[k].Values, value)
	if v < 0 {
		v = len(f.keys[k].Values)
		f.keys[k].Values = append(f.keys[k].Values, value)
		f.keys[k].Labels = append(f.keys[k].Labels, label)
		f.keys[k].Numbers = append(f.keys[k].Numbers, number)
	}
	for len(at.Values) <= k {
		at.Values = append(at.Values, -1)
	}
	at.Values[k] = v
}

// number parses a swept value; NaN if it is not a number.
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
