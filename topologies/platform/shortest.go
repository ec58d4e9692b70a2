package platform

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"sync"

	"tallynet/sim"
)

// shortest routes by least latency. Ties go to the fewest links, then to the lowest names of places along the
// way from the sender. It keeps only the tree of the last sender, as far as it was needed, so that memory does
// not grow with pairs of hosts.
type shortest struct {
	p   *Platform
	out [][]arc // by place

	mu   sync.Mutex
	from int // the sender of the tree
	tree []reached
	todo frontier[stop]
}

// reached is the best known route to a place.
type reached struct {
	far     sim.Time
	hops    int32
	by      int32 // the place before it; -1: none
	link    int32
	settled bool
}

func newShortest(p *Platform) *shortest {
	s := &shortest{p: p, out: make([][]arc, p.places()), from: -1}
	for _, a := range p.arcs {
		s.out[a.from] = append(s.out[a.from], a)
	}
	return s
}

func (s *shortest) route(a, b int) (Route, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from != a {
		s.start(a)
	}
	for !s.tree[b].settled && len(s.todo) > 0 {
		s.settle(heap.Pop(&s.todo).(stop))
	}
	if !s.tree[b].settled {
		return nil, fmt.Errorf("there is no way from %s to %s", s.p.place(a), s.p.place(b))
	}
	r := make(Route, 0, s.tree[b].hops)
	for i := b; i != a; i = int(s.tree[i].by) {
		r = append(r, int(s.tree[i].link))
	}
	slices.Reverse(r)
	return r, nil
}

func (s *shortest) start(a int) {
	if s.tree == nil {
		s.tree = make([]reached, s.p.places())
	}
	for i := range s.tree {
		s.tree[i] = reached{by: -1}
	}
	s.from, s.todo = a, append(s.todo[:0], stop{place: a})
}

// settle fixes the route to a place, and extends it by one link.
func (s *shortest) settle(at stop) {
	here := &s.tree[at.place]
	if here.settled {
		return
	}
	here.settled = true
	for _, a := range s.out[at.place] {
		there := &s.tree[a.to]
		next := reached{far: min(here.far+s.p.Links[a.link].Latency, sim.Horizon), hops: here.hops + 1,
			by: int32(at.place), link: int32(a.link)}
		if there.settled || (there.by >= 0 && !s.better(next, *there)) || a.to == s.from {
			continue
		}
		*there = next
		heap.Push(&s.todo, stop{next.far, next.hops, a.to})
	}
}

// better reports whether route a takes precedence over route b to the same place.
func (s *shortest) better(a, b reached) bool {
	if c := cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.hops, b.hops)); c != 0 {
		return c < 0
	}
	if a.by == b.by {
		return s.p.Links[a.link].Name < s.p.Links[b.link].Name
	}
	return s.lower(int(a.by), int(b.by))
}

// lower reports whether the route to place i has lower names than that to place j, from the sender on. Both
// have as many links.
func (s *shortest) lower(i, j int) bool {
	less := false
	for i != j {
		less = s.p.place(i) < s.p.place(j)
		i, j = int(s.tree[i].by), int(s.tree[j].by)
	}
	return less
}

// stop is a place on the frontier.
type stop struct {
	far   sim.Time
	hops  int32
	place int
}

func (s stop) Less(o stop) bool {
	return cmp.Or(cmp.Compare(s.far, o.far), cmp.Compare(s.hops, o.hops)) < 0
}

// frontier is a heap of the places to be settled next, for container/heap.
type frontier[T interface{ Less(o T) bool }] []T

func (f frontier[T]) Len() int           { return len(f) }
func (f frontier[T]) Less(i, j int) bool { return f[i].Less(f[j]) }
func (f frontier[T]) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier[T]) Push(x any)        { *f = append(*f, x.(T)) }
func (f *frontier[T]) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
