package page

import (
	"testing"

	"tallynet/metrics/report/result"
)

// A timeline that has less room is the beginning of the whole one: to the first part or message that has none,
// with the part of the critical path until then, and it counts what is left out.
func TestTimelineIsCut(t *testing.T) {
	line, all := timelineOf(6, 5)
	r := &result.Run{Nodes: make([]result.NodeRow, 6), Timeline: line, Happenings: all}
	number := func(all []result.Happening, critically bool) (n int64) {
		for _, h := range all {
			if critical(h.Kind) == critically {
				n++
			}
		}
		return n
	}
	if kept, whole := within(r, 1000); len(kept) != len(all) || whole != *line {
		t.Errorf("%d of %d happenings, %+v", len(kept), len(all), whole)
	}
	for _, most := range []int{30, 60, 90} {
		kept, part := within(r, most)
		if n := number(kept, false); n == 0 || n > int64(most) || n+part.LeftOut != number(all, false)+line.LeftOut {
			t.Errorf("of %d there are %d and %d are left out", number(all, false), n, part.LeftOut)
		}
		at := part.Until.Time() * 0
		for _, h := range kept {
			end := part.Until
			if h.Kind == result.Sending {
				end = part.MessagesUntil
			}
			if h.From >= end.Time() {
				t.Errorf("%d: %+v is after %v", most, h, end)
			}
			if critical(h.Kind) {
				if h.From != at {
					t.Errorf("%d: the path goes on at %v, want %v", most, h.From, at)
				}
				at = h.To
			}
		}
		if at != part.Until.Time() {
			t.Errorf("%d: the path ends at %v, the window at %v", most, at, part.Until)
		}
		var drawn runTimeline
		drawn.fill(r, most)
		if len(drawn.Did) != 6 || drawn.Until != int64(part.Until) || drawn.Left != part.LeftOut {
			t.Errorf("%d: %+v", most, drawn)
		}
	}
}
