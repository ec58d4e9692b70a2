package views

import (
	"math"
	"slices"
	"strconv"

	"tallynet/metrics/list"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// Ask answers a question about the study; without one it follows from what varies. Found are crossovers along keys.
func (s *StudyView) Ask(q *result.Question, found []result.Crossover) error {
	if err := s.foldLevels(q); err != nil {
		return err
	}
	of := answer.Study{Fold: s.fold, Summary: s.Summary, Question: q, Main: fold.TheEnd, Crossovers: found}
	switch {
	case s.atLevels != nil:
		of.Fold, of.Summary, of.Main, of.Finer = s.atLevels, s.atLevels.Summary(), s.main, s.finer
		for t := range of.Summary.Targets {
			of.Levels = append(of.Levels, t)
		}
	case len(s.Summary.Targets) > 0:
		of.Main = 0
		if q != nil && q.To != nil {
			of.Main = slices.IndexFunc(s.Summary.Targets, func(t fold.NamedTarget) bool { return t.Equal(*q.To) })
		}
	case len(s.groups) > 1 && !s.alike():
		of.Unranked = "No target was set, and the runs end at different accuracies: their costs are not ranked."
	}
	s.answered = answer.Of(of)
	if text := onEdges(s.runs); text != "" {
		s.answered.Sentences = slices.Insert(s.answered.Sentences, 1, text)
	}
	s.Summary.Sentences = s.answered.Sentences
	return nil
}

// Answer returns the answer to what was asked last; nil before that.
func (s *StudyView) Answer() *result.Answer { return s.answered }

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
func (s *StudyView) foldLevels(q *result.Question) error {
	asked := q != nil && slices.Contains(q.Along, result.TheLevel)
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
		switch {
		case asked && q.To != nil:
			t = result.Target{Conditions: slices.Clone(q.To.Conditions), Kept: q.To.Kept}
			for i := range t.Conditions { // a bound on the agreement may follow the level
				if c := &t.Conditions[i]; i == 0 || c.Value == q.To.Conditions[0].Value {
					c.Value = v
				}
			}
		case s.options.Agree != nil:
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
	names := []string{metricName}
	if s.options.Agree != nil { // a bound on the agreement may follow the level
		all := s.options.Agree([]result.Condition{{Metric: metricName, Relation: "<=", Value: 1}})
		if last := all[len(all)-1]; last.Metric != metricName && last.Value == 1 {
			names = append(names, last.Metric)
		}
	}
	start, end := 0.0, math.Inf(1)
	for _, name := range names {
		start = max(start, s.starts[name])
	}
	if s.moreIsBetter(metricName) {
		end = math.Inf(-1)
	}
	for _, g := range s.groups {
		v := float64(s.measure(g, fold.TheEnd, metric(metricName)).Value)
		for _, name := range names[1:] {
			v = max(v, float64(s.measure(g, fold.TheEnd, metric(name)).Value))
		}
		if g.Ended > 0 && !math.IsNaN(v) && !math.IsInf(v, 0) && (v < end) != s.moreIsBetter(metricName) {
			end = v
		}
	}
	if s.moreIsBetter(metricName) {
		levels := list.Map([]float64{0.1, 0.05, 0.02, 0.01}, func(missing float64) float64 {
			return rounded(end * (1 - missing))
		})
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
	for _, done := range []float64{0.25, 0.5, 0.75} { // where runs make little progress
		if v := rounded(start + done*(end-start)); len(levels) < 3 && len(fine) == 0 && v < start && v > end {
			levels = append(levels, v)
		}
	}
	for len(levels) > mostLevels { // every second, the hardest among them
		var kept []float64
		for i := (len(levels) - 1) % 2; i < len(levels); i += 2 {
			kept = append(kept, levels[i])
		}
		levels = kept
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
			f.Skip(full)
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
