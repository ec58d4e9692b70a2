package fold_test

import (
	"encoding/json"
	"testing"

	"tallynet/metrics/report/fold"
)

// TestOfMain: the reduced form of a large study has the same values for each outcome as the whole.
func TestOfMain(t *testing.T) {
	f := fold.New(fold.Options{Seed: 1})
	for _, r := range runs(t) {
		if err := f.Add(&r); err != nil {
			t.Fatal(err)
		}
	}
	whole := f.Summary()
	part := whole.OfMain()
	if len(part.Outcomes) == 0 || len(part.Outcomes) >= len(whole.Outcomes) {
		t.Fatalf("%d of %d outcomes", len(part.Outcomes), len(whole.Outcomes))
	}
	at := map[string]int{}
	for i, o := range whole.Outcomes {
		at[o.ID] = i
		if kept := containsOutcome(part, o.ID); o.Main && !kept {
			t.Errorf("%s is gone", o.ID)
		}
	}
	text := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for g := range whole.Groups {
		for i, v := range part.Groups[g].Values {
			if got, want := text(v), text(whole.Groups[g].Values[at[part.Outcomes[i].ID]]); got != want {
				t.Errorf("group %d, %s: %s, want %s", g, part.Outcomes[i].ID, got, want)
			}
		}
	}
	if len(part.Comparisons) == 0 || len(part.Comparisons) != len(whole.Comparisons) {
		t.Fatalf("%d of %d comparisons, which are of main outcomes", len(part.Comparisons), len(whole.Comparisons))
	}
	for i := range part.Comparisons {
		if a, b := part.Outcomes[part.Comparisons[i].Outcome].ID, whole.Outcomes[whole.Comparisons[i].Outcome].ID; a != b {
			t.Errorf("comparison %d: %s, want %s", i, a, b)
		}
	}
	for i := range part.Fronts {
		for k, o := range part.Fronts[i].Objectives {
			if a, b := part.Outcomes[o].ID, whole.Outcomes[whole.Fronts[i].Objectives[k]].ID; a != b {
				t.Errorf("front %d: %s, want %s", i, a, b)
			}
		}
	}
	for i := range whole.Ranges {
		if a, b := part.Outcomes[part.Ranges[i].Outcome].ID, whole.Outcomes[whole.Ranges[i].Outcome].ID; a != b {
			t.Errorf("range %d: %s, want %s", i, a, b)
		}
	}
	for i := range whole.Slopes {
		if a, b := part.Outcomes[part.Slopes[i].Outcome].ID, whole.Outcomes[whole.Slopes[i].Outcome].ID; a != b {
			t.Errorf("slope %d: %s, want %s", i, a, b)
		}
	}
	for i := range whole.Importances {
		if a, b := part.Outcomes[part.Importances[i].Outcome].ID, whole.Outcomes[whole.Importances[i].Outcome].ID; a != b {
			t.Errorf("importance %d: %s, want %s", i, a, b)
		}
	}
	if len(part.Ranges)*len(part.Slopes)*len(part.Importances) == 0 {
		t.Errorf("%d ranges, %d slopes, %d importances", len(part.Ranges), len(part.Slopes), len(part.Importances))
	}
	if a, b := len(text(part)), len(text(whole)); a >= b {
		t.Errorf("%d bytes, the whole has %d", a, b)
	}
}

