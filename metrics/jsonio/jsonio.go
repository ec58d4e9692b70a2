package jsonio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Marshal is json.Marshal without the escapes for HTML: "<=" stays readable.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return visible(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// visible escapes the characters that a terminal would interpret or hide: controls such as U+009B, and those
// that change the direction of text. The value of the JSON stays the same.
func visible(text []byte) []byte {
	if bytes.IndexFunc(text, hidden) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for _, r := range string(text) {
		switch {
		case !hidden(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, "\\u%04x\\u%04x", high, low)
		default:
			out = fmt.Appendf(out, "\\u%04x", r)
		}
	}
	return out
}

func hidden(r rune) bool { return r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf) }

// Indent breaks compact JSON into lines. Arrays of plain values, whatever their length, and short objects stay
// on one line: an iterate is one line per node. depth is the nesting depth of the value in the file.
func Indent(compact []byte, depth int) []byte {
	var out []byte
	newline := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, "  "...)
		}
	}
	flat := 0 // the end of the value that stays on one line
	for i := 0; i < len(compact); {
		c, end := compact[i], i+1
		opens, closes := c == '{' || c == '[', c == '}' || c == ']'
		switch {
		case c == '"':
			end = i + stringEnd(compact[i:])
		case opens && i >= flat:
			flat = i + oneLine(compact[i:])
		case closes && i >= flat:
			depth--
			newline()
		}
		out = append(out, compact[i:end]...)
		switch {
		case c == ':', c == ',' && i < flat:
			out = append(out, ' ')
		case opens && i >= flat:
			depth++
			newline()
		case c == ',':
			newline()
		}
		i = end
	}
	return out
}

// oneLine returns the length of the first value in compact if it stays on one line, else 0.
func oneLine(compact []byte) int {
	const longest = 110
	for i := 1; i < len(compact); {
		switch compact[i] {
		case '{', '[':
			return 0
		case '}', ']':
			if compact[0] == '{' && i >= longest {
				return 0
			}
			return i + 1
		case '"':
			i += stringEnd(compact[i:])
		default:
			i++
		}
	}
	return 0
}

// stringEnd returns the length of the JSON string at the start of s.
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

// Object is a JSON object whose keys keep their order.
type Object []Member

// Member is a key of an Object and its value.
type Member struct {
	Key   string
	Value any
}

// Of returns an object of keys, which are strings, each followed by its value.
func Of(keysAndValues ...any) Object {
	o := make(Object, 0, len(keysAndValues)/2)
	for i := 0; i < len(keysAndValues); i += 2 {
		o.Add(keysAndValues[i].(string), keysAndValues[i+1])
	}
	return o
}

// Add appends a member.
func (o *Object) Add(key string, value any) { *o = append(*o, Member{key, value}) }

// MarshalJSON writes the members in order. A key that appears twice is an error.
func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	seen := make(map[string]bool, len(o))
	for i, m := range o {
		if seen[m.Key] {
			return nil, fmt.Errorf("key %q appears twice", m.Key)
		}
		seen[m.Key] = true
		key, err := Marshal(m.Key)
		if err != nil {
			return nil, err
		}
		value, err := Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// Each calls f for each key of a JSON object, in order. The values are compact.
func Each(data []byte, f func(key string, value json.RawMessage) error) error {
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

// Real is a float whose JSON form is null if it is not finite. null reads as NaN.
type Real float64

// Finite reports whether x is neither NaN nor infinite.
func (x Real) Finite() bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// MarshalJSON writes all digits, or null if x is not finite.
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

// Write writes v as JSON with an indent of one space.
func Write(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(visible(b.Bytes()))
	return err
}
