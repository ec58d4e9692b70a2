package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// Axis is a key and the values that it takes.
type Axis struct {
	Key    string
	Values []any    // as in GridValue
	Labels []string // aligned with Values: how they are shown, "" where the file gives no label
}

// GridValue is a key and one value of it.
type GridValue struct {
	Key   string
	Value any // a bool, int, float64 or string; a list as []any, a section as jsonio.Object
}

// plainValues returns the keys and values of a map.
func plainValues(m *keys.Value) []GridValue {
	var values []GridValue
	for _, f := range m.Fields {
		values = append(values, GridValue{f.Key, keys.Plain(f.Value)})
	}
	return values
}

// SettingsOf converts grid values to the settings of a result.
func SettingsOf(values []GridValue) result.Settings {
	var settings result.Settings
	for _, v := range values {
		s, err := result.NewSetting(v.Key, v.Value)
		if err != nil {
			panic("spec: " + err.Error()) // a GridValue is valid JSON
		}
		settings = append(settings, s)
	}
	return settings
}

func resolvedValues(values []GridValue) jsonio.Object {
	var o jsonio.Object
	for _, v := range values {
		o.Add(v.Key, v.Value)
	}
	return o
}

func resolvedAxes(axes []Axis) jsonio.Object {
	var o jsonio.Object
	for _, a := range axes {
		values := slices.Clone(a.Values)
		for i, label := range a.Labels {
			if label != "" {
				values[i] = jsonio.Of("label", label, "value", values[i])
			}
		}
		o.Add(a.Key, values)
	}
	return o
}

// valueText formats a value for people.
func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return keys.FormatFloat(v)
	case []any:
		return listText(v)
	case []float64:
		return listText(v)
	case jsonio.Object:
		var words []string
		for _, m := range v {
			words = append(words, m.Key+" "+valueText(m.Value))
		}
		return strings.Join(words, ", ")
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.NewReplacer(`"`, "", "[", "", "]", "", ",", ", ").Replace(string(raw))
}

// listText joins the distinct values of a list.
func listText[T any](values []T) string {
	var words []string
	for _, v := range values {
		if text := valueText(v); !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	return strings.Join(words, ", ")
}
