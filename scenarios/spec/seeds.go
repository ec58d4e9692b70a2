package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/keys"
)

// maxSeeds bounds what `seeds: k` may ask for.
const maxSeeds = 10000

// seeds returns the seeds of the runs, and that of the data where it is one of its own.
func (r *reader) seeds(tree *keys.Value) (runs []uint64, data *uint64) {
	one, many := tree.Child("seed"), tree.Child("seeds")
	switch {
	case one != nil && many != nil:
		r.Fail(many.KeyPos, "seeds", "keep one of the two", "seed and seeds are both given")
		return nil, nil
	case one != nil:
		if one.Value.Shape != keys.Scalar {
			r.WrongKind("seed", one.Value, one.KeyPos, "a whole number", "seeds: [1, 2, 3] takes several")
			return nil, nil
		}
		v, _ := r.seed("seed", one.Value)
		return []uint64{v}, nil
	case many == nil:
		return []uint64{1}, nil
	case many.Value.Child("data") == nil:
		return r.seedList("seeds", many), nil
	}
	a := r.Section("seeds", "seeds", many.Value, many.KeyPos, seedParams())
	if f := a.Field("data"); f != nil {
		if f.Value.Shape != keys.Scalar {
			r.WrongKind("seeds.data", f.Value, f.KeyPos, "a whole number", "write seeds: {data: 1, run: 10}")
			return nil, nil
		}
		v, _ := r.seed("seeds.data", f.Value)
		data = &v
	}
	if f := a.Field("run"); f != nil {
		return r.seedList("seeds.run", f), data
	}
	return []uint64{1}, data
}

// seedParams are the keys of seeds as a section.
func seedParams() []keys.Param {
	return []keys.Param{
		{Name: "data", Kind: keys.Int, Custom: true, Required: true, Example: "1"},
		{Name: "run", Kind: keys.Any, Custom: true, Example: "10"},
	}
}

// seedList reads a number of replicates or a list of seeds, in which 3..7 means 3, 4, 5, 6, 7.
func (r *reader) seedList(path string, e *keys.Field) []uint64 {
	var seeds []uint64
	items := e.Value.Items
	switch {
	case e.Value.Shape == keys.Scalar && !strings.Contains(e.Value.Text, ".."):
		k, ok := r.Int(path, e.Value, keys.Param{Range: keys.Between(1, maxSeeds)})
		if !ok {
			return nil
		}
		for i := range k.(int) {
			seeds = append(seeds, uint64(i)+1)
		}
		return seeds
	case e.Value.Shape == keys.Scalar:
		items = []*keys.Value{e.Value}
	case e.Value.Shape != keys.List || len(items) == 0:
		r.WrongKind(path, e.Value, e.KeyPos, "a number of replicates or a list of seeds",
			"write seeds: 10 or seeds: [1, 2, 3]")
		return nil
	}
	if n := len(items); n > maxSeeds {
		r.Fail(e.Value.Pos, path, "", "%d seeds; at most %d", n, maxSeeds)
		return nil
	}
	have := map[uint64]bool{}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		if item.Shape != keys.Scalar {
			r.WrongKind(at, item, e.KeyPos, "a whole number", "")
			return nil
		}
		first, last, ok := r.seedSpan(at, item)
		if !ok {
			return nil
		}
		for v := first; ; v++ {
			if have[v] {
				r.Fail(item.Pos, at, "", "the seed %d is given twice: the runs would be the same", v)
				return nil
			}
			have[v] = true
			if seeds = append(seeds, v); v == last {
				break
			}
		}
		if n := len(seeds); n > maxSeeds {
			r.Fail(e.Value.Pos, path, "", "%d seeds; at most %d", n, maxSeeds)
			return nil
		}
	}
	return seeds
}

// seedSpan reads one seed, or a span of them, 3..7.
func (r *reader) seedSpan(path string, n *keys.Value) (first, last uint64, ok bool) {
	low, high, span := strings.Cut(n.Text, "..")
	if !span {
		first, ok = r.seed(path, n)
		return first, first, ok
	}
	first, err := strconv.ParseUint(low, 10, 64)
	last, err2 := strconv.ParseUint(high, 10, 64)
	if err != nil || err2 != nil || last < first || last-first >= maxSeeds {
		r.Fail(n.Pos, path, "write 1..10 for the seeds 1 to 10", "want a seed or a span of at most %d seeds, got %s",
			maxSeeds,
			n.Text)
		return 0, 0, false
	}
	return first, last, true
}

// seed reads a whole number of up to 64 bits.
func (r *reader) seed(path string, n *keys.Value) (uint64, bool) {
	if v, err := strconv.ParseUint(n.Text, 10, 64); err == nil && !n.Quoted && (n.Text == "0" || n.Text[0] != '0') {
		return v, true
	}
	v, ok := r.Int(path, n, keys.Param{Range: keys.AtLeast(0)})
	if !ok {
		return 0, false
	}
	return uint64(v.(int)), true
}

// seedPair returns the seeds as a file has them.
func (s *Scenario) seedPair() jsonio.Member {
	runs := seedPair(s.Seeds)
	if s.DataSeed == nil {
		return runs
	}
	if runs.Key == "seed" {
		runs.Value = s.Seeds
	}
	return jsonio.Member{Key: "seeds", Value: jsonio.Of("data", *s.DataSeed, "run", runs.Value)}
}

func seedPair(seeds []uint64) jsonio.Member {
	if len(seeds) == 1 {
		return jsonio.Member{Key: "seed", Value: seeds[0]}
	}
	for i, v := range seeds {
		if v != uint64(i)+1 {
			return jsonio.Member{Key: "seeds", Value: seeds}
		}
	}
	return jsonio.Member{Key: "seeds", Value: len(seeds)}
}

// swept reports whether the sweep changes something in the section. Then only what
// was given is written: a default that fits the first point may not fit the others.
func (s *Scenario) swept(section string) bool {
	return slices.ContainsFunc(s.Sweep, func(a Axis) bool { return within(section, a.Key) })
}

// listed reports whether the list of points changes something in the section.
func (s *Scenario) listed(section string) bool {
	return slices.ContainsFunc(s.List, func(p []GridValue) bool {
		return slices.ContainsFunc(p, func(c GridValue) bool { return within(section, c.Key) })
	})
}

// within reports whether a key is the section or in it.
func within(section, key string) bool {
	rest, ok := strings.CutPrefix(key, section)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
