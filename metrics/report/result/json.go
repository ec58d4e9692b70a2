package result

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
)

// WriteJSON writes result.json: indented, with arrays and objects that hold only plain values on one line. It holds
// one run in memory at a time.
func (r *Report) WriteJSON(w io.Writer) error {
	rest := *r
	rest.Schema, rest.Runs = Schema, []Run{}
	compact, err := jsonio.Marshal(&rest)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	const key = "\n  \"runs\": [" // with this indentation it is a key of the whole, and no text has a line break
	before, after, _ := strings.Cut(string(jsonio.Indent(compact, 0)), key)
	text := before + key
	for i := range r.Runs {
		run, err := r.Runs[i].whole()
		if err != nil {
			return err
		}
		if compact, err = jsonio.Marshal(run); err != nil {
			return fmt.Errorf("result: %w", err)
		}
		if i > 0 {
			text = ","
		}
		if _, err := io.WriteString(w, text+"\n    "+string(jsonio.Indent(compact, 2))); err != nil {
			return err
		}
		text = "\n  "
	}
	_, err = io.WriteString(w, text+after+"\n")
	return err
}

// whole returns the run for result.json.
func (r *Run) whole() (*Run, error) {
	full, err := r.Full()
	if err != nil {
		return nil, err
	}
	if t := trajectory(full.Samples); len(t) > 0 {
		c := *full
		c.Trajectory = t
		return &c, nil
	}
	return full, nil
}

// trajectory returns the iterates of the samples.
func trajectory(samples []Sample) []Iterate {
	var t []Iterate
	for _, s := range samples {
		if s.X != nil || s.Y != nil {
			t = append(t, Iterate{s.Iteration, s.X, s.Y})
		}
	}
	return t
}

// MarshalJSON writes an object in order.
func (p Settings) MarshalJSON() ([]byte, error) {
	var o jsonio.Object
	for _, s := range p {
		o.Add(s.Key, s.Value)
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads an object in order.
func (p *Settings) UnmarshalJSON(data []byte) error {
	*p = nil
	return jsonio.Each(data, func(key string, value json.RawMessage) error {
		*p = append(*p, Setting{key, value})
		return nil
	})
}

// MarshalJSON writes an object in order.
func (v Values) MarshalJSON() ([]byte, error) {
	var o jsonio.Object
	for _, n := range v {
		o.Add(n.Name, jsonio.Real(n.Value))
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads an object in order.
func (v *Values) UnmarshalJSON(data []byte) error {
	*v = nil
	return jsonio.Each(data, func(key string, value json.RawMessage) error {
		var x jsonio.Real
		err := json.Unmarshal(value, &x)
		*v = append(*v, NamedValue{key, float64(x)})
		return err
	})
}

// MarshalJSON writes a flat object: iteration, time_s, time_ns, and the metrics.
func (f Final) MarshalJSON() ([]byte, error) {
	var o jsonio.Object
	o.Add("iteration", f.Iteration)
	o.Add("time_s", f.Time.Seconds())
	o.Add("time_ns", int64(f.Time))
	for _, n := range f.Values {
		o.Add(n.Name, jsonio.Real(n.Value))
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON writes. A later key that holds no number
// is not a metric and is ignored.
func (f *Final) UnmarshalJSON(data []byte) error {
	*f = Final{}
	return jsonio.Each(data, func(key string, value json.RawMessage) error {
		switch key {
		case "iteration":
			return json.Unmarshal(value, &f.Iteration)
		case "time_s": // time_ns is exact
			return nil
		case "time_ns":
			return json.Unmarshal(value, (*int64)(&f.Time))
		}
		var x jsonio.Real
		if json.Unmarshal(value, &x) == nil {
			f.Values = append(f.Values, NamedValue{key, float64(x)})
		}
		return nil
	})
}

// MarshalJSON writes one array per node.
func (m Iterates) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, row := range m {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		for j, x := range row {
			if j > 0 {
				out = append(out, ',')
			}
			if math.IsNaN(x) || math.IsInf(x, 0) {
				out = append(out, "null"...)
			} else {
				out = strconv.AppendFloat(out, x, 'g', -1, 64)
			}
		}
		out = append(out, ']')
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads one array per node.
func (m *Iterates) UnmarshalJSON(data []byte) error {
	var rows [][]jsonio.Real
	if err := json.Unmarshal(data, &rows); err != nil {
		return err
	}
	*m = make(Iterates, len(rows))
	for i, row := range rows {
		(*m)[i] = make([]float64, len(row))
		for j, x := range row {
			(*m)[i][j] = float64(x)
		}
	}
	return nil
}
