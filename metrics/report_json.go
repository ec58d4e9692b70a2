package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tallynet/sim"
)

// WriteJSON writes result.json: indented, with arrays and objects that hold only
// plain values on one line. It holds one run in memory at a time.
func (r *Report) WriteJSON(w io.Writer) error {
	head := *r
	head.Schema, head.Runs, head.Claims, head.Tables, head.Written = Schema, []Run{}, nil, nil, nil // a reader wants a list, not null
	compact, err := marshal(&head)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	const noRuns = "[]"
	text := string(indent(compact, 0))
	at := strings.LastIndex(text, noRuns) // the last key, while what follows is empty
	list := &listWriter{w: w}
	list.write(text[:at])
	for i := range r.Runs {
		run, err := r.Runs[i].whole()
		if err != nil {
			return err
		}
		list.item(run)
	}
	list.end()
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

// whole returns the run as result.json has it.
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

// listWriter writes a JSON list, the value of a key of the outermost object, item by
// item in the layout of indent. The first error stays.
type listWriter struct {
	w     io.Writer
	items int
	err   error
}

func (l *listWriter) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, text)
	}
}

func (l *listWriter) item(value any) {
	compact, err := marshal(value)
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("result: %w", err)
	}
	separator := ",\n    "
	if l.items == 0 {
		separator = "[\n    "
	}
	l.items++
	l.write(separator + string(indent(compact, 2)))
}

// key writes a further key of the outermost object.
func (l *listWriter) key(name string, value any) {
	compact, err := marshal(value)
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("result: %w", err)
	}
	l.write(fmt.Sprintf(",\n  %q: %s", name, indent(compact, 1)))
}

func (l *listWriter) end() {
	if l.items == 0 {
		l.write("[]")
		return
	}
	l.write("\n  ]")
}

// trajectory returns the iterates that samples keep.
func trajectory(samples []Sample) []Iterate {
	var t []Iterate
	for _, s := range samples {
		if s.X != nil || s.Y != nil {
			t = append(t, Iterate{s.Iteration, s.X, s.Y})
		}
	}
	return t
}

// marshal is json.Marshal without the escapes that HTML would need: "<=" stays readable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// indent breaks compact JSON over lines. Arrays of plain values, whatever their
// length, and short objects stay on one line: an iterate is one line per node. depth
// is that of the value in the file.
func indent(compact []byte, depth int) []byte {
	var out []byte
	newline := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, "  "...)
		}
	}
	for i := 0; i < len(compact); {
		switch c := compact[i]; c {
		case '{', '[':
			if end, ok := oneLine(compact[i:]); ok {
				out = appendSpaced(out, compact[i:i+end])
				i += end
				continue
			}
			out = append(out, c)
			depth++
			newline()
		case '}', ']':
			depth--
			newline()
			out = append(out, c)
		case ',':
			out = append(out, c)
			newline()
		case ':':
			out = append(out, ": "...)
		case '"':
			end := stringEnd(compact[i:])
			out = append(out, compact[i:i+end]...)
			i += end
			continue
		default:
			out = append(out, c)
		}
		i++
	}
	return out
}

// oneLine returns the length of the value that compact begins with, if it is to
// stay on one line.
func oneLine(compact []byte) (end int, ok bool) {
	const longest = 110
	for i := 1; i < len(compact); {
		switch compact[i] {
		case '{', '[':
			return 0, false
		case '}', ']':
			return i + 1, compact[0] == '[' || i < longest
		case '"':
			i += stringEnd(compact[i:])
		default:
			i++
		}
	}
	return 0, false
}

// appendSpaced appends a flat value with a space after each comma and colon.
func appendSpaced(out, flat []byte) []byte {
	for i := 0; i < len(flat); {
		if flat[i] == '"' {
			end := stringEnd(flat[i:])
			out = append(out, flat[i:i+end]...)
			i += end
			continue
		}
		out = append(out, flat[i])
		if flat[i] == ',' || flat[i] == ':' {
			out = append(out, ' ')
		}
		i++
	}
	return out
}

// stringEnd returns the length of the JSON string that s begins with.
func stringEnd(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// object writes a JSON object in order.
type object struct {
	b    bytes.Buffer
	keys map[string]bool
	err  error
}

func (o *object) add(key string, value any) {
	if o.keys == nil {
		o.keys = map[string]bool{}
	}
	if o.keys[key] {
		o.err = errors.Join(o.err, fmt.Errorf("key %q appears twice", key))
	}
	separator := byte('{')
	if len(o.keys) > 0 {
		separator = ','
	}
	o.keys[key] = true
	name, err := marshal(key)
	content, err2 := marshal(value)
	o.err = errors.Join(o.err, err, err2)
	o.b.WriteByte(separator)
	o.b.Write(name)
	o.b.WriteByte(':')
	o.b.Write(content)
}

func (o *object) end() ([]byte, error) {
	if len(o.keys) == 0 {
		o.b.WriteByte('{')
	}
	o.b.WriteByte('}')
	return o.b.Bytes(), o.err
}

// eachKey calls f for each key of a JSON object, in order. The values are compact.
func eachKey(data []byte, f func(key string, value json.RawMessage) error) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	token, err := decoder.Token()
	if err != nil || token == nil { // null
		return err
	}
	if token != json.Delim('{') {
		return fmt.Errorf("want an object, not %v", token)
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return err
		}
		if err := f(token.(string), compact.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", token, err)
		}
	}
	return nil
}

// MarshalJSON writes an object in order.
func (p Point) MarshalJSON() ([]byte, error) {
	var o object
	for _, s := range p {
		o.add(s.Key, s.Value)
	}
	return o.end()
}

