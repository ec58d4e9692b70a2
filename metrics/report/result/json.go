package result

import (
	"cmp"
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
	head := *r
	head.Schema, head.Runs, head.Claims, head.Tables, head.Written = Schema, []Run{}, nil, nil,
		nil // a reader wants a list, not null
	compact, err := jsonio.Marshal(&head)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	const noRuns = "[]"
	separator := "[\n    "
	text := string(jsonio.Indent(compact, 0))
	at := strings.LastIndex(text, noRuns) // the last key, while what follows is empty
	list := &listWriter{w: w}
	list.write(text[:at])
	for i := range r.Runs {
		run, err := r.Runs[i].whole()
		if err != nil {
			return err
		}
		list.write(separator + list.text(run, 2))
		separator = ",\n    "
	}
	if len(r.Runs) == 0 {
		list.write(noRuns)
	} else {
		list.write("\n  ]")
	}
	if len(r.Claims) > 0 {
		list.key("claims", r.Claims)
	}
	if len(r.Tables) > 0 {
		list.key("tables", r.Tables)
	}
	if len(r.Written) > 0 {
		list.key("files", r.Written)
	}
	list.write("\n}\n")
	return list.err
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

// listWriter writes JSON in the layout of jsonio.Indent. It keeps the first error.
type listWriter struct {
	w   io.Writer
	err error
}

func (l *listWriter) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, text)
	}
}

// key writes another key of the outermost object.
func (l *listWriter) key(name string, value any) {
	l.write(fmt.Sprintf(",\n  %q: %s", name, l.text(value, 1)))
}

// text returns a value as JSON at a depth.
func (l *listWriter) text(value any, depth int) string {
	compact, err := jsonio.Marshal(value)
	if err != nil {
		l.err = cmp.Or(l.err, fmt.Errorf("result: %w", err))
	}
	return string(jsonio.Indent(compact, depth))
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
