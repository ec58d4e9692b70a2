package fold

import (
	"slices"
	"strings"

	"tallynet/metrics/escape"
)

// KeyTitles returns the names of keys for people. They are distinct.
func (o *Options) KeyTitles(keys []string) []string {
	var short, whole []string
	for _, k := range keys {
		short, whole = append(short, o.KeyTitle(k, false)), append(whole, o.KeyTitle(k, true))
	}
	return distinct(short, whole)
}

// distinct returns names of one line. Where two are the same, as after rounding, they are replaced by the whole ones.
func distinct(names, whole []string) []string {
	all := slices.Clone(names)
	for i, name := range names {
		if slices.Index(names, name) != i || slices.Contains(names[i+1:], name) {
			all[i] = whole[i]
		}
	}
	return escape.Names(all)
}

// together notes the keys that change with an axis alone, so that a point says all that it changes. Parameters of a
// method go with others only, and more than two such keys would be too long.
func (s *Summary) together() {
	ofMethod := func(k int) bool { return strings.HasPrefix(s.Keys[k].Name, "algorithms") }
	for _, k := range s.Axes() {
		var with []int
		for t := range s.Keys {
			pairs := map[[2]int]bool{}
			for _, p := range s.Points {
				pairs[[2]int{p.Values[k], p.Values[t]}] = true
			}
			varies := s.Keys[t].Tied && len(s.Keys[t].Values) > 1 && (ofMethod(k) || !ofMethod(t))
			if varies && len(pairs) == len(s.Keys[k].Values) {
				with = append(with, t)
			}
		}
		if len(with) > 2 || s.Keys[k].Name == NameKey {
			continue
		}
		s.Keys[k].also = map[int]string{}
		for _, p := range s.Points {
			text := ""
			for _, t := range with {
				if v := p.Values[t]; v >= 0 {
					text += ", " + s.Keys[t].Setting(v, " = ")
				}
			}
			s.Keys[k].also[p.Values[k]] = text
		}
	}
}
