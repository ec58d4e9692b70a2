package methodtest

import "fmt"

// tries is how many other seeds or streams are tried until a draw changes. One block out of two stays the
// same in half of the tries.
const tries = 20

// streams checks the sources of random numbers. With another seed of the run, or another stream of one node,
// exactly the draws that depend on it must change.
func (s *suite) streams() error {
	u := s.typical()
	u.slow = s.timed()
	first, err := s.play(u)
	if err != nil {
		return err
	}
	if !first.partial() {
		return s.otherRandomness(u, first)
	}
	same, err := s.unchanged(u, first, u.data(), func(u *setup, try int) { u.seed += uint64(try) })
	if err != nil {
		return err
	}
	if same != "" {
		return s.errorf(u, "%s with every seed of the run", same)
	}
	if s.Deviations.SharedStream != "" {
		return nil
	}
	for _, id := range u.data() {
		same, err := s.unchanged(u, first, []int{id}, func(u *setup, try int) { u.streams = otherStreams(*u, id, try) })
		if err != nil {
			return err
		}
		if same != "" {
			return s.errorf(u, "%s whatever its own stream is; draw from Oracle.Draw or Context.Rand", same)
		}
	}
	return nil
}

// unchanged finds a draw of the given nodes that is the same in all tries. Draws of the other nodes must not
// change.
func (s *suite) unchanged(u setup, first outcome, ids []int, change func(u *setup, try int)) (string, error) {
	fixed := make([]map[int]bool, u.nodes()) // by node: the draws that have not changed yet
	left := 0
	for _, id := range ids {
		fixed[id] = map[int]bool{}
		for t, b := range first.drawn[id] {
			if b.partial() {
				fixed[id][t] = true
				left++
			}
		}
	}
	for try := 1; try <= tries && left > 0; try++ {
		v := u
		change(&v, try)
		out, err := s.play(v)
		if err != nil {
			return "", err
		}
		for id, before := range first.drawn {
			for t, b := range before {
				same := t < len(out.drawn[id]) && b.equal(out.drawn[id][t])
				if !same && fixed[id] == nil && !s.timed() {
					return "", s.errorf(u, "draw %d of node %d changes with the stream of node %d", t+1, id, ids[0])
				}
				if !same && fixed[id][t] {
					delete(fixed[id], t)
					left--
				}
			}
		}
	}
	for id, draws := range fixed {
		for t := range first.drawn[id] {
			if draws[t] {
				return fmt.Sprintf("draw %d of node %d is %v", t+1, id, first.drawn[id][t]), nil
			}
		}
	}
	return "", nil
}

// otherRandomness checks a method that draws no samples: if the seed matters, the nodes' streams must matter too.
func (s *suite) otherRandomness(u setup, first outcome) error {
	seeded, err := s.changes(u, first, 3, func(u *setup, try int) { u.seed += uint64(try) })
	if err != nil || !seeded || s.Deviations.SharedStream != "" {
		return err
	}
	keyed, err := s.changes(u, first, tries, func(u *setup, try int) { u.streams = otherStreams(*u, -1, try) })
	if err == nil && !keyed {
		err = s.errorf(u, "its random numbers depend on the seed of the run, and not on the nodes' own streams; "+
			"draw from Oracle.Draw or Context.Rand")
	}
	return err
}

// changes reports whether a change of the setup ever changes what nodes do.
func (s *suite) changes(u setup, first outcome, times int, change func(u *setup, try int)) (bool, error) {
	for try := 1; try <= times; try++ {
		v := u
		change(&v, try)
		out, err := s.play(v)
		if err != nil || s.sameNodes(u, first, out, 0) != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// otherStreams gives another stream to one node, or to all where only is -1.
func otherStreams(u setup, only, try int) []int {
	streams := make([]int, u.nodes())
	for id := range streams {
		streams[id] = id
		if only < 0 || id == only {
			streams[id] += 100 * try
		}
	}
	return streams
}
