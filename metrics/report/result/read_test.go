package result

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tallynet/metrics"
)

// The folder has everything in the report, to the last digit. Only infinities
// in result.json become NaN.
func TestFolderReadsBack(t *testing.T) {
	folder := t.TempDir()
	report := example(t)
	if err := WriteFiles(folder, report.Files(), nil); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	// All runs of one file share its metrics: NaN where a run lacks one.
	nan := math.NaN()
	report.Runs[0].Metrics = []string{"objective", "grad_norm2", "consensus_error", "test_accuracy"}
	report.Runs[1].Metrics = report.Runs[0].Metrics
	for i := range report.Runs[0].Samples {
		report.Runs[0].Samples[i].Values = append(report.Runs[0].Samples[i].Values, nan)
	}
	report.Runs[1].Samples[0].Values = []float64{nan, 1, nan, 0.5}
	report.Runs[1].NodeMetrics = report.Runs[0].NodeMetrics
	if diff := cmp.Diff(report, got, equateNaNs); diff != "" {
		t.Error(diff)
	}
}

func TestReadRowsErrors(t *testing.T) {
	report := example(t)
	var b bytes.Buffer
	if err := phaseFile.file(report).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{b.String(), "", "header: EOF"}, {",kind,", ",sort,", `no column "kind"`}, {",matrix,", ",tensor,",
			`line 3, column "kind": unknown kind "tensor"`},
		{"\n0,", "\n2,", `line 2: run "2" is not one of the 2 runs`}, {",1600,", ",1.6e3,", `line 2, column "bytes"`},
		{",1600,", ",", "wrong number of fields"},
	} {
		err := phaseFile.readRows(report, strings.NewReader(strings.Replace(b.String(), c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one with %q", c.new, c.old, err, c.want)
		}
	}
	var all bytes.Buffer
	if err := iterationFile.file(report).Write(&all); err != nil {
		t.Fatal(err)
	}
	if err := iterationFile.readRows(report, strings.NewReader("run,iteration\n")); err == nil {
		t.Error("iterations without their columns were read")
	}
	digits := strings.NewReplacer(",time_s,objective,", ",time_s,0,", ",0.7,0.01,", ",?,0.01,").Replace(all.String())
	want := `line 2, column "0": strconv.ParseFloat: parsing "?"` // in quotes: it is a name
	err := iterationFile.readRows(report, strings.NewReader(digits))
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("a metric named 0: error %v, want %q", err, want)
	}
	// A metric with the name of a column, also of one that older files lack, or a metric named twice.
	for _, c := range []struct{ removed, metric string }{
		{"lost_messages", "lost_messages"}, {"seed", "seed"}, {"", "rounds"}, {"", "payload_bytes"}, {"", "grad_norm2"},
		{"", "topology.nodes"},
	} {
		text := all.String()
		if c.removed != "" {
			text = strings.Replace(text, ","+c.removed+",", ",other,", 1)
		}
		text = strings.Replace(text, ",time_s,objective,", ",time_s,"+c.metric+",", 1)
		want := fmt.Sprintf("two columns are named %q", c.metric)
		err := iterationFile.readRows(report, strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a metric %q: error %v, want %q", c.metric, err, want)
		}
	}
	if _, err := ReadFolder(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestReaderOfV1ReadsLaterKeys(t *testing.T) {
	var b bytes.Buffer
	if err := example(t).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	later := strings.NewReplacer(
		`"schema":`, `"new": {"a": [1]}, "schema":`, `"algorithm":`, `"new": null, "algorithm":`, `"objective":`,
		`"new": {"a": 1}, "objective":`,
		`"rounds":`, `"new": "x", "rounds":`, `"verdict":`, `"new": true, "verdict":`, `"go_version":`,
		`"new": 1, "go_version":`,
	).Replace(b.String())
	got, err := ReadReport(strings.NewReader(later))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stored(example(t)), got, equateNaNs); diff != "" {
		t.Error(diff)
	}
}

func TestReadReportErrors(t *testing.T) {
	for content, want := range map[string]string{
		"":                                 "line 1, column 1: unexpected end",
		"{\n":                              "line 2, column 1: unexpected end",
		"{\n  \"schema\": oops}":           "line 2, column 13: invalid character 'o'",
		`{"schema": "tallynet/result/v2"}`: `schema is "tallynet/result/v2"`,
		`{}`:                               `schema is ""`,
		"{\n\"schema\": 3}":                "line 2, column 11: schema cannot be a number",
		`{"schema": "tallynet/result/v1", "runs": [{"point": 3}]}`:      "want an object",
		`{"schema": "tallynet/result/v1", "runs": [{"iterations":""}]}`: "iterations",
		`{"schema": "tallynet/result/v1"} {}`:                           "after top-level value",
	} {
		_, err := ReadReport(strings.NewReader(content))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", content, err, want)
		}
	}
}

// TestEarlierResultsAreRead: a result of the first program that wrote v1 reads like
// today's, except for later additions.
func TestEarlierResultsAreRead(t *testing.T) {
	earlier, err := ReadFolder("testdata/earlier")
	if err != nil {
		t.Fatal(err)
	}
	today, err := ReadFolder("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for i := range today.Runs { // targets of several conditions came later
		n := len(earlier.Runs[i].Targets)
		today.Runs[i].Targets = today.Runs[i].Targets[:n:n]
		r := &today.Runs[i] // likewise platforms, timelines, waiting by cause, tariffs, and final metrics of nodes
		r.Numbers = nil
		r.Physical, r.PlatformLinks, r.Crossings, r.Timeline, r.Happenings, r.NodeMetrics = nil, nil, nil, nil, nil, nil
		for k := range r.Nodes {
			n := &r.Nodes[k]
			n.Waits, n.Machine, n.Sent = metrics.Waits{}, metrics.Charge{}, metrics.Charge{}
			n.Train, n.Val, n.Labels, n.Final = 0, 0, "", nil
		}
	}
	if diff := cmp.Diff(earlier, today, equateNaNs, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("today's reading (-of the earlier files +of today's):\n%s", diff)
	}
}
