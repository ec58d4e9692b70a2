package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/render"
	"tallynet/metrics/result"
	"tallynet/metrics/study"
)

// sentenceCosts are the costs that sentences are about.
var sentenceCosts = []string{"payload_bytes", "time_s", "oracle_calls"}

// Sentences puts a summary into words.
func Sentences(s *study.Summary) []string { return answerOf(s).sentences() }

// Sentence puts a comparison of a summary into words.
func Sentence(s *study.Summary, c *study.Comparison) string { return answerOf(s).sentence(c) }

// sentences is the answer in words: what was run, how the methods compare, what is not
// beaten, what grows how, and what matters most.
func (s *answer) sentences() []string {
	if s.Runs == 0 {
		return []string{"No runs."}
	}
	out := []string{s.overview()}
	out = append(out, s.attained()...)
	out = append(out, s.neverFinite()...)
	about := s.sentenceOutcomes()
	for _, o := range about {
		out = append(out, s.compared(o)...)
		out = append(out, s.alongKey(o)...)
	}
	for i := range s.Fronts {
		if f := &s.Fronts[i]; f.Point < 0 && s.sameProblem() || len(s.Points) == 1 {
			out = append(out, s.unbeaten(f))
		}
	}
	for _, o := range about {
		out = append(out, s.grows(o)...)
	}
	for i := range s.Importances {
		if im := &s.Importances[i]; slices.Contains(about, im.Outcome) && len(im.Shares) > 1 {
			out = append(out, s.matters(im))
		}
	}
	return out
}

// sentenceOutcomes are the outcomes that sentences are about: the costs to each target;
// without targets the costs in all, and the metric on the front.
func (s *answer) sentenceOutcomes() []int {
	var about []int
	for i, o := range s.Outcomes {
		_, cost, _ := strings.Cut(o.ID, ".")
		if o.Main && slices.Contains(sentenceCosts, cost) && !strings.HasPrefix(o.ID, "final.") {
			about = append(about, i)
		}
	}
	if len(s.Targets) == 0 && len(s.Fronts) > 0 && len(s.Fronts[0].Objectives) > 2 {
		about = append(about, s.Fronts[0].Objectives[2])
	}
	return about
}

// overview says what was run, and how it ended.
func (s *answer) overview() string {
	text := fmt.Sprintf("%s: %s", plural(s.Runs, "run"), plural(len(s.Labels), "method"))
	if len(s.Keys) > 0 {
		text += " at " + plural(len(s.Points), "grid point")
	}
	text += " over " + plural(len(s.Seeds), "seed") + "; " + s.Statuses.String() + "."
	if len(s.Seeds) > 1 && len(s.Labels) > 1 {
		text += " Ratios are geometric means over common seeds."
	}
	return text
}

// attained says which methods did not always get to a target.
func (s *answer) attained() []string {
	var out []string
	for t, target := range s.Targets {
		o := slices.IndexFunc(s.Outcomes, func(o study.Outcome) bool { return o.Target == t })
		var words []string
		all := 0
		for label, name := range s.Labels {
			reached, runs := 0, 0
			for _, g := range s.Groups {
				if m := g.Values[o]; g.Label == label {
					reached += m.Reached
					runs += m.Reached + m.Censored + g.Runs - g.Ended
				}
			}
			if reached < runs {
				text := fmt.Sprintf("%s in %d of %d runs%s", name, reached, runs, s.badEndings(label))
				switch near := s.nearest(t, label); {
				case near != "" && reached > 0:
					text += ", the others " + near
				case near != "":
					text += ", " + near
				}
				words = append(words, text)
			} else if runs > 0 {
				all++
			}
		}
		if len(words) == 0 {
			continue
		}
		text := "Not every run gets to " + target.Name + ": " + strings.Join(words, "; ")
		if all > 0 {
			text += fmt.Sprintf("; the other %s always", plural(all, "method"))
			if all == 1 {
				text = strings.Replace(text, "the other 1 method always", "the other method always", 1)
			}
		}
		out = append(out, text+".")
	}
	return out
}

// nearest says how near those runs of a method came that missed a target: "at best
// grad_norm2 3e-3".
func (s *answer) nearest(target, label int) string {
	var best []study.Miss
	for _, g := range s.Groups {
		for _, m := range g.Missed {
			if g.Label != label || m.Target != target {
				continue
			}
			i := slices.IndexFunc(best, func(o study.Miss) bool { return o.Metric == m.Metric })
			if i < 0 {
				best = append(best, m)
			} else if o := float64(best[i].Best); !m.Best.Finite() {
				continue
			} else if more := s.more(target, m.Metric); math.IsNaN(o) || more == (float64(m.Best) > o) {
				best[i] = m
			}
		}
	}
	if len(best) == 0 {
		return ""
	}
	return "at best " + missedWords(best)
}

// more reports whether the target asks for more of a metric.
func (s *answer) more(target int, metric string) bool {
	return slices.ContainsFunc(s.Targets[target].Conditions, func(c result.Condition) bool {
		return c.Metric == metric && c.Relation == ">="
	})
}

// missedWords are the best values of runs that missed a target.
func missedWords(all []study.Miss) string {
	var words []string
	for _, m := range all {
		if m.Best.Finite() {
			words = append(words, m.Metric+" "+render.Float(float64(m.Best), 2))
		} else {
			words = append(words, "no finite "+m.Metric)
		}
	}
	return strings.Join(words, " and ")
}