// UnmarshalJSON reads an object in order.
func (p *Point) UnmarshalJSON(data []byte) error {
	*p = nil
	return eachKey(data, func(key string, value json.RawMessage) error {
		*p = append(*p, Setting{key, value})
		return nil
	})
}

// MarshalJSON writes an object in order.
func (v Values) MarshalJSON() ([]byte, error) {
	var o object
	for _, n := range v {
		o.add(n.Name, Real(n.Value))
	}
	return o.end()
}

// UnmarshalJSON reads an object in order.
func (v *Values) UnmarshalJSON(data []byte) error {
	*v = nil
	return eachKey(data, func(key string, value json.RawMessage) error {
		var x Real
		err := json.Unmarshal(value, &x)
		*v = append(*v, Value{key, float64(x)})
		return err
	})
}

// MarshalJSON writes a flat object: iteration, time_s, time_ns, and the metrics.
func (f Final) MarshalJSON() ([]byte, error) {
	var o object
	o.add("iteration", f.Iteration)
	o.add("time_s", f.Time.Seconds())
	o.add("time_ns", int64(f.Time))
	for _, n := range f.Values {
		o.add(n.Name, Real(n.Value))
	}
	return o.end()
}

// UnmarshalJSON reads what MarshalJSON writes. A later key that holds no number
// is no metric and is ignored.
func (f *Final) UnmarshalJSON(data []byte) error {
	*f = Final{}
	return eachKey(data, func(key string, value json.RawMessage) error {
		switch key {
		case "iteration":
			return json.Unmarshal(value, &f.Iteration)
		case "time_s": // time_ns is exact
			return nil
		case "time_ns":
			return json.Unmarshal(value, (*int64)(&f.Time))
		}
		var x Real
		if json.Unmarshal(value, &x) == nil {
			f.Values = append(f.Values, Value{key, float64(x)})
		}
		return nil
	})
}

// MarshalJSON writes all digits, and null for what is not finite.
func (x Real) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// UnmarshalJSON reads null as NaN.
func (x *Real) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*x = Real(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(x))
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
	var rows [][]Real
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

// totalsJSON is Totals as result.json has it.
type totalsJSON struct {
	TimeS         float64      `json:"time_s"`
	TimeNS        sim.Time     `json:"time_ns"`
	ComputeS      float64      `json:"compute_s"`
	ComputeNS     sim.Time     `json:"compute_ns"`
	WaitS         float64      `json:"wait_s"`
	WaitNS        sim.Time     `json:"wait_ns"`
	Rounds        int64        `json:"rounds"`
	Messages      int64        `json:"messages"`
	PayloadBytes  int64        `json:"payload_bytes"`
	ScalarBytes   int64        `json:"scalar_bytes"`
	VectorBytes   int64        `json:"vector_bytes"`
	MatrixBytes   int64        `json:"matrix_bytes"`
	OverheadBytes int64        `json:"overhead_bytes"`
	Retransmitted int64        `json:"retransmitted_bytes"`
	LostBytes     int64        `json:"lost_bytes"`
	LostMessages  int64        `json:"lost_messages"`
	Broadcast     Elements     `json:"broadcast_elements"`
	Wire          Elements     `json:"wire_elements"`
	Oracle        OracleCounts `json:"oracle"`
	Path          pathJSON     `json:"critical_path"`
}

type pathJSON struct {
	ComputeS   float64  `json:"compute_s"`
	TransferS  float64  `json:"transfer_s"`
	LatencyS   float64  `json:"latency_s"`
	IdleS      float64  `json:"idle_s"`
	ComputeNS  sim.Time `json:"compute_ns"`
	TransferNS sim.Time `json:"transfer_ns"`
	LatencyNS  sim.Time `json:"latency_ns"`
	IdleNS     sim.Time `json:"idle_ns"`
}

// MarshalJSON writes times in seconds and, exactly, in nanoseconds.
func (t Totals) MarshalJSON() ([]byte, error) {
	return json.Marshal(totalsJSON{
		t.Time.Seconds(), t.Time, t.Compute.Seconds(), t.Compute, t.Wait.Seconds(), t.Wait,
		t.Rounds, t.Messages, t.PayloadBytes(), t.Payload[Scalar], t.Payload[Vector], t.Payload[Matrix],
		t.Overhead, t.Retransmitted, t.LostBytes, t.LostMessages, t.Broadcast, t.Wire, t.Oracle,
		pathJSON{
			t.Path.Compute.Seconds(), t.Path.Transfer.Seconds(), t.Path.Latency.Seconds(), t.Path.Idle.Seconds(),
			t.Path.Compute, t.Path.Transfer, t.Path.Latency, t.Path.Idle,
		},
	})
}

// UnmarshalJSON reads what MarshalJSON writes; nanoseconds and kinds count, not
// the seconds and the sum beside them.
func (t *Totals) UnmarshalJSON(data []byte) error {
	var j totalsJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*t = Totals{
		Time: j.TimeNS, Compute: j.ComputeNS, Wait: j.WaitNS, Rounds: j.Rounds, Messages: j.Messages,
		Payload: [NumKinds]int64{j.ScalarBytes, j.VectorBytes, j.MatrixBytes}, Overhead: j.OverheadBytes,
		Retransmitted: j.Retransmitted, LostBytes: j.LostBytes, LostMessages: j.LostMessages,
		Broadcast: j.Broadcast, Wire: j.Wire, Oracle: j.Oracle, Path: Path{j.Path.ComputeNS, j.Path.TransferNS, j.Path.LatencyNS, j.Path.IdleNS},
	}
	return nil
}
