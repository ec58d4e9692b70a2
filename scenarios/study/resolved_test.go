package study

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim/slow"
)

// storedUnder returns the store key of each run of a scenario.
func storedUnder(t *testing.T, s *spec.Scenario) map[string]string {
	t.Helper()
	points, err := s.Points()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for k, p := range points {
		for i, a := range p.Scenario.Algorithms {
			args := []keys.Args{a.Args}
			if a.Tune != nil {
				args = nil
				for _, at := range a.Tune.Points {
					args = append(args, at.Args)
				}
			}
			for n, at := range args {
				j := job{in: &sharedInstance{seed: s.Seeds[0]}, point: p, alg: i, args: at}
				key, err := j.key("program")
				if err != nil {
					t.Fatal(err)
				}
				all[fmt.Sprintf("point %d, %s, candidate %d", k, a.Label, n)] = key
			}
		}
	}
	return all
}

// readsBack compares a scenario with its resolved form, as in a result.
func readsBack(t *testing.T, s *spec.Scenario) {
	t.Helper()
	text, err := json.Marshal(s.Resolved())
	if err != nil {
		t.Fatal(err)
	}
	again, err := spec.ParseResolved(filepath.Join(s.Dir(), "result.json"), text, scenariotest.Catalog())
	if err != nil {
		t.Errorf("%s: %v", s.Name, err)
		return
	}
	if d := cmp.Diff(storedUnder(t, s), storedUnder(t, again)); d != "" {
		t.Errorf("%s: read back, its runs are stored under other keys: %s", s.Name, d)
	}
	if !slices.Equal(s.Seeds, again.Seeds) || !spec.SameRuns(s, again) {
		t.Errorf("%s: read back, its runs are others", s.Name)
	}
}

// TestShippedScenariosReadBack: a result has its resolved scenario, which verify --saved reads.
func TestShippedScenariosReadBack(t *testing.T) {
	slow.Skip(t, "the keys of many thousand runs are compared; TestStudiesReadBack compares some each time")
	t.Parallel()
	for _, f := range shippedFiles(t) {
		readsBack(t, f.scenario)
	}
}

// TestStudiesReadBack: random points that set keys of their own, with sweeps.
func TestStudiesReadBack(t *testing.T) {
	t.Parallel()
	const tries, least = 500, 50
	values := map[string][]string{
		"topology":              {"ring", "{kind: star, nodes: 5}", "{kind: erdos-renyi, nodes: 6, p: 0.7}"},
		"topology.kind":         {"ring", "star", "complete", "grid"},
		"topology.nodes":        {"4", "9"},
		"topology.weights":      {"metropolis", "{kind: ring-a, a: 0.4}", "lazy-metropolis"},
		"topology.weights.a":    {"0.3", "0.5"},
		"platform":              {"lan-1g", "{kind: switch, up: 1Gbit/s}"},
		"place":                 {"packed", "spread"},
		"network.latency":       {"1ms", "2ms"},
		"network.jitter":        {"{kind: uniform, mean: 1ms}", "{kind: normal, mean: 100us, deviation: 20us}"},
		"network.jitter.kind":   {"uniform", "exponential"},
		"compute":               {"{speed: 1GFLOP/s}", "{calls: {hvp: 1ms}}"},
		"compute.speed":         {"1GFLOP/s", "2GFLOP/s"},
		"wire":                  {"float16", "float32"},
		"problem":               {"{kind: conditioned, dim: 3}", "{kind: quadratic, p: 3, q: 2}"},
		"problem.heterogeneity": {"0", "0.25"},
		"problem.kind":          {"quadratic", "conditioned"},
		"problem.condition":     {"2", "4"},
		"algorithms.DAGM.alpha": {"0.01", "1e-3"},
		"algorithms.DAGM.inner": {"1", "3"},
		"algorithms[1].gamma":   {"0.1", "0.2"},
		"stop":                  {"{time: 1s}", "{iterations: 2}"},
		"stop.iterations":       {"3", "5"},
		"record.every":          {"1", "2"},
	}
	var names []string
	for k := range values {
		names = append(names, k)
	}
	slices.Sort(names)
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	some := func(n int) []string {
		all := slices.Clone(names)
		rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		return all[:n]
	}
	read := 0
	for range tries {
		src := "version: 1\nname: x\ntopology: " + pick(append([]string{
			"{kind: ring, nodes: 4, weights: {kind: ring-a, a: 0.5}}", "{nodes: 9}"}, values["topology"]...)) +
			"\nproblem: " + pick([]string{"quadratic", "{kind: quadratic, p: 3, q: 3, heterogeneity: 0.5}",
			"{kind: conditioned, dim: 3}"}) +
			"\nalgorithms: [{name: dagm, outer: 4, inner: 2, neumann: 2, alpha: 0.02, beta: 0.05}, " +
			"{name: dgtbo, outer: 3, inner: 1, jhip: 1, eta_x: 0.1, eta_y: 0.1, gamma: 0.3}]\n" +
			pick([]string{"", "network: {jitter: {kind: normal, mean: 100us, deviation: 20us}}\n", "platform: lan-10g\n",
				"stop: {iterations: 3}\nrecord: {every: 2}\n", "compute: {speed: 3GFLOP/s}\nwire: bfloat16\n"})
		var points []string
		for range 1 + rng.IntN(3) {
			var sets []string
			for _, k := range some(1 + rng.IntN(3)) {
				sets = append(sets, fmt.Sprintf("%q: %s", k, pick(values[k])))
			}
			points = append(points, "{"+strings.Join(sets, ", ")+"}")
		}
		src += "points: [" + strings.Join(points, ", ") + "]\n"
		if rng.IntN(3) == 0 {
			k := some(1)[0]
			src += fmt.Sprintf("sweep: {%q: [%s]}\n", k, strings.Join(values[k], ", "))
		}
		s, err := spec.Parse("x.yaml", []byte(src), scenariotest.Catalog(), nil)
		if err != nil {
			continue // keys that do not fit together
		}
		read++
		if readsBack(t, s); t.Failed() {
			t.Fatalf("of\n%s", src)
		}
	}
	if read < least {
		t.Errorf("%d of %d studies could be read, want %d", read, tries, least)
	}
	t.Logf("%d studies", read)
}