// neverFinite says which metrics were never a finite number.
func (s *answer) neverFinite() []string {
	var words []string
	for _, g := range s.Groups {
		for _, name := range g.NeverFinite {
			if w := name + " of " + s.Labels[g.Label]; !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	if len(words) == 0 {
		return nil
	}
	return []string{"Never a finite number: " + strings.Join(words, ", ") + "."}
}

// badEndings says how many runs of a method did not end well: " (2 diverged)".
func (s *answer) badEndings(label int) string {
	statuses := study.Statuses{}
	for _, g := range s.Groups {
		for _, status := range study.Endings() {
			if n := g.Statuses[status]; n > 0 && g.Label == label && !status.Ended() {
				statuses[status] += n
			}
		}
	}
	if len(statuses) == 0 {
		return ""
	}
	return " (" + statuses.String() + ")"
}

// sameProblem reports whether all points of the grid pose the same problem: where the problem or
// the number of those who share it is swept, the smallest one would always win.
func (s *answer) sameProblem() bool {
	return !slices.ContainsFunc(s.Keys, func(k study.Key) bool {
		return k.Name == "topology.nodes" || k.Name == "problem" || strings.HasPrefix(k.Name, "problem.")
	})
}

// unbeaten names what is on a front.
func (s *answer) unbeaten(f *study.Front) string {
	var goals, names []string
	for _, o := range f.Objectives {
		goals = append(goals, s.noun(o))
	}
	for i, m := range f.Members {
		// Where a key of one method is swept, another method's runs come once for each value.
		twin := slices.ContainsFunc(f.Members[:i], func(o study.Ranked) bool {
			return o.Best && s.Groups[o.Group].Label == s.Groups[m.Group].Label && slices.Equal(o.Values, m.Values)
		})
		if m.Best && !twin {
			g := s.Groups[m.Group]
			name := s.Labels[g.Label]
			if at := s.Points[g.Point].Name; at != "" {
				name += " at " + at
			}
			names = append(names, name)
		}
	}
	to := ""
	if t := s.Outcomes[f.Objectives[0]].Target; t >= 0 {
		to = " to " + s.Targets[t].Name
	}
	const most = 5
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	last := len(goals) - 1
	return fmt.Sprintf("Not beaten in %s and %s at once%s: %s.", strings.Join(goals[:last], ", "), goals[last], to,
		strings.Join(names, "; "))
}

// grows says with which power of a key an outcome grows.
func (s *answer) grows(outcome int) []string {
	var out []string
	for k, key := range s.Keys {
		fitted, still := 0, 0
		for label, name := range s.Labels {
			var of []*study.Slope
			for i := range s.Slopes {
				if sl := &s.Slopes[i]; sl.Key == k && sl.Label == label && sl.Outcome == outcome && sl.Slope.Value.Finite() {
					of = append(of, sl)
				}
			}
			if len(of) == 0 {
				continue
			}
			fitted++
			if !slices.ContainsFunc(of, func(sl *study.Slope) bool { return math.Abs(float64(sl.Slope.Value)) > negligible }) {
				still++
				continue
			}
			verb := "grow"
			if u := s.Outcomes[outcome].Unit; u == metrics.Seconds || u == metrics.Number {
				verb = "grows"
			}
			text := fmt.Sprintf("%s: %s %s as %s to the power of ", name, s.Outcomes[outcome].Name, verb, key.Name)
			if len(of) == 1 {
				e := of[0].Slope
				text += fmt.Sprintf("%s, %.0f %% CI %s, over %d values.", plain(e.Value), 100*s.Level, interval(plain(e.Low),
					plain(e.High)), e.N)
			} else {
				low, high := of[0].Slope.Value, of[0].Slope.Value
				for _, sl := range of {
					low, high = min(low, sl.Slope.Value), max(high, sl.Slope.Value)
				}
				power := plain(low)
				if plain(high) != power {
					power += " to " + plain(high)
				}
				text += fmt.Sprintf("%s, over %d settings of the other keys.", power, len(of))
			}
			out = append(out, text)
		}
		if fitted > 1 && still == fitted {
			out = append(out, fmt.Sprintf("No method's %s change with %s.", s.Outcomes[outcome].Name, key.Name))
		}
	}
	return out
}

// negligible is a power that nobody would call one.
const negligible = 1e-6

// matters says which keys explain most of an outcome.
func (s *answer) matters(im *study.Importance) string {
	shares := slices.Clone(im.Shares)
	slices.SortStableFunc(shares, func(a, b study.VarianceShare) int {
		switch {
		case a.Total > b.Total:
			return -1
		case a.Total < b.Total:
			return 1
		}
		return 0
	})
	var words []string
	for i, x := range shares[:min(3, len(shares))] {
		if i > 0 && x.Total < 0.01 {
			break
		}
		words = append(words, fmt.Sprintf("%s (%s by itself, %s with its interactions)", x.Name, percent(x.First),
			percent(x.Total)))
	}
	text := fmt.Sprintf("What matters most for %s: %s of the variance", s.Outcomes[im.Outcome].Name, strings.Join(words,
		", then "))
	if im.Log {
		text += " of its logarithm"
	}
	if len(s.Seeds) > 1 {
		text += fmt.Sprintf(", %s being between seeds", percent(im.Within))
	}
	if im.Left > 0 {
		text += fmt.Sprintf("; %s without this number are left out", plural(im.Left, "run"))
	}
	if !im.Balanced {
		text += "; the grid is not balanced, so shares overlap"
	}
	return text + "."
}
