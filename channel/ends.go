package channel

import "tallynet/sim"

// ends is a heap of the active lanes, by the time at which their first message ends.
type ends []ending

type ending struct {
	at   sim.Time
	lane int32
}

// moved restores the heap after the end of a lane has changed. The lane may be new.
func (h *ends) moved(lanes []lane, at int32) {
	l := &lanes[at]
	if l.place < 0 {
		l.place = int32(len(*h))
		*h = append(*h, ending{})
	}
	h.put(lanes, int(l.place), ending{l.end.at, at})
}

func (h *ends) remove(lanes []lane, at int32) {
	i := int(lanes[at].place)
	lanes[at].place = -1
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	if i < last {
		h.put(lanes, i, e)
	}
}

// put places e in the heap; the slot at i is free.
func (h ends) put(lanes []lane, i int, e ending) {
	for i > 0 {
		p := (i - 1) / 2
		if h[p].at <= e.at {
			break
		}
		h[i] = h[p]
		lanes[h[i].lane].place = int32(i)
		i = p
	}
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].at < h[c].at {
			c++
		}
		if e.at <= h[c].at {
			break
		}
		h[i] = h[c]
		lanes[h[i].lane].place = int32(i)
		i = c
	}
	h[i] = e
	lanes[e.lane].place = int32(i)
}
