package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/retime"
	"tallynet/scenarios/spec"
)

// farther is how many times smaller and larger than its value in the file a key is looked at that is not swept.
const farther = 1000

// Crossovers returns where the fastest choice changes along the numeric keys that the study's question names, found by
// playing the runs' messages on other networks and machines. It looks around the value of a key that is not swept, and
// between neighbours on a swept one that have another best choice. The notes say which keys it cannot tell about.
func (st *Study) Crossovers(ctx context.Context, runs []result.Run, a *result.Answer, workers int,
	loader *data.Loader) (found []result.Crossover, notes []string, err error) {
	if !a.Question.Given {
		return nil, nil, nil
	}
	for i := range a.Cells {
		cell := &a.Cells[i]
		if cell.By != "time_s" || cell.Level != nil && !cell.Level.Equal(*a.Question.To) {
			continue
		}
		f := finder{st, runs, a.Question.To, cell, loader}
		at := func(key string, low, high float64) error {
			section, _, _ := strings.Cut(key, ".")
			if !slices.Contains([]string{"network", "compute", "platform"}, section) {
				return nil // it changes iterates
			}
			all, why, err := f.find(ctx, key, low, high, workers)
			if found = append(found, all...); err != nil && ctx.Err() == nil { // the answer stands without it
				why, err = err, nil
			}
			if why != nil && len(notes) == 0 {
				notes = append(notes, fmt.Sprintf("crossovers along %s cannot be told without runs: %v; sweep it, and --refine "+
					"narrows them down", key, why))
			}
			return err
		}
		for _, key := range a.Question.Along {
			_, swept := cell.At.Get(key)
			if x, _, ok := st.At(cell.Choices[0].Point).Number(key); ok && !swept && x > 0 {
				err = at(key, x/farther, x*farther)
			}
			if err != nil {
				return nil, nil, err
			}
		}
		for _, c := range a.Crossovers {
			value, _ := cell.At.Get(c.Along)
			x, _ := keys.Quantity(value)
			if c.Method == "grid" && c.By == "time_s" && x == c.Low && cell.Best == 1 && c.Low > 0 &&
				cell.Choices[0].Name == c.Below && besides(cell.At, c.Along).Text(" ") == c.At {
				if err := at(c.Along, c.Low, c.High); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	return found, notes, nil
}

// besides returns settings without a key.
func besides(s result.Settings, key string) result.Settings {
	return slices.DeleteFunc(slices.Clone(s), func(o result.Setting) bool { return o.Key == key })
}

// finder looks for crossovers in one setting.
type finder struct {
	*Study
	runs   []result.Run
	to     *result.Target // nil: the end of the runs
	cell   *result.Cell
	loader *data.Loader
}

// find returns the crossovers along a key. Why says that time is not all that would change.
func (f *finder) find(ctx context.Context, key string, low, high float64, workers int) (found []result.Crossover,
	why, err error) {
	var choices []result.Choice
	for _, c := range f.cell.Choices {
		if 2*c.Arrived < c.Runs {
			continue
		}
		s := f.At(c.Point)
		if s == nil {
			return nil, nil, nil // a run that several points share
		}
		in, err := build.Outline(s, f.Scenario.Seeds[0])
		if err != nil {
			return nil, nil, err
		}
		if why := retime.Retimable(in, *method(s, c.Method)); why != nil {
			return nil, why, nil
		}
		choices = append(choices, c)
	}
	seeds := f.Scenario.Seeds
	crossings := make([][]retime.Crossing, len(seeds))
	g, going := errgroup.WithContext(ctx)
	g.SetLimit(max(1, workers))
	for i, seed := range seeds {
		g.Go(func() error {
			cost, err := f.costs(going, key, choices, seed)
			if err == nil {
				crossings[i], err = retime.Crossovers(cost, low, high, math.Sqrt(low*high))
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	_, unit, _ := f.At(f.cell.Choices[0].Point).Number(key)
	for _, c := range retime.OverSeeds(crossings) {
		if c.From < 0 || c.To < 0 || 2*(len(seeds)-c.None) < len(seeds) {
			continue
		}
		x := result.Crossover{By: "time_s", Along: key, At: besides(f.cell.At, key).Text(" "), Below: choices[c.From].Name,
			Above: choices[c.To].Name, Unit: unit, Value: c.At.Value, Low: c.At.Low, High: c.At.High,
			Seeds: len(seeds) - c.None, Of: len(seeds), Method: "retimed"}
		if x.Seeds == 1 || !(x.Low < x.High) { // the bracket of the seed
			for _, own := range slices.Concat(crossings...) {
				if own.From == c.From && own.To == c.To {
					x.Low, x.High = own.Low, own.High
				}
			}
		}
		found = append(found, x)
	}
	return found, nil, nil
}

// costs returns the times of the choices to the target with one seed, as a function of a key.
func (f *finder) costs(ctx context.Context, key string, choices []result.Choice,
	seed uint64) (func(float64) ([]float64, error), error) {
	traces := make([]*retime.Trace, len(choices))
	for i, c := range choices {
		k := slices.IndexFunc(f.runs, func(r result.Run) bool {
			return r.Seed == seed && r.Label == c.Method && r.Point.Equal(c.Point)
		})
		if k < 0 {
			continue
		}
		run, err := f.runs[k].Full()
		if err != nil {
			return nil, err
		}
		last := run.Iterations
		if f.to != nil {
			at, _ := run.Attempt(*f.to)
			if at.At == nil {
				continue
			}
			last = at.At.Iteration
		}
		in, err := build.Build(f.At(c.Point), seed, f.loader)
		if err != nil {
			return nil, err
		}
		m := method(in.Scenario, c.Method)
		if traces[i], err = retime.Record(ctx, in, *m, m.Args, last); err != nil {
			return nil, err
		}
	}
	return retime.Along(ctx, key, traces), nil
}

// method returns the method with a label.
func method(s *spec.Scenario, label string) *spec.AlgorithmSpec {
	return &s.Algorithms[slices.IndexFunc(s.Algorithms, func(a spec.AlgorithmSpec) bool { return a.Label == label })]
}
