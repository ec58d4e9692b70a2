package views

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/metrics/report/compare"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
	"tallynet/sim"
)

// generated returns a study of random runs: several methods and seeds, and a target of
// one or two conditions to be reached first or kept. Some runs miss the target, and some
// end badly.
func generated(random *rand.Rand) ([]result.Run, result.Target) {
	statuses := []result.Status{result.Completed, result.Reached, result.Completed, result.Diverged, result.Failed,
		result.Stalled, result.Interrupted}
	target := result.Target{Conditions: []result.Condition{condition("grad_norm2", "<=", 0.3)}, Kept: random.IntN(2) == 0}
	if random.IntN(2) == 0 {
		target.Conditions = append(target.Conditions, condition("test_accuracy", ">=", 0.3))
	}
	trouble := random.IntN(3) // without trouble all runs end well
	var runs []result.Run
	for _, label := range []string{"A", "B", "C"}[:1+random.IntN(3)] {
		for seed := range uint64(1 + random.IntN(6)) {
			n := 2 + random.IntN(12)
			gradient, accuracy := make([]float64, n), make([]float64, n)
			for k := range n {
				gradient[k], accuracy[k] = random.Float64(), random.Float64()
				if trouble > 0 && random.IntN(20) == 0 {
					gradient[k] = math.NaN()
				}
			}
			if random.IntN(2) == 0 { // reaches the target and stays
				gradient[n-1], accuracy[n-1] = 0.1, 0.9
			}
			status := result.Completed
			if trouble > 1 {
				status = statuses[random.IntN(len(statuses))]
			}
			r := runWith(label, seed+1, status, gradient, accuracy)
			r.Recorded = 0
			r.Targets = []result.Attempt{r.Reach(target)}
			runs = append(runs, r)
		}
	}
	return runs, target
}

// byHand computes the cost of a group's runs to the target from the definition: the
// mean of the costs, or the Kaplan-Meier median if runs are censored.
func byHand(runs []result.Run, target result.Target, of func(*result.Sample) float64) (value float64, reached int) {
	type cost struct {
		paid    float64
		reached bool
	}
	var costs []cost
	for _, r := range runs {
		if r.Status == result.Diverged || r.Status == result.Failed || r.Status == result.Stalled {
			costs = append(costs, cost{math.Inf(1), false})
			continue
		}
		met := func(s result.Sample) bool {
			for _, c := range target.Conditions {
				v := s.Values[slices.Index(r.Metrics, c.Metric)]
				if c.Relation == "<=" && !(v <= c.Value) || c.Relation == ">=" && !(v >= c.Value) {
					return false
				}
			}
			return true
		}
		at := -1
		for k := 1; k < len(r.Samples) && at < 0 && r.Status != result.Interrupted; k++ {
			holds := met(r.Samples[k])
			if target.Kept {
				holds = !slices.ContainsFunc(r.Samples[k:], func(s result.Sample) bool { return !met(s) })
			}
			if holds {
				at = k
			}
		}
		if at < 0 {
			costs = append(costs, cost{of(&r.Samples[len(r.Samples)-1]), false})
			continue
		}
		costs = append(costs, cost{of(&r.Samples[at]), true})
		reached++
	}
	if 2*reached < len(costs) {
		return math.NaN(), reached
	}
	if reached == len(costs) {
		sum := 0.0
		for _, c := range costs {
			sum += c.paid
		}
		return sum / float64(len(costs)), reached
	}
	slices.SortStableFunc(costs, func(a, b cost) int {
		switch {
		case a.paid != b.paid:
			return int(math.Copysign(1, a.paid-b.paid))
		case a.reached && !b.reached:
			return -1
		case b.reached && !a.reached:
			return 1
		}
		return 0
	})
	share, half := 1.0, math.NaN()
	for i, c := range costs {
		if !c.reached {
			continue
		}
		share *= 1 - 1/float64(len(costs)-i)
		switch {
		case share < 0.5-1e-9 && math.IsNaN(half):
			return c.paid, reached
		case share < 0.5-1e-9:
			return (half + c.paid) / 2, reached
		case share <= 0.5+1e-9 && math.IsNaN(half):
			half = c.paid
		}
	}
	return half, reached
}

