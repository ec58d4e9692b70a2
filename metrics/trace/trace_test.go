package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/sim"
)

// The file is the Chrome trace format, and times are exact to the nanosecond.
func TestEvents(t *testing.T) {
	tr := New(100)
	p := tr.Add(`DGBO "b", seed 1`, 2)
	p.Computed(0, 0, 1500)
	p.Computed(0, 1500, 2001) // goes on
	p.Computed(1, 5, 5)       // takes no time
	p.Waited(metrics.Waiting{Node: 1, Sender: 0, Phase: "inner", From: 5, To: 3001, Sent: 2001, Latency: 900})
	p.Idled(0, 2001, 2002)
	p.Arrived(metrics.Arrival{From: 0, To: 1, Phase: "inner", Sent: 2001, At: 3001, Latency: 900, Bytes: 80})
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
			text, _ := json.Marshal([]any{e["ph"], e["name"], e["cat"], e["tid"], e["ts"], e["dur"], e["args"]})
			got = append(got, string(text))
		}
	}
	want := `["X","compute","compute,critical",0,0,2.001,{"critical_us":2.001}] ` +
		`["X","wait for node 0: inner","wait,critical",1,0.005,2.996,{"critical_us":1}] ` +
		`["X","wait for a timer","wait",0,2.001,0.001,null] ` +
		`["X","node 0 computes","critical",2,0,2.001,{"node":0}] ` +
		`["X","0 to 1: inner","critical",2,2.001,1,{"from":0,"latency_us":0.9,"to":1}] ` +
		`["s","inner","message",0,2.001,null,{"bytes":80}] ["f","inner","message",1,3.001,null,null]`
	if strings.Join(got, " ") != want || file.OtherData.LeftOut == nil {
		t.Errorf("%s\nwant\n%s", strings.Join(got, " "), want)
	}
}

// Activities beyond the limit are counted, and the trace states how long it is complete.
func TestBound(t *testing.T) {
	tr := New(10)
	p := tr.Add("A", 1)
	for k := range sim.Time(100) {
		p.Idled(0, 1000*k, 1000*(k+1))
	}
	left := tr.Left()
	if len(left) != 1 || left[0] != "A: whole until 10us of simulated time; 90 later events are left out" {
		t.Errorf("%q", left)
	}
	var b strings.Builder
	if err := tr.Write(&b); err != nil || strings.Count(b.String(), `"tid": 0, "ts"`) != 10 ||
		!strings.Contains(b.String(), left[0]) {
		t.Errorf("%v:\n%s", err, b.String())
	}
}
