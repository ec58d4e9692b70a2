package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"tallynet/sim"
)

// The file is the Chrome trace format, and times are exact to the nanosecond.
func TestEvents(t *testing.T) {
	tr := New(100)
	p := tr.Add(`DGBO "b", seed 1`, 2)
	p.Computed(0, 0, 1500)
	p.Computed(0, 1500, 2001) // goes on
	p.Computed(1, 5, 5)       // takes no time
	p.Waited(1, 0, "inner", 5, 3001)
	p.Waited(0, -1, "", 2001, 2002)
	p.Arrived(0, 1, "inner", 2001, 3001, 80)
	var b strings.Builder
	if err := tr.Write(&b); err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []map[string]any
		OtherData   struct {
			LeftOut []string `json:"left_out"`
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &file); err != nil {
		t.Fatalf("%v:\n%s", err, b.String())
	}
	var got []string
	for _, e := range file.TraceEvents {
		if e["ph"] != "M" {
			text, _ := json.Marshal([]any{e["ph"], e["name"], e["tid"], e["ts"], e["dur"]})
			got = append(got, string(text))
		}
	}
	want := `["X","compute",0,0,2.001] ["X","wait for node 0: inner",1,0.005,2.996] ` +
		`["X","wait for a timer",0,2.001,0.001] ` +
		`["s","inner",0,2.001,null] ["f","inner",1,3.001,null]`
	if strings.Join(got, " ") != want || file.OtherData.LeftOut == nil {
		t.Errorf("%s\nwant\n%s", strings.Join(got, " "), want)
	}
}

// What does not fit is counted, and the trace says until when it is whole.
func TestBound(t *testing.T) {
	tr := New(10)
	p := tr.Add("A", 1)
	for k := range sim.Time(100) {
		p.Waited(0, -1, "", 1000*k, 1000*(k+1))
	}
	left := tr.Left()
	if len(left) != 1 || left[0] != "A: whole until 10us of simulated time; 90 later events are left out" {
		t.Errorf("%q", left)
	}
	var b strings.Builder
	if err := tr.Write(&b); err != nil || strings.Count(b.String(), `"ph": "X"`) != 10 ||
		!strings.Contains(b.String(), left[0]) {
		t.Errorf("%v:\n%s", err, b.String())
	}
}
