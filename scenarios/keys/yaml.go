package keys

import (
	"github.com/goccy/go-yaml"

	"tallynet/metrics/jsonio"
)

// YAML encodes a section as a file and keeps the order of its keys.
func YAML(o jsonio.Object) ([]byte, error) { return yaml.Marshal(mapSlice(o)) }

// mapSlice converts objects to maps of the YAML library that keep their order.
func mapSlice(v any) any {
	switch v := v.(type) {
	case jsonio.Object:
		m := yaml.MapSlice{}
		for _, p := range v {
			m = append(m, yaml.MapItem{Key: p.Key, Value: mapSlice(p.Value)})
		}
		return m
	case []jsonio.Object:
		var list []any
		for _, o := range v {
			list = append(list, mapSlice(o))
		}
		return list
	case []any:
		list := []any{}
		for _, o := range v {
			list = append(list, mapSlice(o))
		}
		return list
	}
	return v
}
