package sim

import (
	"math"
	"testing"
)

func draws(key func() (uint64, string, []int)) [4]uint64 {
	seed, purpose, ids := key()
	r := Stream(seed, purpose, ids...)
	return [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
}

func TestStreamsAreKeyed(t *testing.T) {
	type key = func() (uint64, string, []int)
	keys := map[string]key{
		"plain":           func() (uint64, string, []int) { return 1, "jitter", []int{1, 2} },
		"seed":            func() (uint64, string, []int) { return 2, "jitter", []int{1, 2} },
		"purpose":         func() (uint64, string, []int) { return 1, "jitten", []int{1, 2} },
		"purpose shorter": func() (uint64, string, []int) { return 1, "jitte", []int{1, 2} },
		"empty purpose":   func() (uint64, string, []int) { return 1, "", []int{1, 2} },
		"order":           func() (uint64, string, []int) { return 1, "jitter", []int{2, 1} },
		"fewer":           func() (uint64, string, []int) { return 1, "jitter", []int{1} },
		"none":            func() (uint64, string, []int) { return 1, "jitter", nil },
		"more":            func() (uint64, string, []int) { return 1, "jitter", []int{1, 2, 0} },
		"negative":        func() (uint64, string, []int) { return 1, "jitter", []int{-1, 2} },
	}
	seen := map[[4]uint64]string{}
	for name, k := range keys {
		a, b := draws(k), draws(k)
		if a != b {
			t.Errorf("%s: equal keys, different streams", name)
		}
		if other, ok := seen[a]; ok {
			t.Errorf("%s and %s have one stream", name, other)
		}
		seen[a] = name
	}
}

// TestStreamKeysStay pins the keys, which determine the numbers of a run. A second program computed the
// values, with the finalizer of SplitMix64 and FNV's product.
func TestStreamKeysStay(t *testing.T) {
	for _, c := range []struct {
		seed    uint64
		purpose string
		ids     []int
		want    uint64
	}{
		{0, "", nil, 0x48218226ff3cd4bf}, {7, "jitter", []int{1, 2}, 0x4c0d1eb4ff7c6c90},
		{math.MaxUint64, "loss", []int{0}, 0x52f41ecb06e6242d},
	} {
		if got := streamKey(c.seed, c.purpose, c.ids); got != c.want {
			t.Errorf("the key of %d, %q, %v is %#x", c.seed, c.purpose, c.ids, got)
		}
	}
}

// TestNeighbouringStreamsAreIndependent correlates the streams of 100 successive ids
// with each other, and their first draws with the id. With n = 2000 draws a
// correlation has the standard deviation 1/sqrt(n) = 0.022.
func TestNeighbouringStreamsAreIndependent(t *testing.T) {
	const ids, n = 100, 2000
	rows := make([][]float64, ids)
	first := make([]float64, ids)
	for id := range rows {
		r := Stream(1, "test", id)
		rows[id] = make([]float64, n)
		for k := range rows[id] {
			rows[id][k] = r.Float64() - 0.5
		}
		first[id] = rows[id][0]
	}
	for a := range rows {
		for b := range a {
			if c := correlation(rows[a], rows[b]); !(math.Abs(c) <= 0.12) {
				t.Errorf("streams %d and %d correlate by %.3f", a, b, c)
			}
		}
	}
	if c := correlation(first[1:], first[:ids-1]); !(math.Abs(c) <= 0.4) {
		t.Errorf("first draws of neighbouring streams correlate by %.3f", c)
	}
}

// correlation of samples with the known mean zero.
func correlation(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += a[i] * b[i]
		aa += a[i] * a[i]
		bb += b[i] * b[i]
	}
	return ab / math.Sqrt(aa*bb)
}

func TestHash(t *testing.T) {
	sum := func(words ...uint64) uint64 {
		var h Hash
		for _, w := range words {
			h.Word(w)
		}
		return h.Sum()
	}
	distinct := map[string]uint64{
		"nothing": sum(), "0": sum(0), "0 0": sum(0, 0), "1": sum(1), "0 1": sum(0, 1), "1 0": sum(1, 0),
		"1 2": sum(1, 2), "2 1": sum(2, 1),
	}
	seen := map[uint64]string{}
	for name, s := range distinct {
		if other, ok := seen[s]; ok {
			t.Errorf("words %s and %s have one digest", name, other)
		}
		seen[s] = name
	}
	if got := sum(1, 2, 0); got != 0x44a91f6dffd129ab { // from a second program; the digests of runs must not change
		t.Errorf("the digest of 1, 2, 0 is %#x", got)
	}
	var a, b, c Hash
	a.Floats([]float64{0})
	b.Floats([]float64{math.Copysign(0, -1)})
	if a.Sum() == b.Sum() {
		t.Error("0 and -0 have one digest")
	}
	if got := c.String(); len(got) != 16 {
		t.Errorf("String is %q", got)
	}
	c.Word(7)
	d, e, v := a, c, []float64{1, -2, math.Inf(1)}
	FloatsOfBoth(&d, &e, v)
	a.Floats(v)
	c.Floats(v)
	if d != a || e != c || d == e {
		t.Errorf("in one pass the digests are %v and %v; want %v and %v", &d, &e, &a, &c)
	}
}
