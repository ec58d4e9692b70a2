package compare

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDifferencesAreShort: of two long values only the part that differs is shown. A scenario's description is not
// compared.
func TestDifferencesAreShort(t *testing.T) {
	long := strings.Repeat("x", 400)
	scenario := func(settings, data string) json.RawMessage {
		raw, err := json.Marshal(map[string]any{
			"settings": settings, "figures": settings, "problem": map[string]string{"data": data},
		})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for _, c := range []struct{ a, b, shownA, shownB string }{
		{"mine", "yours", "mine", "yours"},
		{long + "1" + long, long + "2", "…" + long[:20] + "1" + long[:99] + "…", "…" + long[:20] + "2"},
		{long + "é1", long + "é2", "…" + long[:19] + "é1", "…" + long[:19] + "é2"},
		{long, "short", long[:120] + "…", "short"},
		{long, long[:30], "…" + long[:20] + long[:100] + "…", "…" + long[:20]},
	} {
		all, err := Differences(scenario("old", c.a), scenario("new", c.b))
		if err != nil || len(all) != 1 || all[0].Key != "problem.data" {
			t.Fatalf("got %v, %v, want a difference of problem.data", all, err)
		}
		if a, b := all[0].Shown(); a != c.shownA || b != c.shownB {
			t.Errorf("got %s\nand %s\nwant %s\nand %s", a, b, c.shownA, c.shownB)
		}
	}
}
