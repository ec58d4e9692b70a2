package fold

import (
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/escape"
)

// tie marks the keys whose values follow from those of the others. A sweep has none, since it has all combinations.
// In a list of points keys change together, and one or a few of them identify the point. Keys of single methods are
// tied first, then later keys before earlier ones; the scenario's names of its points are tied last.
func (s *Summary) tie() {
	s.nameAll()
	if len(s.Points) > 1 {
		for _, key := range slices.Backward(s.tieOrder()) {
			s.Keys[key].Tied = true
			s.Keys[key].Tied = s.apart()
		}
		s.together()
	}
	for i := range s.Points {
		s.Points[i].Name = s.PointName(i, -1)
	}
}

// nameAll names the points that the scenario leaves without a name by their settings, if it names others.
func (s *Summary) nameAll() {
	k := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Name == NameKey })
	if k < 0 {
		return
	}
	var names []string
	for _, p := range s.Points {
		var words []string
		for i, v := range p.Values {
			if i != k && v >= 0 {
				words = append(words, s.Keys[i].Setting(v, " = "))
			}
		}
		if p.Values[k] >= 0 {
			words = []string{s.Keys[k].Values[p.Values[k]]}
		}
		if len(words) > 0 {
			p.Values[k] = indexOf(&names, strings.Join(words, ", "))
		}
	}
	s.Keys[k].Values, s.Keys[k].Labels = names, escape.Names(names)
}

// tieOrder returns the keys, those first that name a point best.
func (s *Summary) tieOrder() []int {
	worth := func(k int) int {
		switch name := s.Keys[k].Name; {
		case name == NameKey:
			return 0
		case strings.HasPrefix(name, "algorithms"):
			return 2
		}
		return 1
	}
	order := make([]int, len(s.Keys))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return worth(a) - worth(b) })
	return order
}

// apart reports whether the keys that are not tied distinguish all points.
func (s *Summary) apart() bool {
	seen := map[string]bool{}
	for i := range s.Points {
		var b strings.Builder
		for k, v := range s.Points[i].Values {
			if !s.Keys[k].Tied {
				b.WriteString(strconv.Itoa(v) + ",")
			}
		}
		if seen[b.String()] {
			return false
		}
		seen[b.String()] = true
	}
	return true
}

// Axes returns the keys that are not tied. They span the grid.
func (s *Summary) Axes() []int {
	var free []int
	for k := range s.Keys {
		if !s.Keys[k].Tied {
			free = append(free, k)
		}
	}
	return free
}

// PointName returns the name of a point from its keys that are not tied, except one; -1 excludes none.
func (s *Summary) PointName(point, without int) string {
	var words []string
	for k, v := range s.Points[point].Values {
		switch key := &s.Keys[k]; {
		case v < 0 || key.Tied || k == without:
		default:
			words = append(words, key.Setting(v, " = "))
		}
	}
	return strings.Join(words, ", ")
}
