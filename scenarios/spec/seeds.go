package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/scenarios/keys"
)

// maxSeeds bounds the number of seeds.
const maxSeeds = 10000

// firstLook is the number of seeds after which a study first looks whether more are needed.
const firstLook = 5

// seeds reads the seeds of the runs, the seed of the data if the file gives one, and until when seeds are added.
func (r *reader) seeds(s *Scenario, tree *keys.Value) {
	one, many := tree.Child("seed"), tree.Child("seeds")
	s.Seeds = firstSeeds(1)
	switch {
	case one != nil && many != nil:
		r.Fail(many.KeyPos, "seeds", "keep one of the two", "seed and seeds are both given")
		return
	case one != nil:
		s.Seeds[0], _ = r.seed("seed", one.Value, one.KeyPos, "seeds: [1, 2, 3] takes several")
		return
	case many == nil:
		return
	case many.Value.Child("data") == nil && many.Value.Child("until") == nil:
		s.Seeds = r.seedList("seeds", many)
		return
	}
	a := r.Section("seeds", "seeds", many.Value, many.KeyPos, []keys.Param{
		{Name: "data", Kind: keys.Int, Custom: true, Example: "1"},
		{Name: "run", Kind: keys.Any, Custom: true, Example: "10"},
		{Name: "until", Kind: keys.Float, Custom: true, Example: "10%"},
		{Name: "most", Kind: keys.Int, Default: 100, Range: keys.Between(firstLook, maxSeeds), With: "until"},
	})
	if f := a.Field("data"); f != nil {
		v, _ := r.seed("seeds.data", f.Value, f.KeyPos, "write seeds: {data: 1, run: 10}")
		s.DataSeed = &v
	}
	if f := a.Field("until"); f != nil {
		text, percent := strings.CutSuffix(f.Value.Text, "%")
		x, err := strconv.ParseFloat(text, 64)
		if !percent || err != nil || !(x > 0 && x < 100) {
			r.WrongKind("seeds.until", f.Value, f.KeyPos, "a percentage", "write until: 10%")
		}
		s.Until, s.Most, s.Seeds = x, a.Int("most"), firstSeeds(firstLook)
	}
	f := a.Field("run")
	if f == nil {
		return
	}
	s.Seeds = r.seedList("seeds.run", f)
	if n := len(s.Seeds); s.Until > 0 && n > 0 && (n > s.Most || !slices.Equal(s.Seeds, firstSeeds(n))) {
		r.Fail(f.Value.Pos, "seeds.run", "write run: 5", "with until, run is the number of seeds to begin with, up to %d",
			s.Most)
	}
}

// seedList reads the number of seeds, or a list of seeds in which 3..7 is a span.
func (r *reader) seedList(path string, e *keys.Field) []uint64 {
	items := e.Value.Items
	switch {
	case e.Value.Shape == keys.Scalar && !strings.Contains(e.Value.Text, ".."):
		k, ok := r.Int(path, e.Value, keys.Param{Range: keys.Between(1, maxSeeds)})
		if !ok {
			return nil
		}
		return firstSeeds(k.(int))
	case e.Value.Shape == keys.Scalar:
		items = []*keys.Value{e.Value}
	case e.Value.Shape != keys.List || len(items) == 0:
		r.WrongKind(path, e.Value, e.KeyPos, "a number of replicates or a list of seeds",
			"write seeds: 10 or seeds: [1, 2, 3]")
		return nil
	}
	var seeds []uint64
	seen := map[uint64]bool{}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		first, last, ok := r.seedSpan(at, item, e.KeyPos)
		if !ok {
			return nil
		}
		for v := first; ; v++ {
			if seen[v] {
				r.Fail(item.Pos, at, "", "the seed %d is given twice: the runs would be the same", v)
				return nil
			}
			seen[v] = true
			if seeds = append(seeds, v); v == last {
				break
			}
		}
		if n := len(seeds) + len(items) - i - 1; n > maxSeeds {
			r.Fail(e.Value.Pos, path, "", "%d seeds; at most %d", n, maxSeeds)
			return nil
		}
	}
	return seeds
}

// seedSpan reads one seed or a span such as 3..7.
func (r *reader) seedSpan(path string, n *keys.Value, keyPos keys.FilePosition) (first, last uint64, ok bool) {
	low, high, span := strings.Cut(n.Text, "..")
	if !span {
		first, ok = r.seed(path, n, keyPos, "")
		return first, first, ok
	}
	first, err := strconv.ParseUint(low, 10, 64)
	last, err2 := strconv.ParseUint(high, 10, 64)
	if err != nil || err2 != nil || last < first || last-first >= maxSeeds {
		r.Fail(n.Pos, path, "write 1..10 for the seeds 1 to 10", "want a seed or a span of at most %d seeds, got %s",
			maxSeeds, n.Text)
		return 0, 0, false
	}
	return first, last, true
}

// seed reads an unsigned integer of up to 64 bits.
func (r *reader) seed(path string, n *keys.Value, keyPos keys.FilePosition, hint string) (uint64, bool) {
	if n.Shape != keys.Scalar {
		r.WrongKind(path, n, keyPos, "a whole number", hint)
		return 0, false
	}
	if v, err := strconv.ParseUint(n.Text, 10, 64); err == nil && !n.Quoted && (n.Text == "0" || n.Text[0] != '0') {
		return v, true
	}
	v, ok := r.Int(path, n, keys.Param{Range: keys.AtLeast(0)})
	if !ok {
		return 0, false
	}
	return uint64(v.(int)), true
}

// firstSeeds returns the seeds 1 to k.
func firstSeeds(k int) []uint64 {
	seeds := make([]uint64, k)
	for i := range seeds {
		seeds[i] = uint64(i) + 1
	}
	return seeds
}

// resolvedSeeds returns the seeds as a file gives them.
func (s *Scenario) resolvedSeeds() jsonio.Member {
	k := len(s.Seeds)
	if k == 1 && s.DataSeed == nil && s.Until == 0 {
		return jsonio.Member{Key: "seed", Value: s.Seeds[0]}
	}
	var runs any = s.Seeds
	if k > 1 && slices.Equal(s.Seeds, firstSeeds(k)) {
		runs = k
	}
	var o jsonio.Object
	if s.DataSeed != nil {
		o.Add("data", *s.DataSeed)
	}
	if o = append(o, jsonio.Member{Key: "run", Value: runs}); s.Until > 0 {
		o = append(o, jsonio.Of("until", keys.FormatFloat(s.Until)+"%", "most", s.Most)...)
	}
	if len(o) > 1 {
		runs = o
	}
	return jsonio.Member{Key: "seeds", Value: runs}
}
