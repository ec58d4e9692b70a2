package page

import (
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/metrics/report/result"
)

func TestDescribe(t *testing.T) {
	var p Page
	err := p.Describe(&result.Report{
		Scenario: json.RawMessage(`{"name":"x","about":"Which one?\n","seed":1}`),
		Claims:   []result.Claim{{Text: "it holds"}},
		Provenance: result.Provenance{Version: "v1", Commit: "abc", Modified: true, GoVersion: "go1.26",
			CommandLine: []string{"simulate", "run", "a b.yaml"}, Seeds: []uint64{1, 2, 3, 7}},
	})
	want := Page{Claims: []result.Claim{{Text: "it holds"}},
		Command:  "simulate run 'a b.yaml'",
		Scenario: "{\n  \"name\": \"x\",\n  \"about\": \"Which one?\\n\",\n  \"seed\": 1\n}",
		Provenance: []fact{{"version", "v1"}, {"commit", "abc, with changes that were not committed"}, {"Go", "go1.26"},
			{"seeds", "1 to 3, 7"}}}
	if diff := cmp.Diff(want, p, cmpopts.IgnoreUnexported(Page{})); diff != "" || err != nil {
		t.Errorf("%v; page (-want +got):\n%s", err, diff)
	}
	if err := p.Describe(&result.Report{Scenario: json.RawMessage(`{"name":`)}); err == nil ||
		!strings.Contains(err.Error(), "the scenario of the report") {
		t.Errorf("a scenario that is none: %v", err)
	}
}

func TestSeeds(t *testing.T) {
	for _, c := range []struct {
		seeds []uint64
		want  string
	}{
		{nil, ""}, {[]uint64{5}, "5"}, {[]uint64{1, 2}, "1, 2"}, {[]uint64{3, 1, 2, 3, 4, 9, 10}, "3, 1 to 4, 9, 10"},
		{[]uint64{math.MaxUint64, 0}, "18446744073709551615, 0"},
	} {
		if got := seeds(c.seeds); got != c.want {
			t.Errorf("%v: %q, want %q", c.seeds, got, c.want)
		}
	}
}

// TestShell asks a shell how it splits the text.
func TestShell(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no POSIX shell in PATH")
	}
	arguments := []string{"plain", "a b", "it's", `"$HOME"`, "", "`x`;*?", "größe", "--set=network.latency=1ms", "a\nb"}
	command := Shell(append([]string{"printf", `%s\0`}, arguments...))
	out, err := exec.Command("sh", "-c", command).Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	if diff := cmp.Diff(arguments, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", command, diff)
	}
}
