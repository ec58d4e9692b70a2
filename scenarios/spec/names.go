package spec

import (
	"fmt"
	"strconv"
	"strings"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// KeyTitle returns the name of a key for people: "latency", "graph" for topology.kind, "alpha of DAGM" where there are
// several methods. The whole name begins with its sections: "network latency".
func (s *Scenario) KeyTitle(key string, whole bool) string {
	steps, item := s.place(key)
	var words []string
	for i, step := range steps {
		p, _ := keys.FindParam(s.declared, strings.Join(steps[:i+1], "."))
		switch {
		case p != nil && p.Title != "":
			step = p.Title
		case i > 0 && (step == "kind" || step == "compress"): // the name of the section says it
			continue
		}
		words = append(words, strings.ReplaceAll(step, "_", " "))
	}
	if !whole && len(words) > 0 {
		words = words[len(words)-1:]
	}
	return strings.Join(words, " ") + item
}

// place returns the steps of a key as keys are declared, and of which method or item of a list it is, in words.
func (s *Scenario) place(key string) (steps []string, item string) {
	for i, step := range s.canonical(key) {
		_, err := strconv.Atoi(step)
		switch {
		case i == 1 && steps[0] == "algorithms":
			if len(s.Algorithms) > 1 {
				item = " of " + step
			}
		case i > 0 && err == nil:
			item = fmt.Sprintf(" of %s[%s]", steps[len(steps)-1], step)
		default:
			steps = append(steps, step)
		}
	}
	return steps, item
}

// LabelOf returns a swept value for people: its label, if it has one.
func (s *Scenario) LabelOf(set result.Setting) string {
	for _, a := range s.Sweep {
		for i, label := range a.Labels {
			if label != "" && SettingsOf([]GridValue{{a.Key, a.Values[i]}}).Equal(result.Settings{set}) {
				return label
			}
		}
	}
	return set.Words()
}

// Quantities returns the values that have units as numbers, under keys that end in the unit: network.latency_s = 0.01.
// It returns nil if there are none.
func (s *Scenario) Quantities(values []GridValue) *result.Settings {
	var numbers []GridValue
	for _, v := range values {
		steps, _ := s.place(v.Key)
		if p, _ := keys.FindParam(s.declared, strings.Join(steps, ".")); p != nil {
			if x, suffix, ok := p.Kind.Number(valueText(v.Value)); ok {
				numbers = append(numbers, GridValue{v.Key + suffix, x})
			}
		}
	}
	if numbers == nil {
		return nil
	}
	return new(SettingsOf(numbers))
}

// Number returns the value of a key that is a number, in its base unit, and the symbol of the unit: s, bit/s, FLOP/s.
func (s *Scenario) Number(key string) (x float64, unit string, ok bool) {
	section, inside, _ := strings.Cut(key, ".")
	p, value := s.section(section).Find(inside)
	if p == nil {
		return 0, "", false
	}
	text := fmt.Sprint(value)
	if x, suffix, ok := p.Kind.Number(text); ok {
		return x, strings.NewReplacer("_per_", "/", "_", "", "flop", "FLOP", "bytes", "B").Replace(suffix), true
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, "", err == nil
}
