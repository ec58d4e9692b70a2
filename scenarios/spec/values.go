package spec

import (
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
)

// Axis is a key and the values that it takes.
type Axis struct {
	Key    string
	Values []any // as in GridValue
}

// GridValue is a key and one value of it.
type GridValue struct {
	Key   string
	Value any // a bool, int, float64 or string; a list as []any, a section as jsonio.Object
}

func resolvedSettings(settings []GridValue) jsonio.Object {
	var o jsonio.Object
	for _, s := range settings {
		o.Add(s.Key, s.Value)
	}
	return o
}

func resolvedAxes(axes []Axis) jsonio.Object {
	var o jsonio.Object
	for _, a := range axes {
		o.Add(a.Key, a.Values)
	}
	return o
}

func SettingsOf(settings []GridValue) result.Settings {
	var p result.Settings
	for _, s := range settings {
		set, err := result.NewSetting(s.Key, s.Value)
		if err != nil {
			panic("scenarios: " + err.Error()) // GridValue holds what JSON can hold
		}
		p = append(p, set)
	}
	return p
}
