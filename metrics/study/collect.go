package study

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/result"
)

// Options tell a Collector what to look for.
type Options struct {
	// Targets are the accuracies of interest. If there are none, they are those that each
	// run states as its own, one by one.
	Targets []result.Target
	// More names the metrics of which more is better.
	More []string
	// Number reads a swept value as a number, as "10ms"; nil reads plain numbers only.
	Number func(result.Setting) (x float64, ok bool)
	// Seed keys the resampling of bootstrap intervals.
	Seed uint64
}

// Collector takes runs one at a time. It keeps a few numbers of each.
type Collector struct {
	options  Options
	statuses Statuses
	seeds    []uint64
	labels   []string
	finals   []string // names of final metrics
	keys     []Key
	points   []Point
	byName   map[string]int // points
	targets  []Target
	groups   map[[2]int]*group // by point and label
}

// group is the runs of one method at one grid point.
type group struct {
	point, label int
	algorithm    string
	statuses     Statuses
	records      []record
}

// record is what is kept of a run.
type record struct {
	seed   uint64
	ended  bool
	finals []float64 // aligned with Collector.finals as far as it goes; NaN: the run has no such number
	totals []float64
	to     []attempt // by target, as far as it goes
}

// attempt is what a run paid to reach a target, or in vain.
type attempt struct {
	asked, reached bool
	paid           []float64
}

// New returns an empty collector. It panics if a target has no conditions, or one with
// a relation other than "<=" and ">=".
func New(o Options) *Collector {
	c := &Collector{options: o, statuses: Statuses{}, byName: map[string]int{}, groups: map[[2]int]*group{}}
	for _, t := range o.Targets {
		if err := t.Check(); err != nil {
			panic("study: " + err.Error())
		}
		c.target(t)
	}
	return c
}

// Add takes what is to be known of a run; r may be used for something else afterwards.
// It returns an error for a run that it has seen already, and for a target that the
// run's samples are needed for and that has none: then nothing of it is taken.
func (c *Collector) Add(r *result.Run) error {
	to, err := c.attempts(r)
	if err != nil {
		return fmt.Errorf("summary: %s: %w", runName(r), err)
	}
	g := c.group(r)
	for i := range g.records {
		if g.records[i].seed == r.Seed {
			return fmt.Errorf("summary: two runs of %s: give each result once", runName(r))
		}
	}
	c.statuses[r.Status]++
	g.statuses[r.Status]++
	indexOf(&c.seeds, r.Seed)
	rec := record{seed: r.Seed, ended: r.Status.Ended(), to: to}
	if rec.ended {
		rec.totals = paid(&metrics.Moment{Iteration: r.Iterations, Totals: r.Totals})
		for _, v := range r.Final.Values {
			i := indexOf(&c.finals, v.Name)
			for len(rec.finals) <= i {
				rec.finals = append(rec.finals, math.NaN())
			}
			rec.finals[i] = v.Value
		}
	}
	g.records = append(g.records, rec)
	return nil
}

func runName(r *result.Run) string {
	name := r.Label
	if at := pointName(r.Point); at != "" {
		name += " at " + at
	}
	return fmt.Sprintf("%s, seed %d", name, r.Seed)
}

func pointName(p result.Settings) string {
	var words []string
	for _, s := range p {
		words = append(words, s.Key+" = "+s.Text())
	}
	return strings.Join(words, ", ")
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
func (c *Collector) attempts(r *result.Run) ([]attempt, error) {
	asked := c.options.Targets
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
		a, known := r.Attempt(t)
		if !known {
			return nil, fmt.Errorf("its samples are needed to tell when it reached %s, and there are none", t)
		}
		i := c.target(t)
		for len(to) <= i {
			to = append(to, attempt{})
		}
		to[i].asked = true
		switch {
		case a.At != nil:
			to[i].reached, to[i].paid = true, paid(a.At)
		case r.Status.Ended():
			to[i].paid = paid(&metrics.Moment{Iteration: r.Iterations, Totals: r.Totals})
		}
	}
	return to, nil
}

// target returns the index of a target, which it adds if need be.
func (c *Collector) target(t result.Target) int {
	i := slices.IndexFunc(c.targets, func(o Target) bool { return o.Equal(t) })
	if i < 0 {
		i = len(c.targets)
		c.targets = append(c.targets, Target{t, t.String()})
	}
	return i
}

// group returns the group of a run.
func (c *Collector) group(r *result.Run) *group {
	at := [2]int{c.point(r.Point), indexOf(&c.labels, r.Label)}
	g := c.groups[at]
	if g == nil {
		g = &group{point: at[0], label: at[1], algorithm: r.Algorithm, statuses: Statuses{}}
		c.groups[at] = g
	}
	return g
}

// point returns the index of a grid point.
func (c *Collector) point(p result.Settings) int {
	name := pointName(p)
	if i, ok := c.byName[name]; ok {
		return i
	}
	at := Point{Name: name}
	for _, s := range p {
		at.Settings = append(at.Settings, result.Setting{Key: s.Key, Value: slices.Clone(s.Value)})
		k := slices.IndexFunc(c.keys, func(k Key) bool { return k.Name == s.Key })
		if k < 0 {
			k = len(c.keys)
			c.keys = append(c.keys, Key{Name: s.Key})
		}
		v := slices.Index(c.keys[k].Values, s.Text())
		if v < 0 {
			v = len(c.keys[k].Values)
			c.keys[k].Values = append(c.keys[k].Values, s.Text())
			c.keys[k].Numbers = append(c.keys[k].Numbers, c.number(s))
		}
		for len(at.Values) <= k {
			at.Values = append(at.Values, -1)
		}
		at.Values[k] = v
	}
	c.byName[name] = len(c.points)
	c.points = append(c.points, at)
	return c.byName[name]
}

// number reads a swept value; NaN if it is none.
func (c *Collector) number(s result.Setting) float64 {
	if c.options.Number != nil {
		if x, ok := c.options.Number(s); ok {
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