// TestOfMainIsBounded: for a study of ten thousand points, lists that are too long are counted instead.
func TestOfMainIsBounded(t *testing.T) {
	const points, lists = 10_000, 30_000
	s := &fold.Summary{Outcomes: []fold.Outcome{{ID: "a", Main: true}, {ID: "objective"}, {ID: "b", Main: true},
		{ID: "c", Main: true}, {ID: "d", Main: true}, {ID: "e", Main: true}, {ID: "f", Main: true}, {ID: "other"}}}
	for p := range points {
		s.Points = append(s.Points, fold.Point{Values: []int{p}})
		s.Groups = append(s.Groups, fold.Group{Point: p, Values: make([]fold.Measured, len(s.Outcomes))})
		s.Groups[p].Values[1].Value = 7
		s.Fronts = append(s.Fronts, fold.Front{Point: p, Objectives: []int{1}, Members: make([]fold.Ranked, 3)})
	}
	s.Fronts = append(s.Fronts, fold.Front{Point: -1, Objectives: []int{1}, Members: make([]fold.Ranked, points)})
	s.Comparisons, s.Slopes = make([]fold.Comparison, lists), make([]fold.Slope, lists)
	for i := range s.Comparisons {
		s.Comparisons[i].Outcome, s.Slopes[i].Outcome = 1, 1
	}
	part := s.OfMain()
	if len(part.Outcomes) != 1 || part.Outcomes[0].ID != "objective" || len(part.Groups) != points ||
		len(part.Groups[5].Values) != 1 || part.Groups[5].Values[0].Value != 7 {
		t.Errorf("%d groups have the outcomes %+v; want %d and the objective", len(part.Groups), part.Outcomes, points)
	}
	if len(part.Comparisons)+len(part.Slopes) != 0 || part.LeftOut["comparisons"] != lists ||
		part.LeftOut["slopes"] != lists {
		t.Errorf("%d comparisons and %d slopes; left out: %v", len(part.Comparisons), len(part.Slopes), part.LeftOut)
	}
	if len(part.Fronts) != 1 || part.Fronts[0].Point != -1 || part.Fronts[0].Objectives[0] != 0 ||
		part.LeftOut["fronts"] != points {
		t.Errorf("%d fronts, left out: %v; want that of the grid", len(part.Fronts), part.LeftOut)
	}
	if len(s.Comparisons) != lists || len(s.Fronts) != points+1 || s.LeftOut != nil {
		t.Error("the whole summary has changed")
	}
	raw, err := json.Marshal(part)
	if err != nil || len(raw) > 10_000_000 {
		t.Errorf("%d bytes (%v)", len(raw), err)
	}
}

// TestTheMostOfMain: 60,000 values, 20,000 comparisons and slopes and a grid front of 20,001 groups
// are kept in full. More values are kept, too, if there is no front.
func TestTheMostOfMain(t *testing.T) {
	const groups = 20_000
	s := &fold.Summary{Groups: make([]fold.Group, groups), Comparisons: make([]fold.Comparison, groups),
		Slopes: make([]fold.Slope, groups)}
	for i := range 4 {
		s.Outcomes = append(s.Outcomes, fold.Outcome{Main: i < 3})
	}
	for g := range s.Groups {
		s.Groups[g].Values = make([]fold.Measured, 4)
	}
	front := fold.Front{Point: -1, Objectives: []int{0}, Members: make([]fold.Ranked, groups+1)}
	s.Fronts = []fold.Front{front}
	part := s.OfMain()
	if len(part.Outcomes) != 3 || len(part.Comparisons) != groups || len(part.Slopes) != groups ||
		len(part.Fronts) != 1 || len(part.LeftOut) != 0 {
		t.Errorf("%d outcomes, %d comparisons; left out: %v", len(part.Outcomes), len(part.Comparisons), part.LeftOut)
	}
	s.Outcomes[3].Main = true
	if part = s.OfMain(); len(part.Outcomes) != 1 {
		t.Errorf("80,000 values: %d outcomes, want the objective", len(part.Outcomes))
	}
	s.Fronts = nil
	if part = s.OfMain(); len(part.Outcomes) != 4 {
		t.Errorf("80,000 values and no front: %d outcomes", len(part.Outcomes))
	}
	s.Fronts = []fold.Front{front, {Point: 0, Objectives: []int{0}}}
	if part = s.OfMain(); len(part.Fronts) != 1 || part.LeftOut["fronts"] != 1 {
		t.Errorf("%d fronts; left out: %v", len(part.Fronts), part.LeftOut)
	}
}

func containsOutcome(s *fold.Summary, id string) bool {
	for _, o := range s.Outcomes {
		if o.ID == id {
			return true
		}
	}
	return false
}

// TestFrontsAreBoundedTogether: methods on a front and methods without a value count alike, and the largest
// allowed number is kept.
func TestFrontsAreBoundedTogether(t *testing.T) {
	for points, left := range map[int]int{10_000: 10_000, 10_001: 0} {
		s := &fold.Summary{Outcomes: []fold.Outcome{{ID: "objective"}}}
		for p := range points {
			s.Points = append(s.Points, fold.Point{Values: []int{p}})
			s.Fronts = append(s.Fronts, fold.Front{Point: p, Objectives: []int{0}, Members: make([]fold.Ranked, 1),
				Without: make([]int, 1)})
		}
		if part := s.OfMain(); len(part.Fronts) != left || part.LeftOut["fronts"] != points-left {
			t.Errorf("of %d fronts %d are left, and %d are said to be left out", points, len(part.Fronts),
				part.LeftOut["fronts"])
		}
	}
}
