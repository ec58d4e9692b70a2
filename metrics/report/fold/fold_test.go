package fold_test

import (
	"math"
	"strings"
	"testing"

	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// TestRunsOfFewSamples: a run with only its start recorded approached no target, and a run without samples gives
// no information. A metric that was always infinite was never finite.
func TestRunsOfFewSamples(t *testing.T) {
	for _, c := range []struct {
		samples     int
		g           float64
		missed      int
		neverFinite string
	}{{2, 1, 1, ""}, {1, math.NaN(), 1, "g"}, {1, 1, 1, ""}, {1, math.Inf(-1), 1, "g"}, {0, 1, 0, ""}} {
		r := ended("A", 1, nil, result.Completed, 100, 1)
		r.Samples[0].Values = []float64{c.g}
		r.Samples, r.Targets = r.Samples[:c.samples], []result.Attempt{{Target: below(0.1)}}
		s := of(t, fold.Options{}, r)
		g := s.Groups[0]
		if len(g.Missed) != c.missed || strings.Join(g.NeverFinite, " ") != c.neverFinite {
			t.Errorf("%d samples from %g: missed %+v, never finite %v", c.samples, c.g, g.Missed, g.NeverFinite)
		}
		other := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 1}}}
		if c.samples > 0 {
			s = of(t, fold.Options{Targets: []result.Target{other}}, r)
			m := s.Groups[0].Values[outcome(t, s, "to[0].payload_bytes")]
			if m.Censored != 0 || len(s.Groups[0].Missed) != 0 {
				t.Errorf("%d samples, in which the target is not measured: %+v", c.samples, m)
			}
		}
	}
}

// TestTargetsOfFailedRuns: a run that diverged before it could measure a target did not reach it; for a run
// that ended well without measuring it, the target is unknown.
func TestTargetsOfFailedRuns(t *testing.T) {
	goal := result.Target{Conditions: []result.Condition{{Metric: "h", Relation: "<=", Value: 1}}}
	for status, want := range map[result.Status]int{result.Diverged: 1, result.Completed: 0} {
		a, b := ended("A", 1, nil, result.Completed, 100, 0.5), ended("B", 1, nil, status, 200, 0.5)
		a.Metrics = []string{"h"}
		s := of(t, fold.Options{Targets: []result.Target{goal}}, a, b)
		bytes, only := outcome(t, s, "to[0].payload_bytes"), 0
		for _, c := range s.Comparisons {
			if c.Outcome == bytes {
				only += c.AOnly
			}
		}
		if only != want {
			t.Errorf("B %v: A alone reaches the target at %d seeds, want %d", status, only, want)
		}
	}
}

// TestMetricsThatOneRunLacks: the other run has the metric.
func TestMetricsThatOneRunLacks(t *testing.T) {
	a, b := ended("A", 1, nil, result.Completed, 100, 1), ended("B", 1, nil, result.Completed, 100, 2)
	a.Metrics, a.Samples = []string{"g", "h"}, nil
	a.Final.Values = append(a.Final.Values, result.NamedValue{Name: "h", Value: 3})
	s := of(t, fold.Options{}, a, b)
	for i, want := range [][2]int{{1, 1}, {1, 0}} {
		g, h := s.Groups[i].Values[outcome(t, s, "final.g")], s.Groups[i].Values[outcome(t, s, "final.h")]
		if g.N != want[0] || h.N != want[1] {
			t.Errorf("%s: %+v and %+v", s.Labels[s.Groups[i].Label], g, h)
		}
	}
	for _, o := range s.Outcomes {
		if o.Target != -1 {
			t.Errorf("%s is of target %d", o.ID, o.Target)
		}
	}
	if !containsOutcome(s, "iterations") {
		t.Error("there are no iterations")
	}
}

// TestNamesOfPoints: the name of a point precedes its keys, wherever it first occurs; points without a
// name then go by their settings. Keys of all methods precede keys of one. A grid of one point has its keys.
func TestNamesOfPoints(t *testing.T) {
	named := func(name string, settings ...any) result.Run {
		r := ended("A", 1, at(t, settings...), result.Completed, 100, 1)
		r.PointName = name
		return r
	}
	for want, runs := range map[string][]result.Run{
		"8 nodes":      {named("", "topology.nodes", 8)},
		"8 nodes, big": {named("", "topology.nodes", 8), named("big", "topology.nodes", 16)},
		"8 nodes, 16 nodes": {named("", "algorithms.A.alpha", 1, "topology.nodes", 8),
			named("", "algorithms.A.alpha", 2, "topology.nodes", 16)},
	} {
		var got []string
		for _, p := range of(t, fold.Options{}, runs...).Points {
			got = append(got, p.Name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("the points are %q, want %q", got, want)
		}
	}
}
