package study

import (
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"tallynet/algorithms"
	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/node"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/sim/slow"
)

// misled is a method whose nodes have a faulty oracle.
type misled struct {
	algorithms.Algorithm
	fault func(o algorithms.Oracle) algorithms.Oracle
}

func (m misled) Iterations() int { return algorithms.Iterations(m.Algorithm) }

func (m misled) Run(p *node.Proc, o algorithms.Oracle) { m.Algorithm.Run(p, m.fault(o)) }

// flipped has the wrong sign in the inner problem's derivatives with respect to x: in cross
// derivatives, and in the gradient of g in x for methods that use no others.
type flipped struct{ algorithms.Oracle }

func flip(o algorithms.Oracle) algorithms.Oracle { return flipped{o} }

func (f flipped) On(b algorithms.Batch) algorithms.Oracle { return flipped{f.Oracle.On(b)} }

func (f flipped) GradGx(dst, x, y []float64) {
	f.Oracle.GradGx(dst, x, y)
	floats.Scale(-1, dst)
}

func (f flipped) JacGxyMul(dst, x, y, v []float64) {
	f.Oracle.JacGxyMul(dst, x, y, v)
	floats.Scale(-1, dst)
}

func (f flipped) JacGxy(dst *mat.Dense, x, y []float64) {
	f.Oracle.JacGxy(dst, x, y)
	dst.Scale(-1, dst)
}

// twice computes every Hessian product twice, and so does its closed form.
type twice struct{ algorithms.Algorithm }

func (t twice) Iterations() int { return algorithms.Iterations(t.Algorithm) }

func (t twice) Run(p *node.Proc, o algorithms.Oracle) { t.Algorithm.Run(p, doubledProducts{o}) }

func (t twice) Cost(k int, d algorithms.Dims) metrics.Cost {
	c := algorithms.CostAt(t.Algorithm, k, d)
	c.Oracle.HVP *= 2
	return c
}

func (t twice) StartCost(d algorithms.Dims) metrics.Cost { return t.Cost(0, d) }

// CostPeriod returns 0, since the period of a method with a varying cost is not known here.
func (t twice) CostPeriod() int { return 0 }

type doubledProducts struct{ algorithms.Oracle }

func (d doubledProducts) On(b algorithms.Batch) algorithms.Oracle {
	return doubledProducts{d.Oracle.On(b)}
}

func (d doubledProducts) HessGyyMul(dst, x, y, v []float64) {
	d.Oracle.HessGyyMul(dst, x, y, v)
	d.Oracle.HessGyyMul(dst, x, y, v)
}

// doubledCatalog returns the catalog with doubled products for some methods.
func doubledCatalog(names ...string) *catalog.Catalog {
	cat := catalog.New()
	for _, name := range names {
		e := cat.Algorithm(name)
		right := e.New
		e.New = func(a keys.Args) (algorithms.Method, error) {
			m, err := right(a)
			if err != nil {
				return nil, err
			}
			return twice{m.(algorithms.Algorithm)}, nil
		}
	}
	return cat
}

// oracleCatalog returns the catalog with a faulty oracle for every method that runs as a program.
func oracleCatalog(fault func(o algorithms.Oracle) algorithms.Oracle) *catalog.Catalog {
	cat := catalog.New()
	for i := range cat.Algorithms {
		build := cat.Algorithms[i].New
		cat.Algorithms[i].New = func(a keys.Args) (algorithms.Method, error) {
			m, err := build(a)
			if program, ok := m.(algorithms.Algorithm); ok && err == nil {
				return misled{program, fault}, nil
			}
			return m, err
		}
	}
	return cat
}

// methodFault is a fault of some methods, or of all that run as programs.
type methodFault struct {
	cat     *catalog.Catalog
	methods []string // nil: all
}

