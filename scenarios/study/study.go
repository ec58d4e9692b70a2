package study

import (
	"slices"
	"sync"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/build"
	"tallynet/scenarios/measure"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
)

// Study is a scenario with its grid and its seeds, ready to run. Every instance has been built once, so that all
// errors show before the first run.
type Study struct {
	Scenario  *spec.Scenario
	points    []spec.GridPoint
	instances []*sharedInstance // by point, then seed
	idle      idlePool          // of them
	own       [][]own           // by point, then algorithm
	unfit     []string          // by claim: why it cannot be decided; "" if it can

	index  sync.Once
	byName map[string]*spec.Scenario // by the settings of the point; see At
}

// New builds all instances of a scenario. An error names the place in the file.
func New(s *spec.Scenario, loader *data.Loader) (*Study, error) {
	st := &Study{Scenario: s}
	var err error
	if st.points, err = s.Points(); err != nil {
		return nil, err
	}
	st.own = depends(st.points)
	for _, p := range st.points {
		if err := st.addInstances(p.Scenario, loader); err != nil {
			return nil, err
		}
	}
	if st.unfit, err = st.fit(); err != nil {
		return nil, err
	}
	return st, nil
}

// FromRuns returns the study of a scenario whose runs exist already. It decides claims, fills tables and draws
// figures, but builds no instances and cannot run. A claim on a metric that no run has stays undecided.
func FromRuns(s *spec.Scenario) (*Study, error) {
	points, err := s.Points()
	if err != nil {
		return nil, err
	}
	return &Study{Scenario: s, points: points, own: depends(points), unfit: s.Unfit()}, nil
}

// addInstances builds the instances of a point one after the other. It keeps the first one of the study.
func (st *Study) addInstances(s *spec.Scenario, loader *data.Loader) error {
	files, err := digests(s)
	var has []measure.Metric
	for _, seed := range s.Seeds {
		in, wrong := build.Build(s, seed, loader)
		switch {
		case wrong != nil:
			return wrong
		case err != nil:
			return s.Errorf("problem", "%w", err)
		}
		if now := measure.Of(in.Problem, s.Catalog.Metrics); !slices.Equal(measure.Names(now), measure.Names(has)) {
			has = now
		}
		pl := &sharedInstance{scenario: s, seed: seed, loader: loader, metrics: has, files: files, idle: &st.idle}
		if len(st.instances) == 0 {
			pl.first, pl.instance = in, in // a study of one instance does not build it again
		} else {
			st.idle.put(pl, in)
		}
		st.instances = append(st.instances, pl)
	}
	return nil
}

// fit checks that the problem has the metrics that the claims name. It returns why a claim cannot be decided with the
// overrides.
func (st *Study) fit() ([]string, error) {
	s := st.Scenario
	unfit := s.Unfit()
	for i := range s.Claims {
		for _, in := range st.instances {
			why, err := s.CheckMetrics(&s.Claims[i], in.scenario.Problem.Kind, measure.Names(in.metrics))
			if err != nil {
				return nil, err
			}
			if why != "" {
				unfit[i] = why
			}
		}
	}
	return unfit, nil
}

// First returns the instance of the first grid point and seed.
func (st *Study) First() *build.Instance { return st.instances[0].first }

// Points returns the number of grid points.
func (st *Study) Points() int { return len(st.points) }

// At returns the scenario of the grid point with these settings; nil if there is none.
func (st *Study) At(settings result.Settings) *spec.Scenario {
	st.index.Do(func() {
		st.byName = map[string]*spec.Scenario{}
		for _, p := range st.points {
			st.byName[p.Settings().Text("=")] = p.Scenario
		}
	})
	return st.byName[settings.Text("=")]
}

// Runs returns the number of runs, without those of a tuning.
func (st *Study) Runs() int { return len(st.instances) * len(st.Scenario.Algorithms) }

// Workers returns how many of the wanted runs may go on concurrently without exceeding the memory limit.
func (st *Study) Workers(want int) int {
	for _, p := range st.points {
		s := p.Scenario
		if size, known := s.ProblemSize(s.Problem.Args, s.Topology.DataNodes()); known {
			want = min(want, int(min(s.Limits.Bytes/max(1, size.Bytes), 1<<20)))
		}
	}
	return max(1, want)
}

// everywhere returns the runs of every grid point, as claims and tables name them. A run that several points share
// stands at each.
func (st *Study) everywhere(runs []result.Run) []result.Run {
	alone := true // no method has run once for several points
	for i, methods := range st.own {
		alone = alone && !slices.ContainsFunc(methods, func(o own) bool { return o.first != i })
	}
	if alone {
		return runs
	}
	type id struct {
		label, point string
		seed         uint64
	}
	of := map[id]*result.Run{}
	for i := range runs {
		r := &runs[i]
		of[id{r.Label, r.Point.Text(" = "), r.Seed}] = r
	}
	var all []result.Run
	for i, p := range st.points {
		for _, seed := range p.Scenario.Seeds {
			for a, alg := range p.Scenario.Algorithms {
				o := st.own[i][a]
				if r := of[id{alg.Label, spec.SettingsOf(o.values).Text(" = "), seed}]; r != nil {
					here := *r
					here.Point, here.PointName, here.Shares = spec.SettingsOf(p.Values), p.Name, r
					here.Numbers = p.Scenario.Quantities(p.Values)
					all = append(all, here)
				}
			}
		}
	}
	return all
}

// quickSpectrum is the number of nodes up to which the spectrum of a mixing matrix takes next to no time.
const quickSpectrum = 2000

// SpectralGap returns the spectral gap of the first instance's mixing matrix. It reports false if the matrix is large
// or the gap cannot be computed.
func (st *Study) SpectralGap() (gap float64, known bool) {
	mixing := st.First().Mixing
	if mixing.Nodes() > quickSpectrum {
		return 0, false
	}
	spectrum, err := mixing.Spectrum()
	return spectrum.Gap, err == nil
}

// Close ends the process of the first instance, if it has one. A program that continues with other studies calls it
// when nothing more is to be run.
func (st *Study) Close() { st.instances[0].first.Close() }
