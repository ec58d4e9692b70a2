package execute

import (
	"tallynet/metrics/report/result"
	"tallynet/metrics/trace"
	"tallynet/sim"
)

// TimelineSize bounds the timeline that a run at the first grid point and seed keeps. It does not depend on the other
// methods, so that a run is stored in one way.
func TimelineSize() trace.WindowSize { return trace.WindowSize{Slices: 1000, Messages: 2000} }

// SetTimeline gives a run the timeline that was traced, unless nothing happened.
func SetTimeline(run *result.Run, p *trace.Process) {
	until, messages := p.Whole()
	left, lost := p.Left()
	if until == 0 {
		return
	}
	run.Timeline = &result.Timeline{Until: result.Seconds(until), MessagesUntil: result.Seconds(messages),
		LeftOut: left + lost}
	add := func(h result.Happening) { run.Happenings = append(run.Happenings, h) }
	// Beyond that, the timelines of the other nodes would have gaps.
	within := func(at, whole sim.Time, left int64) bool {
		if left > 0 && at >= whole {
			run.Timeline.LeftOut++
			return false
		}
		return true
	}
	kinds := map[trace.Activity]result.HappeningKind{trace.Computing: result.Computing, trace.Waiting: result.Waiting,
		trace.Idling: result.Idling}
	for _, s := range p.Slices() {
		if within(s.From, until, left) {
			add(result.Happening{Kind: kinds[s.Activity], Node: s.Node, Other: s.Sender, Phase: s.Phase, From: s.From,
				To: s.To})
		}
	}
	for _, f := range p.Flows() {
		if within(f.Sent, messages, lost) {
			add(result.Happening{Kind: result.Sending, Node: f.From, Other: f.To, Phase: f.Phase, From: f.Sent, To: f.At,
				Latency: f.Latency, Bytes: f.Bytes})
		}
	}
	onPath := map[trace.Activity]result.HappeningKind{trace.Computing: result.CriticalComputing,
		trace.Waiting: result.CriticalSending, trace.Idling: result.CriticalIdling}
	for _, l := range p.Path() {
		add(result.Happening{Kind: onPath[l.Activity], Node: l.Node, Other: l.To, Phase: l.Phase, From: l.From, To: l.At,
			Latency: l.Latency})
	}
}
