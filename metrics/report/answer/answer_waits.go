package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/report/quantity"
)

// causes are the parts of a run's time, with their words.
var causes = []struct{ id, doing string }{
	{"critical_path.latency_s", "wait for latency"},
	{"critical_path.transfer_s", "wait for bandwidth"},
	{"critical_path.compute_s", "compute"},
	{"critical_path.idle_s", "wait for timers"},
}

// waits states the main part of each method's time on the critical path: "MA-DBO waits mostly
// for latency (83–97 % of its time); DGBO for bandwidth (71 %)". The shares are from the grid
// points at which the method reached the target and nothing takes more of its time.
func (t *teller) waits() (fact, bool) {
	type share struct {
		label     int
		low, high float64
		where     string // if not everywhere
	}
	by := make([][]share, len(causes))
	for label := range t.Labels {
		main, shares, points := t.mainCause(label)
		if main < 0 {
			continue
		}
		s := share{label: label, low: slices.Min(shares), high: slices.Max(shares)}
		if len(shares) < points {
			s.where = fmt.Sprintf(" at %d of %s", len(shares), quantity.Plural(points, "grid point"))
		}
		by[main] = append(by[main], s)
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
			names = append(names, t.Labels[s.label]+s.where)
		}
		doing, their := causes[c].doing, "their"
		partly := slices.ContainsFunc(all, func(s share) bool { return s.where != "" })
		switch {
		case len(all) == len(t.Labels) && len(all) > 5 && !partly:
			names = []string{fmt.Sprintf("All %d methods", len(all))}
		case len(names) == 1:
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
	text := strings.Join(words, "; ")
	if where := strings.TrimSpace(t.place(0, -1)); where != "" && slices.ContainsFunc(t.Axes(), t.isNetwork) {
		text = SentenceCase(where) + ", " + text
	}
	return fact{text + ".", Picture{View: MadeOf}}, true
}

// mainCause returns the largest part of a method's time at most points of the grid, its share there, and the number
// of points at which time passed; -1 if there are none. If the network is swept, only the first point counts.
func (t *teller) mainCause(label int) (main int, shares []float64, points int) {
	sums, wins := make([]float64, len(causes)), make([]int, len(causes))
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
		wins[slices.Index(parts, slices.Max(parts))]++
	}
	if len(each) == 0 {
		return -1, nil, 0
	}
	for c := range wins {
		if wins[c] > wins[main] || wins[c] == wins[main] && sums[c] > sums[main] {
			main = c
		}
	}
	for _, parts := range each {
		if parts[main] == slices.Max(parts) {
			shares = append(shares, parts[main])
		}
	}
	return main, shares, len(each)
}
