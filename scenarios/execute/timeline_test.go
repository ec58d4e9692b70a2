package execute

import (
	"math"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/metrics/trace"
	"tallynet/scenarios/sections"
)

// TestTimelineWithoutGaps: what begins after the first slice or message that did not fit is left out and counted. The
// critical path is a happening too.
func TestTimelineWithoutGaps(t *testing.T) {
	p := trace.Window(2, trace.WindowSize{Slices: 3, Messages: 1})
	p.Computed(0, 0, 10)
	p.Computed(1, 0, 10)
	p.Arrived(metrics.Arrival{Sent: 2, At: 3})
	p.Idled(0, 50, 60)                         // it fits, but begins after the next, which does not
	p.Idled(1, 20, 30)                         // left out
	p.Arrived(metrics.Arrival{Sent: 4, At: 5}) // left out
	var run result.Run
	SetTimeline(&run, p)
	if run.Timeline == nil || run.Timeline.LeftOut != 3 || len(run.Happenings) != 4 {
		t.Errorf("%+v, %+v", run.Timeline, run.Happenings)
	}
	var idle result.Run
	if SetTimeline(&idle, trace.Window(1, TimelineSize())); idle.Timeline != nil {
		t.Errorf("a run in which nothing happened: %+v", idle.Timeline)
	}
}

// TestGossipTooLarge: 5,000,000 messages, two for each edge and round, are measured, and no more.
func TestGossipTooLarge(t *testing.T) {
	g := GossipGraph{Topology: sections.TopologySpec{Nodes: 100}, Edges: 2500, Most: 1000}
	if why := g.TooMany(); why != "" {
		t.Error(why)
	}
	for want, change := range map[string]func(*GossipGraph){
		"up to 5e+06 messages": func(g *GossipGraph) { g.Edges++ },
		"nobody to agree with": func(g *GossipGraph) { g.Topology.Nodes = 1 },
		"need not end":         func(g *GossipGraph) { g.Most = math.Inf(1) },
	} {
		other := g
		change(&other)
		if why := other.TooMany(); !strings.Contains(why, want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}
