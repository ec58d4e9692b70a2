package views

import (
	"math"
	"slices"
	"strconv"

	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// Answer returns the answer to the question of the study.
func (s *StudyView) Answer() *result.Answer {
	if s.answered == nil {
		of := answer.Study{Fold: s.fold, Summary: s.Summary, Question: s.question, Main: fold.TheEnd,
			Crossovers: s.crossovers}
		switch {
		case s.atLevels != nil:
			of.Fold, of.Summary, of.Main, of.Finer = s.atLevels, s.atLevels.Summary(), s.main, s.finer
			for t := range of.Summary.Targets {
				of.Levels = append(of.Levels, t)
			}
		case len(s.Summary.Targets) > 0:
			of.Main = 0
		case len(s.groups) > 1 && !s.alike():
			of.Unranked = "No target was set, and the runs end at different accuracies: their costs are not ranked."
		}
		s.answered = answer.Of(of)
	}
	return s.answered
}

// alike reports whether all groups end at the same accuracy, as if only the network differs.
func (s *StudyView) alike() bool {
	q := metric(s.mainMetrics()[0])
	low, high := math.Inf(1), math.Inf(-1)
	for _, g := range s.groups {
		if m := s.measure(g, fold.TheEnd, q); g.Ended > 0 && m.Value.Finite() {
			low, high = min(low, float64(m.Value)), max(high, float64(m.Value))
		}
	}
	return low > high || high-low <= 1e-9*math.Abs(high)
}

// mostLevels is the largest number of levels among which an answer is looked for.
const mostLevels = 8

// foldLevels computes the statistics at the levels among which the answer is looked for: from the start of the runs
// to the best end of a method, in decades or, if these are too few, in steps of 1, 2 and 5. The main level is the
// question's target. Without one it is the hardest that all methods get to, or half of the runs.
func (s *StudyView) foldLevels() error {
	asked := s.question != nil && slices.Contains(s.question.Along, result.TheLevel)
	if !asked && (len(s.Summary.Targets) > 0 || len(s.groups) < 2 || !answer.SameProblem(s.Summary) || s.alike()) {
		return nil
	}
	level := result.Condition{Metric: s.mainMetrics()[0], Relation: "<="}
	if s.moreIsBetter(level.Metric) {
		level.Relation = ">="
	}
	var targets []result.Target
	for _, v := range s.ladder(level.Metric) {
		level.Value = v
		t := result.Target{Conditions: []result.Condition{level}}
		if s.options.Agree != nil {
			t.Conditions = s.options.Agree(t.Conditions)
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil
	}
	main := -1
	if len(s.Summary.Targets) > 0 {
		main = slices.IndexFunc(targets, s.Summary.Targets[0].Equal)
		if main < 0 {
			harder := func(t result.Target) bool {
				return t.Conditions[0].Value < s.Summary.Targets[0].Conditions[0].Value != s.moreIsBetter(level.Metric)
			}
			if main = slices.IndexFunc(targets, harder); main < 0 {
				main = len(targets)
			}
			targets = slices.Insert(targets, main, s.Summary.Targets[0].Target)
		}
	}
	f, err := s.refold(targets)
	if err != nil {
		return err
	}
	arrived := func(t int) (all, any bool) {
		all = true
		for _, g := range s.groups {
			m := f.Measure(g.Point, g.Label, t, fold.Quantity{Costs: []string{"iterations"}})
			all = all && (m.Reached == g.Ended || g.Ended == 0)
			any = any || m.Value.Finite()
		}
		return all, any
	}
	for t := 0; t < len(targets) && len(s.Summary.Targets) == 0; t++ {
		all, any := arrived(t)
		if !any {
			targets = targets[:t]
			break
		}
		if all || main < 0 {
			main = t
		}
	}
	if len(targets) == 0 {
		return nil
	}
	s.main = main
	s.atLevels, err = s.refold(targets)
	return err
}

// ladder returns round levels of a metric between its start and the best end of a method, the easiest first.
func (s *StudyView) ladder(metricName string) []float64 {
	const rounding = 1e-12 // of the largest value at a start
	start, end := s.starts[metricName], math.Inf(1)
	if s.moreIsBetter(metricName) { // in terms of what is missing to the best end, which is not reached exactly
		start, end = math.Inf(-1), math.Inf(-1)
	}
	for _, g := range s.groups {
		v := float64(s.measure(g, fold.TheEnd, metric(metricName)).Value)
		if g.Ended > 0 && !math.IsNaN(v) && !math.IsInf(v, 0) && (v < end) != s.moreIsBetter(metricName) {
			end = v
		}
	}
	if s.moreIsBetter(metricName) {
		var levels []float64
		for _, missing := range []float64{0.1, 0.05, 0.02, 0.01} {
			levels = append(levels, rounded(end*(1-missing)))
		}
		return slices.DeleteFunc(levels, func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
	}
	end = max(end, rounding*start)
	if !(end < start) || math.IsInf(start, 0) {
		return nil
	}
	var decades, fine []float64
	for k := math.Floor(math.Log10(start)); k >= math.Floor(math.Log10(end)); k-- {
		for _, m := range []float64{5, 2, 1} {
			if v := m * math.Pow(10, k); v < start/2 && v >= end {
				fine = append(fine, rounded(v))
				if m == 1 {
					decades = append(decades, rounded(v))
				}
			}
		}
	}
	levels := decades
	if len(decades) < 2 {
		levels = fine
	}
	for len(levels) > mostLevels {
		levels = slices.DeleteFunc(levels, func(v float64) bool { return slices.Index(levels, v)%2 == len(levels)%2 })
	}
	return levels
}

// refold returns the statistics of all runs to other targets.
func (s *StudyView) refold(targets []result.Target) (*fold.Fold, error) {
	o := s.options
	o.Targets = targets
	f := fold.New(o)
	for i := range s.runs {
		full, err := s.runs[i].Full()
		if err != nil {
			return nil, err
		}
		if len(full.Samples) == 0 || !full.Measures(targets[0]) {
			continue
		}
		if err := f.Add(full); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// finer returns the statistics at one level.
func (s *StudyView) finer(t result.Target) (*fold.Fold, error) { return s.refold([]result.Target{t}) }

// rounded rounds a level to three digits.
func rounded(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	if err != nil {
		return x
	}
	return v
}
