package views

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// causes are what a run's time is made of, and how it is said.
var causes = []struct{ id, doing string }{
	{"critical_path.latency_s", "wait for latency"},
	{"critical_path.transfer_s", "wait for bandwidth"},
	{"critical_path.compute_s", "compute"},
	{"critical_path.idle_s", "wait for timers"},
}

// waits says what each method's time is mostly made of, on the critical path: "MA-DBO waits
// mostly for latency (83–97 % of its time); DGBO for bandwidth (71 %)". The shares are those of
// all grid points at which it got there.
func (t *teller) waits() (fact, bool) {
	type share struct {
		label     int
		low, high float64
	}
	by := make([][]share, len(causes))
	for label := range t.Labels {
		main, shares := t.mainCause(label)
		if main < 0 {
			continue
		}
		low, high := slices.Min(shares), slices.Max(shares)
		by[main] = append(by[main], share{label, low, high})
	}
	var words []string
	for c, all := range by {
		if len(all) == 0 {
			continue
		}
		low, high := math.Inf(1), 0.0
		var names []string
		for _, s := range all {
			low, high = min(low, s.low), max(high, s.high)
			names = append(names, t.Labels[s.label])
		}
		doing, their := causes[c].doing, "their"
		if len(names) == 1 {
			first, rest, _ := strings.Cut(doing, " ")
			doing, their = strings.TrimSpace(first+"s "+rest), "its"
		}
		percents := fmt.Sprintf("%.0f", 100*low)
		if h := fmt.Sprintf("%.0f", 100*high); h != percents {
			percents += "–" + h
		}
		words = append(words, fmt.Sprintf("%s %s (%s %% of %s time)", some(names), doing, percents, their))
	}
	if len(words) == 0 {
		return fact{}, false
	}
	at := ""
	if slices.ContainsFunc(t.Axes(), t.isNetwork) {
		at = "At " + t.Points[0].Name + ", "
	}
	return fact{at + strings.Join(words, "; ") + ".", Picture{View: MadeOf}}, true
}

// mainCause returns what most of a method's time is made of, over the grid, and its share at
// each point; -1 if no time passed. Where the network is swept, only the first point counts.
func (t *teller) mainCause(label int) (main int, shares []float64) {
	sums := make([]float64, len(causes))
	var each [][]float64
	swept := slices.ContainsFunc(t.Axes(), t.isNetwork)
	for g := range t.Groups {
		if t.Groups[g].Label != label || swept && !t.atFirst(g) {
			continue
		}
		parts, total := make([]float64, len(causes)), 0.0
		for c := range causes {
			if o := t.outcome(causes[c].id); o >= 0 {
				if v := t.value(g, o); v > 0 {
					parts[c], total = v, total+v
				}
			}
		}
		if total <= 0 || math.IsInf(total, 0) {
			continue
		}
		for c := range parts {
			parts[c] /= total
			sums[c] += parts[c]
		}
		each = append(each, parts)
	}
	if len(each) == 0 {
		return -1, nil
	}
	for c := range sums {
		if sums[c] > sums[main] {
			main = c
		}
	}
	for _, parts := range each {
		shares = append(shares, parts[main])
	}
	return main, shares
}
