package scenarios

import (
	"bytes"
	"encoding/json"

	"github.com/goccy/go-yaml"
)

// Ordered is a section of keys that keeps their order in JSON and YAML.
type Ordered []Pair

// Pair is a key and its value.
type Pair struct {
	Key   string
	Value any
}

// MarshalJSON writes an object whose keys are in order.
func (o Ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(p.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalYAML gives the YAML library a map that keeps its order.
func (o Ordered) MarshalYAML() (any, error) {
	m := yaml.MapSlice{}
	for _, p := range o {
		m = append(m, yaml.MapItem{Key: p.Key, Value: p.Value})
	}
	return m, nil
}

func (o *Ordered) Add(key string, value any) { *o = append(*o, Pair{key, value}) }
