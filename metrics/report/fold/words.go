package fold

import (
	"cmp"
	"slices"
	"strings"

	"tallynet/metrics/escape"
	"tallynet/metrics/report/result"
)

// Label returns a swept value for people.
func (o *Options) Label(set result.Setting) string {
	if o.LabelOf == nil {
		return set.Words()
	}
	return cmp.Or(o.LabelOf(set), set.Words())
}

// Titled returns the names of keys for people.
func (o *Options) Titled(keys []string) []string {
	if o.KeyTitles != nil {
		return o.KeyTitles(keys)
	}
	var titles []string
	for _, k := range keys {
		titles = append(titles, ShortKey(k, keys))
	}
	return titles
}

// distinct returns the labels of values, short enough for people. Where two are the same, as after rounding, both are
// the values.
func distinct(labels, values []string) []string {
	all := slices.Clone(labels)
	for i, label := range labels {
		if slices.Index(labels, label) != i || slices.Contains(labels[i+1:], label) {
			all[i] = values[i]
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
			if s.Keys[t].Tied && len(s.Keys[t].Values) > 1 && (ofMethod(k) || !ofMethod(t)) && s.follows(t, k) {
				with = append(with, t)
			}
		}
		if s.Keys[k].Name == NameKey || len(with) > 2 {
			continue
		}
		also := map[int]string{}
		for _, p := range s.Points {
			text := ""
			for _, t := range with {
				text += ", " + s.Keys[t].Setting(p.Values[t], " = ")
			}
			also[p.Values[k]] = text
		}
		s.Keys[k].also = also
	}
}

// follows reports whether the value of key t is a function of that of key k, and all points have both.
func (s *Summary) follows(t, k int) bool {
	of := map[int]int{}
	for _, p := range s.Points {
		v, known := of[p.Values[k]]
		if p.Values[k] < 0 || p.Values[t] < 0 || known && v != p.Values[t] {
			return false
		}
		of[p.Values[k]] = p.Values[t]
	}
	return true
}
