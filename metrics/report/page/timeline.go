package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tallynet/metrics/list"
	"tallynet/metrics/report/result"
)

// runTimeline is the beginning of a run, activity by activity. Times are in nanoseconds. The activities of a node
// follow each other from 0 on, and so do those of the critical path, so only durations are stored.
type runTimeline struct {
	Group    int        `json:"group"`
	Title    string     `json:"title"` // in words: seed, status, iterations, time
	Until    int64      `json:"until"`
	Messages int64      `json:"messages"` // all messages sent before this time are included
	Left     int64      `json:"left"`     // activities and messages left out
	Phases   []string   `json:"phases"`
	Did      [][]int64  `json:"did"`  // by node: a duration and what it did, in turn; see did
	Sent     sentColumn `json:"sent"` // by time
	// Path has five numbers for each leg: its duration, the node, the other node, the activity (as in Did) and the
	// latency.
	Path []int64 `json:"path"`
}

// sentColumn has one row for each message.
type sentColumn struct {
	After   column `json:"after"` // the message before
	Took    column `json:"took"`
	Latency column `json:"latency"`
	From    column `json:"from"`
	To      column `json:"to"`
	Phase   column `json:"phase"`
	Bytes   column `json:"bytes"`
}

// Activities in Did. Waiting for a message is the number of the sender times the number of phases, plus the number
// of the phase.
const (
	didCompute = -1
	didIdle    = -2
)

// addTimeline keeps the timeline of a group's first run that has one.
func (b *Builder) addTimeline(g *group, r *result.Run) {
	if r.Timeline == nil || g.timeline != nil || len(r.Nodes) == 0 {
		return
	}
	g.timeline = &result.Run{Seed: r.Seed, Status: r.Status, Reason: r.Reason, Iterations: r.Iterations, Totals: r.Totals,
		Nodes: r.Nodes, Timeline: r.Timeline, Happenings: r.Happenings}
}

// within returns the first happenings of a run, by time, and the times until which they are complete. A third of
// the room is for activities of nodes, the rest for messages.
func within(r *result.Run, most int) ([]result.Happening, result.Timeline) {
	all, t := slices.Clone(r.Happenings), *r.Timeline
	slices.SortStableFunc(all, func(a, b result.Happening) int { return cmp.Compare(a.From, b.From) })
	t.Until = min(t.Until,
		bound(all, most/3, func(k result.HappeningKind) bool { return k != result.Sending && !critical(k) }))
	t.MessagesUntil = min(t.MessagesUntil, t.Until,
		bound(all, most-most/3, func(k result.HappeningKind) bool { return k == result.Sending }))
	var kept []result.Happening
	for _, h := range all {
		end := t.Until
		if h.Kind == result.Sending {
			end = t.MessagesUntil
		}
		switch {
		case result.Seconds(h.From) < end:
			if critical(h.Kind) {
				h.To = min(h.To, t.Until.Time())
			}
			kept = append(kept, h)
		case !critical(h.Kind):
			t.LeftOut++
		}
	}
	return kept, t
}

// bound returns the start of the first happening of a kind that exceeds the limit.
func bound(all []result.Happening, most int, of func(result.HappeningKind) bool) result.Seconds {
	for _, h := range all {
		if of(h.Kind) {
			if most--; most < 0 {
				return result.Seconds(h.From)
			}
		}
	}
	return math.MaxInt64
}

func critical(k result.HappeningKind) bool { return strings.HasPrefix(string(k), "critical ") }

// fill copies at most the given number of happenings from a run.
func (t *runTimeline) fill(r *result.Run, most int) {
	all, whole := within(r, most)
	t.Title, t.Until, t.Messages, t.Left = titleOf(r), int64(whole.Until), int64(whole.MessagesUntil), whole.LeftOut
	t.Did = make([][]int64, len(r.Nodes))
	for _, h := range all {
		ofMessage := h.Kind == result.Waiting || h.Kind == result.Sending || h.Kind == result.CriticalSending
		if ofMessage {
			t.Phases = list.Add(t.Phases, h.Phase)
		}
	}
	sent := int64(0)
	for i := range all {
		h := &all[i]
		took := int64(h.To - h.From)
		switch h.Kind {
		case result.Computing, result.Waiting, result.Idling:
			if h.Node >= 0 && h.Node < len(t.Did) {
				t.Did[h.Node] = append(t.Did[h.Node], took, t.did(h))
			}
		case result.Sending:
			s := &t.Sent
			s.After, s.Took = append(s.After, float64(int64(h.From)-sent)), append(s.Took, float64(took))
			s.Latency, s.Bytes = append(s.Latency, float64(h.Latency)), append(s.Bytes, float64(h.Bytes))
			s.From, s.To = append(s.From, float64(h.Node)), append(s.To, float64(h.Other))
			s.Phase = append(s.Phase, float64(slices.Index(t.Phases, h.Phase)))
			sent = int64(h.From)
		case result.CriticalComputing, result.CriticalIdling, result.CriticalSending:
			t.Path = append(t.Path, took, int64(h.Node), int64(h.Other), t.did(h), int64(h.Latency))
		}
	}
}

// did returns the activity of a happening, as in Did and Path.
func (t *runTimeline) did(h *result.Happening) int64 {
	switch h.Kind {
	case result.Computing, result.CriticalComputing:
		return didCompute
	case result.Idling, result.CriticalIdling:
		return didIdle
	}
	return int64(h.Other*len(t.Phases) + slices.Index(t.Phases, h.Phase))
}
