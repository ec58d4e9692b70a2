package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/sim"
)

// Totals is the cost of a run up to some moment, over all nodes. CostItems lists its parts with names and
// units.
type Totals struct {
	Time          sim.Time
	Compute, Wait sim.Time // sums over nodes
	Rounds        int64    // bundled exchanges, the most of any node
	Traffic
	Oracle OracleCounts
	Path   Path // the critical path to that moment
	Costs       // with tariffs
}

// NewTotals returns the totals at a recorded iteration, given the traffic of its tallies.
func NewTotals(s *Snapshot, t Traffic) Totals {
	t.Retransmitted, t.LostMessages, t.LostBytes = s.Retransmitted, s.LostMessages, s.LostBytes
	return Totals{Time: s.At, Compute: s.Compute, Wait: s.Wait, Rounds: s.Rounds, Traffic: t, Oracle: s.Oracle,
		Path: s.Path}
}

// Moment is a recorded iteration and the cost of the run up to it.
type Moment struct {
	Iteration int    `json:"iteration"`
	Totals    Totals `json:"totals"`
}

// MarshalJSON writes every cost item under its ID, "a.b" as member b of an object a. It writes times both in
// seconds and, exactly, in nanoseconds.
func (t Totals) MarshalJSON() ([]byte, error) {
	var all jsonio.Object
	m := &Moment{Totals: t}
	for _, c := range costItems {
		switch {
		case c.apart:
		case c.Unit == Seconds:
			put(&all, c.ID, c.Value(m))
			put(&all, nanoseconds(c.ID), c.Of(m))
		case c.Real != nil:
			put(&all, c.ID, jsonio.Real(c.Value(m)))
		default:
			put(&all, c.ID, c.Of(m))
		}
	}
	return all.MarshalJSON()
}

// put adds a value to an object. A dot in its path separates the names of nested objects, whose members are put one
// after the other.
func put(o *jsonio.Object, path string, value any) {
	head, rest, dotted := strings.Cut(path, ".")
	if !dotted {
		o.Add(head, value)
		return
	}
	if n := len(*o); n == 0 || (*o)[n-1].Key != head {
		o.Add(head, &jsonio.Object{})
	}
	put((*o)[len(*o)-1].Value.(*jsonio.Object), rest, value)
}

// UnmarshalJSON reads the form that MarshalJSON writes. It reads nanoseconds rather than seconds and ignores
// sums. A missing item is 0.
func (t *Totals) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return err
	}
	*t = Totals{}
	for _, c := range costItems {
		if c.Field == nil && c.Real == nil {
			continue
		}
		id := c.ID
		if c.Unit == Seconds {
			id = nanoseconds(id)
		}
		number, ok := lookUp(tree, id).(json.Number)
		if !ok {
			continue
		}
		var err error
		if c.Real != nil {
			*c.Real(t), err = number.Float64()
		} else {
			*c.Field(t), err = number.Int64()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return nil
}

// lookUp returns the value at a dotted path, or nil.
func lookUp(tree map[string]any, path string) any {
	head, rest, dotted := strings.Cut(path, ".")
	if !dotted {
		return tree[head]
	}
	below, _ := tree[head].(map[string]any)
	return lookUp(below, rest)
}

func nanoseconds(id string) string { return strings.TrimSuffix(id, "_s") + "_ns" }
