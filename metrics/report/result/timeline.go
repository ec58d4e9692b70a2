package result

import (
	"slices"

	"tallynet/sim"
)

// Timeline describes the part of a run in timeline.csv: what its nodes did at first, the messages between them, and
// the critical path in that window.
type Timeline struct {
	Until         Seconds `json:"until_s"` // all that nodes did before is there
	MessagesUntil Seconds `json:"messages_until_s"`
	LeftOut       int64   `json:"left_out"` // parts of what nodes did, and messages, after that
}

// Happening is a row of timeline.csv: an activity with its beginning and its end.
type Happening struct {
	Kind     HappeningKind
	Node     int    // that does it, or that sends
	Other    int    // the sender that it waits for, or the receiver; else the node itself
	Phase    string // of a message
	From, To sim.Time
	Latency  sim.Time // of the link of a message; the rest of To - From is transfer
	Bytes    int64    // of a message, on the wire
}

// HappeningKind is the kind of an activity.
type HappeningKind string

// The kinds of activities. Computing, waiting for a message and idling, which is waiting for a timer, add up to a
// node's clock. Those on the critical path follow each other from 0 on without a gap.
const (
	Computing         HappeningKind = "compute"
	Waiting           HappeningKind = "wait"
	Idling            HappeningKind = "idle"
	Sending           HappeningKind = "message"
	CriticalComputing HappeningKind = "critical compute"
	CriticalIdling    HappeningKind = "critical idle"
	CriticalSending   HappeningKind = "critical message"
)

// timelineFile has one row for each run and happening: the run; kind, node, other, phase, from_s, to_s, latency_s,
// bytes.
var timelineFile = fixedFile(TimelineName, timelineColumns, func(run *Run) *[]Happening { return &run.Happenings })

var timelineColumns = []column[Happening]{
	{"kind", func(h *Happening) any { return (*string)(&h.Kind) }},
	{"node", func(h *Happening) any { return &h.Node }},
	{"other", func(h *Happening) any { return &h.Other }},
	{"phase", func(h *Happening) any { return &h.Phase }},
	{"from_s", func(h *Happening) any { return &h.From }},
	{"to_s", func(h *Happening) any { return &h.To }},
	{"latency_s", func(h *Happening) any { return &h.Latency }},
	{"bytes", func(h *Happening) any { return &h.Bytes }},
}

// TimelineName is the file with the timelines of a result.
const TimelineName = "timeline.csv"

// timed reports whether a run has a timeline.
func (r *Report) timed() bool {
	return slices.ContainsFunc(r.Runs, func(run Run) bool { return run.Timeline != nil })
}
