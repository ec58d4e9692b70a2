package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// KeyTitles returns the names of swept keys for people: "latency", "graph" for topology.kind, "alpha of DAGM" where
// there are several methods. Where keys have the same name, the names of their sections precede it.
func (s *Scenario) KeyTitles(all []string) []string {
	titles := make([]string, len(all))
	for depth := 1; depth <= 4; depth++ {
		before := slices.Clone(titles)
		for i, key := range all {
			if slices.Index(before, before[i]) != i || slices.Contains(before[i+1:], before[i]) || depth == 1 {
				titles[i] = s.keyTitle(key, depth)
			}
		}
	}
	return titles
}

// keyTitle returns the name of a key for people, after the names of at most depth-1 sections.
func (s *Scenario) keyTitle(key string, depth int) string {
	steps, method := s.place(key)
	var words []string
	for i, step := range steps {
		switch p := s.declaration(steps[:i+1]); {
		case p != nil && !isIndex(step) && p.Title != "":
			step = p.Title
		case i > 0 && (step == "kind" || step == "compress"): // the name of the section says it
			continue
		case i > 0 && isIndex(step):
			words[len(words)-1] += " " + step
			continue
		}
		words = append(words, strings.ReplaceAll(step, "_", " "))
	}
	title := strings.Join(words[max(0, len(words)-depth):], " ")
	if method != "" && len(s.Algorithms) > 1 {
		title += " of " + method
	}
	return title
}

// place returns the steps of a key as keys are declared, without the method whose parameter it is.
func (s *Scenario) place(key string) (steps []string, method string) {
	steps = s.canonical(key)
	if len(steps) > 2 && steps[0] == "algorithms" {
		return slices.Concat(steps[:1], steps[2:]), steps[1]
	}
	return steps, ""
}

// declaration returns the declaration of a key, whose steps may be indices; nil if there is none.
func (s *Scenario) declaration(steps []string) *keys.Param {
	p, _ := keys.FindParam(s.declared, strings.Join(slices.DeleteFunc(slices.Clone(steps), isIndex), "."))
	return p
}

func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// LabelOf returns the label that the sweep gives a value; "" if it gives none.
func (s *Scenario) LabelOf(set result.Setting) string {
	for _, a := range s.Sweep {
		for i, label := range a.Labels {
			if a.Key == set.Key && SettingsOf([]GridValue{{a.Key, a.Values[i]}}).Equal(result.Settings{set}) {
				return label
			}
		}
	}
	return ""
}

// Quantities returns the values that have units as numbers, under keys that end in the unit: network.latency_s = 0.01.
func (s *Scenario) Quantities(values []GridValue) result.Settings {
	var numbers []GridValue
	for _, v := range values {
		steps, _ := s.place(v.Key)
		if p := s.declaration(steps); p != nil {
			if x, suffix, ok := p.Kind.Number(valueText(v.Value)); ok {
				numbers = append(numbers, GridValue{v.Key + suffix, x})
			}
		}
	}
	return SettingsOf(numbers)
}

// Number returns the value of a key that is a number, in its base unit, and the symbol of the unit: s, bit/s, FLOP/s.
func (s *Scenario) Number(key string) (x float64, unit string, ok bool) {
	section, inside, _ := strings.Cut(key, ".")
	of := s.section(section)
	for step, below, more := strings.Cut(inside, "."); more; step, below, more = strings.Cut(inside, ".") {
		if of, inside = keys.Optional[keys.Args](of, step), below; !of.Read() {
			return 0, "", false
		}
	}
	steps, _ := s.place(key)
	p := s.declaration(steps)
	if p == nil || !of.Read() || !of.Declares(inside) || !of.Has(inside) {
		return 0, "", false
	}
	text := fmt.Sprint(of.Value(inside))
	if x, suffix, ok := p.Kind.Number(text); ok {
		return x, strings.NewReplacer("_per_", "/", "_", "", "flop", "FLOP", "bytes", "B").Replace(suffix), true
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, "", err == nil
}
