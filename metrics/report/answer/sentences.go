package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
)

// attained names the methods that did not always reach a target.
func (s *answer) attained() []string {
	var out []string
	for t, target := range s.Targets {
		o := slices.IndexFunc(s.Outcomes, func(o fold.Outcome) bool { return o.Target == t })
		var words []string
		all := 0
		for label, name := range s.Labels {
			reached, runs := 0, 0
			for _, g := range s.Groups {
				if m := g.Values[o]; g.Label == label {
					reached += m.Reached
					runs += m.Reached + m.Censored
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
			text += fmt.Sprintf("; the other %s always", quantity.Plural(all, "method"))
			if all == 1 {
				text = strings.Replace(text, "the other 1 method always", "the other method always", 1)
			}
		}
		out = append(out, text+".")
	}
	return out
}

// nearest states the best value of a method's runs that missed a target: "at best
// grad_norm2 3e-3".
func (s *answer) nearest(target, label int) string {
	var best []fold.Miss
	for _, g := range s.Groups {
		for _, m := range g.Missed {
			if g.Label != label || m.Target != target {
				continue
			}
			i := slices.IndexFunc(best, func(o fold.Miss) bool { return o.Metric == m.Metric })
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
	return "at best " + MissedWords(best)
}

// more reports whether the target asks for more of a metric.
func (s *answer) more(target int, metric string) bool {
	return slices.ContainsFunc(s.Targets[target].Conditions, func(c result.Condition) bool {
		return c.Metric == metric && c.Relation == ">="
	})
}

// MissedWords are the best values of runs that missed a target.
func MissedWords(all []fold.Miss) string {
	var words []string
	for _, m := range all {
		if m.Best.Finite() {
			words = append(words, m.Metric+" "+quantity.Float(float64(m.Best), 2))
		} else {
			words = append(words, "no finite "+m.Metric)
		}
	}
	return strings.Join(words, " and ")
}

// neverFinite names the metrics that were never finite.
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

// badEndings counts the runs of a method that did not end well: " (2 diverged)".
func (s *answer) badEndings(label int) string {
	statuses := fold.Statuses{}
	for _, g := range s.Groups {
		for _, status := range fold.Endings() {
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

// SameProblem reports whether all points of the grid pose the same problem. If the problem or
// the number of nodes that share it is swept, the smallest one would always win.
func SameProblem(s *fold.Summary) bool {
	return !slices.ContainsFunc(s.Keys, func(k fold.Key) bool {
		return k.Name == "topology.nodes" || k.Name == "problem" || strings.HasPrefix(k.Name, "problem.")
	})
}

// settingOf is a key with its value at a point, or the point's name.
func (s *answer) settingOf(point, key int) string {
	return s.Keys[key].Setting(s.Points[point].Values[key], " = ")
}

// place states the position of a point in the grid, except for one key: " on the ring graph at latency = 1ms".
func (t *teller) place(point, without int) string {
	graph := ""
	var words []string
	for k, v := range t.Points[point].Values {
		switch {
		case v < 0 || k == without || t.Keys[k].Tied:
		case t.keys[k] == "topology.kind":
			graph = " on the " + t.Keys[k].Values[v] + " graph"
		default:
			words = append(words, t.settingOf(point, k))
		}
	}
	if len(words) == 0 {
		return graph
	}
	return graph + " at " + strings.Join(words, ", ")
}
