package sections

import (
	"fmt"
	"strings"
	"testing"

	"tallynet/channel"
	"tallynet/sim"
)

func TestAvailability(t *testing.T) {
	const trace = "# measured\nnode,time,state\n0,5,off\n0,7.5s,on\n1,2s,on\n1,90s,0\n0,9,on\n"
	got, err := parseAvailability(strings.NewReader(trace), 3)
	const s = sim.Second
	want := [][]channel.Span{
		{{From: 5 * s, Until: 7500 * sim.Millisecond}},
		{{From: 0, Until: 2 * s}, {From: 90 * s, Until: sim.Never}},
		nil,
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"0,1\n", "3,1,on\n", "0,x,on\n", "0,-1,on\n", "0,1,maybe\n", "0,2,off\n0,2,on\n",
		"0,1kB,on\n"} {
		if _, err := parseAvailability(strings.NewReader(text), 3); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
