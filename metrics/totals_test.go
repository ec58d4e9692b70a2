package metrics

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTotalsReadBack gives every item a different number. Totals must read back as written, with each item at
// the place of its ID.
func TestTotalsReadBack(t *testing.T) {
	var totals, got Totals
	for i := range costItems {
		c := &costItems[i]
		if c.Field != nil {
			*c.Field(&totals) = int64(1000 + i)
		} else if c.Real != nil {
			*c.Real(&totals) = float64(i) + 0.25
		}
		if found := FindCost(c.ID); found == nil || found.ID != c.ID || found.Name != c.Name {
			t.Errorf("%s is found as %+v", c.ID, found)
		}
	}
	if found := FindCost("nothing"); found != nil {
		t.Errorf("an ID that no cost has is found as %+v", found)
	}
	text, err := json.Marshal(totals)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	m := &Moment{Totals: totals}
	for _, c := range costItems {
		if c.Field != nil && *c.Field(&got) != *c.Field(&totals) {
			t.Errorf("%s is read as %d, want %d", c.ID, *c.Field(&got), *c.Field(&totals))
		} else if c.Real != nil && *c.Real(&got) != *c.Real(&totals) {
			t.Errorf("%s is read as %g, want %g", c.ID, *c.Real(&got), *c.Real(&totals))
		}
		if c.apart {
			continue
		}
		at := any(tree)
		for key := range strings.SplitSeq(c.ID, ".") {
			below, _ := at.(map[string]any)
			at = below[key]
		}
		if at != c.Value(m) {
			t.Errorf("%s is written as %v, want %v", c.ID, at, c.Value(m))
		}
	}
	for _, wrong := range []string{`[]`, `{"rounds": 1.5}`, `{"rounds": 1e99}`, `{"time_ns": 9223372036854775808}`} {
		if err := json.Unmarshal([]byte(wrong), &got); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