// TestOneNumber checks that all readers have one number for the cost to a target: the
// human-readable and machine-readable tables, the summary, compare, the page's outcomes
// (which are the summary's), and Run.Reach, which claims and tuning read.
func TestOneNumber(t *testing.T) {
	censored := 0
	for i := range 400 {
		random := sim.Stream(uint64(i), "one number")
		runs, target := generated(random)
		s, err := New(runs, fold.Options{Targets: []result.Target{target}, More: []string{"test_accuracy"}})
		if err != nil {
			t.Fatal(err)
		}
		iterations := func(s *result.Sample) float64 { return float64(s.Iteration) }
		costs := cellsOf(t, s.costs(0, s.groups))
		wide := inWide(t, s)
		for _, g := range s.groups {
			var own []result.Run
			for _, r := range g.runs {
				own = append(own, *r)
			}
			want, reached := byHand(own, target, iterations)
			if reached > 0 && reached < len(own) {
				censored++
			}
			where := fmt.Sprintf("study %d, %s, %s (%s)", i, target, g.label, g.status())
			for reader, got := range map[string]float64{
				"summary":         inSummary(s.Summary, g),
				"table":           costs.cell(t, g.label, "iterations"),
				"wide table":      wide.cell(t, g.label, "iterations"),
				"Reach, as tuned": fromReach(own, target),
			} {
				if reader == "Reach, as tuned" && (reached == 0 || reached < len(own)) {
					continue // a run's cost is not a median
				}
				if got != want && !(math.IsNaN(got) && math.IsNaN(want)) && !(math.Abs(got-want) <= 1e-12*want) {
					t.Errorf("%s: %s says %v, want %v", where, reader, got, want)
				}
			}
		}
		checkCompare(t, i, s, costs, runs, target)
	}
	if censored < 50 {
		t.Errorf("only %d groups with censored runs were tried", censored)
	}
}

func inSummary(s *fold.Summary, g *group) float64 {
	k := slices.IndexFunc(s.Outcomes, func(o fold.Outcome) bool { return o.ID == "to[0].iterations" })
	return float64(g.Values[k].Value)
}

// cells returns the written cells of a table, with its heading.
type cells [][]string

func cellsOf(t *testing.T, out table.Table) cells {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(csvOf(t, out))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func (rows cells) cell(t *testing.T, label, column string) float64 {
	t.Helper()
	k := slices.Index(rows[0], column)
	for _, row := range rows[1:] {
		if row[0] == label {
			return cellValue(row[k])
		}
	}
	t.Fatalf("no row of %s", label)
	return 0
}

func cellValue(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func inWide(t *testing.T, s *StudyView) cells {
	t.Helper()
	wide := s.wide()
	at := s.targetName(0)
	wide.Rows = slices.DeleteFunc(wide.Rows, func(row []table.Cell) bool { return row[0] != table.Text(at) })
	for _, row := range wide.Rows {
		copy(row, row[1:2]) // the method comes first
	}
	return cellsOf(t, wide)
}

func fromReach(runs []result.Run, target result.Target) float64 {
	sum, n := 0.0, 0.0
	for i := range runs {
		if a := runs[i].Reach(target); a.At != nil {
			sum, n = sum+float64(a.At.Iteration), n+1
		}
	}
	return sum / n
}

// checkCompare compares a study with itself, once with its samples and once from
// result.json alone: A and B have the numbers of the study's own table.
func checkCompare(t *testing.T, i int, s *StudyView, costs cells, runs []result.Run, target result.Target) {
	t.Helper()
	stated := slices.Clone(runs)
	for k := range stated {
		stated[k].Samples = nil
	}
	for _, form := range [][]result.Run{runs, stated} {
		a := &result.Report{Scenario: []byte("{}"), Runs: form}
		compared, err := compare.New("x", "y", a, a)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(compared.Tables[0].Title, "to "+target.String()) {
			t.Fatalf("study %d: compares %s", i, compared.Tables[0].Title)
		}
		first := cellsOf(t, compared.Tables[0])
		for _, g := range s.groups {
			want, got := costs.cell(t, g.label, "iterations"), first.cell(t, g.label, "iterations A")
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("study %d, %s: compare says %v, the table %v", i, g.label, got, want)
			}
		}
	}
}