// TestFaultsFailClaimsOfPapers runs small forms of scenarios of all five papers, including each table of
// complexities, with faulty methods: each fault must change the outcome of a claim. Tests of the shipped
// scenarios check that all outcomes are as expected without a fault. Methods that a fault does not touch are
// not run again. Runs of more than a second need TALLYNET_SLOW.
func TestFaultsFailClaimsOfPapers(t *testing.T) {
	doubles := func(names ...string) methodFault { return methodFault{doubledCatalog(names...), names} }
	dagmAnd := func(f fault, name string) methodFault { return methodFault{faultyCatalog(f), []string{name}} }
	all := func(c *catalog.Catalog) methodFault { return methodFault{cat: c} }
	for _, c := range []struct {
		file    string
		without int // claims with unexpected outcomes without a fault
		long    bool
		faults  map[string]methodFault
	}{
		{"dagm-s1.yaml", 1, true, map[string]methodFault{"a missing exchange": dagmAnd(lostExchange, "dagm"),
			"a matrix as a vector": dagmAnd(matrixAsVector, "dgbo")}},
		{"dbo-example.yaml", 0, false, map[string]methodFault{"sign": all(oracleCatalog(flip))}},
		{"dagm-table1.yaml", 0, true, map[string]methodFault{"a missing exchange": dagmAnd(lostExchange, "dagm"),
			"a doubled product": doubles("amigo"), "of AccBiO": doubles("accbio")}},
		{"dagm-table2.yaml", 0, true, map[string]methodFault{"a missing exchange": dagmAnd(lostExchange, "dagm"),
			"a matrix as a vector": dagmAnd(matrixAsVector, "dgbo")}},
		{"loops-tables-1-2.yaml", 0, false, map[string]methodFault{"a doubled product": doubles("aid"),
			"of ITD": doubles("itd")}},
		{"loops-table3.yaml", 0, true, map[string]methodFault{"a doubled product": doubles("reverse"),
			"where y goes on": doubles("itd")}},
		{"lpdbo-costs.yaml", 0, true, map[string]methodFault{"a doubled product": doubles("l-pdbo"),
			"of both": doubles("l-pdbo", "spdb")}},
		{"loops-floor.yaml", 0, false, map[string]methodFault{"sign": all(oracleCatalog(flip))}},
		{"bome-theorem1.yaml", 0, false, map[string]methodFault{"sign": all(oracleCatalog(flip))}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			if c.long {
				slow.Skip(t, "its methods run again for each fault")
			}
			for name, f := range c.faults {
				if wrongClaims(t, c.file, f) <= c.without {
					t.Errorf("%s: every claim comes out as expected", name)
				}
			}
		})
	}
}

// wrongClaims counts the claims of a scenario's small form with unexpected outcomes.
func wrongClaims(t *testing.T, file string, f methodFault) int {
	t.Helper()
	s, err := spec.LoadSmall(shippedPath(file), f.cat)
	if file == "dagm-s1.yaml" { // its counts are linear in the iterations, except for an example of 100
		s, err = spec.Load(shippedPath(file), f.cat, dagmS1Short)
	}
	if err != nil {
		t.Fatal(err)
	}
	study, err := New(s, &scenariotest.Data)
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := study.tune(t.Context(), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	jobs := study.jobs(tuned)
	var runs []result.Run
	switch {
	case f.methods == nil:
	case file == "dagm-s1.yaml":
		runs = dagmS1()
	default:
		_, runs = playedSmall(t, file)
	}
	if runs != nil && len(runs) != len(jobs) {
		t.Fatalf("%s: %d runs, want %d", file, len(runs), len(jobs))
	}
	runs = append(make([]result.Run, 0, len(jobs)), runs...)[:len(jobs)]
	var faulty []job
	var at []int
	for i, j := range jobs {
		a := j.point.Scenario.Algorithms[j.alg]
		if f.methods == nil || slices.Contains(f.methods, a.Name) {
			faulty, at = append(faulty, j), append(at, i)
		}
	}
	done, err := doAll(t.Context(), Options{Workers: 2}, faulty, false)
	if err != nil || len(done) == 0 {
		t.Fatalf("%s: %d runs of %v: %v", file, len(done), f.methods, err)
	}
	for k := range done {
		runs[at[k]] = done[k].run
		if r := &done[k].run; r.Status == result.Failed {
			t.Errorf("%s: the run of %s fails before a claim is looked at: %s", file, r.Label, r.Reason)
		}
	}
	n := 0
	for _, c := range study.Claims(runs) {
		if c.Wrong() {
			n++
		}
	}
	return n
}

// dagmS1Short returns the settings that shorten dagm-s1.yaml, and dagmS1 its runs without a fault.
var (
	dagmS1Short = []string{"algorithms[0].outer=9", "algorithms[1].outer=9", "algorithms[2].outer=9", "record.every=9"}
	dagmS1      = sync.OnceValue(func() []result.Run {
		return play(spec.Load(shippedPath("dagm-s1.yaml"), scenariotest.Catalog(), dagmS1Short)).runs
	})
)
