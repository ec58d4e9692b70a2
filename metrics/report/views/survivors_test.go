package views

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// survival is the Kaplan-Meier estimate at a cost, and its log-log interval with Greenwood's variance, by their
// definitions: products and sums over the distinct costs of runs that got there.
func survival(at float64, paid []float64, reached []bool) (share, low, high float64) {
	share = 1
	greenwood := 0.0
	done := map[float64]bool{}
	for i, t := range paid {
		if !reached[i] || t > at || done[t] {
			continue
		}
		done[t] = true
		d, risk := 0.0, 0.0
		for k := range paid {
			if paid[k] >= t {
				risk++
			}
			if paid[k] == t && reached[k] {
				d++
			}
		}
		share *= (risk - d) / risk
		greenwood += d / risk / (risk - d)
	}
	if share == 0 {
		return 0, math.NaN(), math.NaN()
	}
	width := distuv.UnitNormal.Quantile(0.975) * math.Sqrt(greenwood) / math.Abs(math.Log(share))
	return share, math.Pow(share, math.Exp(width)), math.Pow(share, math.Exp(-width))
}

// TestSurvivors: of 24 seeds k diverge, and some end by their limit. The printed share, median and interval are those
// of the Kaplan-Meier estimate in which the diverged ones never get there. From 13 on there is no number.
func TestSurvivors(t *testing.T) {
	const seeds = 24
	for _, limited := range []int{0, 1, 3} {
		for k := range seeds + 1 {
			if limited > 0 && k+limited > 11 {
				continue
			}
			var runs []result.Run
			var paid []float64
			var reached []bool
			for seed := range uint64(seeds) {
				iterations := 10 + int(seed*seed*7%23)
				r := priced(t, "A", seed, iterations, 100, ms, 0)
				p, there := float64(100*iterations), true
				switch place := int(seed * 5 % seeds); { // the order of seeds is not that of costs
				case place < k:
					r.Status, p, there = result.Diverged, math.Inf(1), false
				case place < k+limited:
					r.Status, p, there = result.Completed, p-100, false
					r.Samples = r.Samples[:iterations]
					r.Finish()
				}
				runs, paid, reached = append(runs, r), append(paid, p), append(reached, there)
			}
			s, err := New(runs, fold.Options{Targets: []result.Target{{Conditions: []result.Condition{
				condition("grad_norm2", "<=", 1)}}}})
			if err != nil {
				t.Fatal(err)
			}
			got := firstRow(t, s, "Bytes to grad_norm2 <= 1")
			want := map[string]string{"runs": "24", "reached": fmt.Sprint(seeds - k - limited), "value": "not reached",
				"low": "", "high": ""}
			if k <= seeds/2 {
				first := func(of func(share, low, high float64) float64) string { // where a curve is at most one half
					var at []float64
					for _, p := range slices.Compact(slices.SortedFunc(slices.Values(paid), cmp.Compare[float64])) {
						if math.IsInf(p, 1) {
							continue
						}
						switch y := of(survival(p, paid, reached)); {
						case math.Abs(y-0.5) < 1e-9 && len(at) == 0:
							at = []float64{p}
						case y < 0.5-1e-9:
							return fmt.Sprint((append(at, p)[0] + p) / 2)
						}
					}
					if len(at) > 0 {
						return fmt.Sprint(at[0])
					}
					return "∞"
				}
				want["value"] = first(func(share, _, _ float64) float64 { return share })
				want["low"] = first(func(_, low, _ float64) float64 { return low })
				want["high"] = first(func(_, _, high float64) float64 { return high })
				if k+limited == 0 {
					delete(want, "value") // all got there: the mean
					delete(want, "low")
					delete(want, "high")
				}
			}
			for column, value := range want {
				x, _ := strconv.ParseFloat(got[column], 64)
				if y, err := strconv.ParseFloat(value, 64); got[column] != value && (err != nil || math.Abs(x-y) > 1e-9*y) {
					t.Errorf("%d diverge, %d end by their limit: %s is %q, want %q", k, limited, column, got[column], value)
				}
			}
			if share := s.outcome(s.groups[0], 0); !strings.HasPrefix(share, fmt.Sprintf("%d/24", seeds-k-limited)) {
				t.Errorf("%d diverge: the table says %s", k, share)
			}
			if err := s.Ask(nil, nil); err != nil {
				t.Fatal(err)
			}
			said := s.Answer().Sentences
			if says := strings.Contains(strings.Join(said, " "), "A sends "); says != (k <= seeds/2) {
				t.Errorf("%d diverge: %q", k, said)
			}
		}
	}
}

// firstRow is the first row of a table of the statistics, by column.
func firstRow(t *testing.T, s *StudyView, title string) map[string]string {
	t.Helper()
	for _, table := range StatisticsTables(s.Summary) {
		if table.Title == title {
			rows, err := csv.NewReader(strings.NewReader(csvOf(t, table))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			row := map[string]string{}
			for i, name := range rows[0] {
				row[strings.TrimSuffix(name, " (B)")] = rows[1][i]
			}
			return row
		}
	}
	t.Fatalf("no table %q", title)
	return nil
}
