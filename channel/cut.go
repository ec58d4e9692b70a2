package channel

import (
	"slices"

	"tallynet/sim"
)

// Cut removes the messages of a link from its lane.
func (f *Shared) Cut(t sim.Time, link int) {
	at := f.laneOf[link]
	l := &f.lanes[at]
	if !l.broadcast {
		l.enters = min(l.enters, t)
	}
	if l.idle() {
		return
	}
	first := &l.jobs[l.head]
	ends := first.Link == int32(link) // the first message may go on to other receivers
	kept := l.jobs[:l.head]
	for i := l.head; i < len(l.jobs); i++ {
		j := l.jobs[i]
		if j.Link == int32(link) {
			if i+1 < len(l.jobs) && l.jobs[i+1].follows && !j.follows {
				l.jobs[i+1].follows, l.jobs[i+1].before = false, j.before
				ends = ends && i != l.head
			} else if j.before != nil {
				l.spare = append(l.spare, j.before)
			}
			continue
		}
		kept = append(kept, j)
	}
	l.jobs = kept
	switch {
	case l.idle():
		f.abandon(t, at)
	case ends:
		l.left = f.unit.work(l.jobs[l.head].Bytes)
		if l.since = (moment{at: t}); l.place >= 0 {
			l.end = l.since.after(l.left, l.rate)
			f.ends.moved(f.lanes, at)
		}
	}
}

// abandon stops a lane whose messages were all removed.
func (f *Shared) abandon(t sim.Time, at int32) {
	l := &f.lanes[at]
	l.account(t)
	l.end = moment{at: t}
	if l.place >= 0 {
		f.cease(t, at)
		return
	}
	// It began at this very instant, and has no rate yet.
	f.begun = slices.DeleteFunc(f.begun, func(i int32) bool { return i == at })
	least := f.least
	f.ends.moved(f.lanes, at)
	f.cease(t, at)
	f.least = least
}
