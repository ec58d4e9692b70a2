package result

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
)

// Words returns the value for people: "0.1 ms" for "0.1ms", "top-k, share 0.1" for {"compress": "top-k", "share":
// 0.1}, "(0, 3)" for a list. Numbers with a fraction have at most four significant digits.
func (s Setting) Words() string {
	var parts []string
	var items []json.RawMessage
	switch {
	case len(s.Value) > 0 && s.Value[0] == '{' && jsonio.Each(s.Value, func(key string, value json.RawMessage) error {
		words := Setting{Value: value}.Words()
		if !slices.Contains([]string{"kind", "compress", "name"}, key) {
			words = strings.ReplaceAll(key, "_", " ") + " " + words
		}
		parts = append(parts, words)
		return nil
	}) == nil:
		return strings.Join(parts, ", ")
	case len(s.Value) > 0 && s.Value[0] == '[' && json.Unmarshal(s.Value, &items) == nil:
		parts = list.Map(items, func(v json.RawMessage) string { return Setting{Value: v}.Words() })
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return spaced(s.Text())
}

var amount = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[ \t]*([A-Za-zµ]*(?:/[A-Za-z]+)?)$`)

// spaced rounds a number, and puts a space before its unit.
func spaced(text string) string {
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	number, unit := m[1], m[2]
	if x, err := strconv.ParseFloat(number, 64); err == nil && strings.ContainsAny(number, ".eE") {
		number = strconv.FormatFloat(x, 'g', 4, 64)
		number = strings.NewReplacer("e+0", "e", "e-0", "e-", "e+", "e").Replace(number)
	}
	if unit == "" || unit[0] == '/' {
		return number + unit
	}
	return number + " " + unit
}
