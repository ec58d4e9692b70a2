package study_test

import (
	"encoding/json"
	"testing"

	"tallynet/metrics/study"
)

// TestOfMain: what is left of a large study says of each outcome what the whole says.
func TestOfMain(t *testing.T) {
	f := study.New(study.Options{Seed: 1})
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
	if a, b := len(text(part)), len(text(whole)); a >= b {
		t.Errorf("%d bytes, the whole has %d", a, b)
	}
}

func containsOutcome(s *study.Summary, id string) bool {
	for _, o := range s.Outcomes {
		if o.ID == id {
			return true
		}
	}
	return false
}
