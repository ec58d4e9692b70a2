package spec

import (
	"math"
	"slices"
	"strconv"

	"tallynet/scenarios/facts"
	"tallynet/scenarios/keys"
)

// WithSeeds returns the scenario with the seeds 1 to n. Its section seeds must have until.
func (s *Scenario) WithSeeds(n int) (*Scenario, error) {
	return s.with("seeds", "run", &keys.Value{Shape: keys.Scalar, Text: strconv.Itoa(n), Pos: s.at("seeds"), Size: 1})
}

// Refined returns the scenario with one more value of a swept key: the geometric mean, to three digits, of the values
// around x, a number in the key's base unit. It returns s itself if there are none, if they are within 5 %, or if the
// mean is one of them. An error says that the scenario cannot have the value.
func (s *Scenario) Refined(key string, x float64) (finer *Scenario, value string, err error) {
	sweep := s.tree.Child("sweep")
	if sweep == nil || sweep.Value.Child(key) == nil {
		return s, "", nil
	}
	list := *sweep.Value.Child(key).Value
	low, high, before, after := 0.0, math.Inf(1), -1, -1
	for i, item := range list.Items {
		v, known := keys.Quantity(item.Text)
		if known && v <= x && v > low {
			low, before = v, i
		}
		if known && v >= x && v < high {
			high, after = v, i
		}
	}
	if before < 0 || after < 0 || high <= 1.05*low {
		return s, "", nil
	}
	values := []string{keys.Scaled(list.Items[before].Text, math.Sqrt(high/low))}
	if n, err := strconv.ParseFloat(values[0], 64); err == nil { // the key may take whole numbers only
		values = append(values, keys.FormatFloat(math.Round(n)))
	}
	others := list.Items
	for _, value = range values {
		if v, _ := keys.Quantity(value); v <= low || v >= high {
			return s, "", nil
		}
		list.Items = slices.Insert(slices.Clone(others), max(before, after),
			&keys.Value{Shape: keys.Scalar, Text: value, Pos: list.Pos, Size: 1})
		if finer, err = s.with("sweep", key, &list); err == nil {
			return finer, value, nil
		}
	}
	return nil, value, err
}

// with returns the scenario with another value of a key in a section.
func (s *Scenario) with(section, key string, value *keys.Value) (*Scenario, error) {
	o := keys.Override{Steps: []keys.PathStep{{Key: section}, {Key: key}}, Value: value, Where: value.Pos}
	tree, err := o.Apply(s.tree)
	if err != nil {
		return nil, err
	}
	changed, err := readStudy(s.src, tree, s.Catalog, overriddenFile, facts.Variant{})
	if err != nil {
		return nil, err
	}
	changed.Limits = s.Limits
	return changed, nil
}
