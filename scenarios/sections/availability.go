package sections

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"tallynet/channel"
	"tallynet/scenarios/keys"
	"tallynet/sim"
)

// readAvailability reads a CSV file of node, time, on or off and returns the off times of each node. The lines of
// a node are ordered by time. Before its first line a node is in the opposite state; after its last line it keeps
// its state.
func readAvailability(path string, nodes int) ([][]channel.Span, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	spans, err := parseAvailability(file, nodes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return spans, nil
}

func parseAvailability(from io.Reader, nodes int) ([][]channel.Span, error) {
	r := csv.NewReader(from)
	r.FieldsPerRecord, r.TrimLeadingSpace, r.Comment = 3, true, '#'
	changes := make([][]stateChange, nodes)
	for first := true; ; first = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("want lines of node, time, on or off: %w", err)
		}
		if first && strings.EqualFold(row[0], "node") {
			continue
		}
		line, _ := r.FieldPos(0)
		i, err := strconv.Atoi(row[0])
		if err != nil || i < 0 || i >= nodes {
			return nil, fmt.Errorf("line %d: want a node from 0 to %d, got %q", line, nodes-1, row[0])
		}
		t, ok := traceTime(row[1])
		if k := len(changes[i]); !ok || k > 0 && t <= changes[i][k-1].at {
			return nil, fmt.Errorf("line %d: want a time after the one of the same node above, as 12.5 or 12.5s, got %q",
				line, row[1])
		}
		on := row[2] == "on" || row[2] == "1"
		if !on && row[2] != "off" && row[2] != "0" {
			return nil, fmt.Errorf("line %d: want on or off, got %q", line, row[2])
		}
		changes[i] = append(changes[i], stateChange{t, on})
	}
	all := make([][]channel.Span, nodes)
	for i := range all {
		all[i] = offTimes(changes[i])
	}
	return all, nil
}

// stateChange is a line of a trace.
type stateChange struct {
	at sim.Time
	on bool
}

// offTimes returns the spans in which a node is off.
func offTimes(changes []stateChange) []channel.Span {
	var all []channel.Span
	off := len(changes) > 0 && changes[0].on && changes[0].at > 0
	since := sim.Time(0)
	for _, c := range changes {
		if off && c.on {
			all = append(all, channel.Span{From: since, Until: c.at})
		}
		if off == c.on {
			off, since = !c.on, c.at
		}
	}
	if off {
		all = append(all, channel.Span{From: since, Until: sim.Never})
	}
	return all
}

// traceTime parses a time with a unit, or a number of seconds.
func traceTime(text string) (sim.Time, bool) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		var ok bool
		if v, ok = keys.Quantity(text); !ok || strings.ContainsAny(text, "/B") {
			return 0, false // a rate or a size
		}
	}
	if !(v >= 0 && v < sim.Horizon.Seconds()) {
		return 0, false
	}
	return sim.Seconds(v), true
}
