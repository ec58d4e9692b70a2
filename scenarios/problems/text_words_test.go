package problems

import (
	"math"
	"slices"
	"testing"

	"tallynet/sim"
)

// same reports whether two numbers agree up to rounding.
func same(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// TestVocabulary by hand: 100 common words, one of each of three classes, and one of some class. The r-th word has
// probability z_r ∝ 1/(r + 2.7) and weight ln(1 / (1 - (1 - z_r)^Length)).
func TestVocabulary(t *testing.T) {
	const d, length = 104, 12.5
	v := newVocabulary(Words{Features: d, Classes: 3, Length: length, Topic: 0.5, Test: 1}, sim.Stream(1, "data"))
	var total, sum float64
	for r := 1; r <= d; r++ {
		total += 1 / (float64(r) + 2.7)
	}
	z := make([]float64, d)
	for r := range z {
		z[r] = 1 / (float64(r+1) + 2.7) / total
		sum += z[r]
		if v.all.words[r] != r || !same(v.all.sums[r], sum) {
			t.Errorf("word %d of all is %d, cumulative %g; want %g", r, v.all.words[r], v.all.sums[r], sum)
		}
		if want := math.Log(1 / (1 - math.Pow(1-z[r], length))); !(math.Abs(v.weight[r]-want) <= 1e-10) {
			t.Errorf("word %d weighs %g, want %g", r, v.weight[r], want)
		}
	}
	seconds := 0
	for c, u := range v.class {
		want := []int{100 + c}
		if len(u.words) == 2 {
			want = append(want, 103)
			seconds++
		}
		if !slices.Equal(u.words, want) || !same(u.sums[0], z[100+c]) ||
			len(want) == 2 && !same(u.sums[1]-u.sums[0], z[103]) {
			t.Errorf("class %d has words %v with sums %v, want %v", c, u.words, u.sums, want)
		}
	}
	if seconds != 1 {
		t.Errorf("the last word belongs to %d classes, want 1", seconds)
	}
	// An urn returns each word with its probability, including the first and the last one.
	const draws = 40_000
	u, often, rng := urn{}, map[int]float64{}, sim.Stream(2, "draws")
	for k, p := range []float64{0.05, 0.1, 0.3, 0.05} {
		u.add(10*k, p)
	}
	for range draws {
		often[u.draw(rng)] += 1. / draws
	}
	for k, p := range []float64{0.1, 0.2, 0.6, 0.1} {
		if !(math.Abs(often[10*k]-p) <= 0.01) { // four standard deviations
			t.Errorf("word %d is drawn with frequency %g, want %g", 10*k, often[10*k], p)
		}
	}
}

// TestTexts: classes are uniform and lengths log-normal. A text is the weighted counts of its words, with
// norm 1. With topic 1 all words belong to its class. With 0.25 a quarter does, besides those that belong to
// it by chance.
func TestTexts(t *testing.T) {
	const texts, length = 6000, 30.
	for _, topic := range []float64{0, 0.25, 1} {
		v := newVocabulary(Words{Features: 300, Classes: 3, Length: length, Topic: topic, Test: 1}, sim.Stream(3, "data"))
		belongs := make([]float64, 3) // the probability that any word is of the class
		for c, u := range v.class {
			belongs[c] = u.sums[len(u.sums)-1]
		}
		rng := sim.Stream(4, "texts")
		classes, words, own, want, logs := make([]float64, 3), 0., 0., 0., 0.
		for range texts {
			s := v.text(rng)
			classes[s.Class]++
			words += float64(len(v.drawn))
			logs += math.Log(float64(len(v.drawn)))
			want += float64(len(v.drawn)) * (topic + (1-topic)*belongs[s.Class])
			count, norm := map[int]float64{}, 0.
			for _, w := range v.drawn {
				count[w]++
				if slices.Contains(v.class[s.Class].words, w) {
					own++
				}
			}
			for w, n := range count {
				norm += n * v.weight[w] * n * v.weight[w]
			}
			if len(s.Features) != len(count) || !slices.IsSorted(s.Features) {
				t.Fatalf("%d words of %d in the text: %v", len(s.Features), len(count), s.Features)
			}
			for k, w := range s.Features {
				if x := count[int(w)] * v.weight[w] / math.Sqrt(norm); !same(s.Values[k], x) {
					t.Fatalf("word %d has value %g, want %g", w, s.Values[k], x)
				}
			}
		}
		for c, n := range classes {
			if !(math.Abs(n/texts-1./3) <= 0.025) {
				t.Errorf("topic %g: class %d has %g of %d texts", topic, c, n, texts)
			}
		}
		// The length is 30 exp(ν - 1/2): its mean is 30, with standard deviation 30 sqrt(e - 1) = 39, and that of
		// its logarithm ln 30 - 1/2, but for rounding.
		if !(math.Abs(words/texts-length) <= 2) || !(math.Abs(logs/texts-(math.Log(length)-0.5)) <= 0.06) {
			t.Errorf("topic %g: texts have %g words, their logarithm %g on average", topic, words/texts, logs/texts)
		}
		if topic == 1 && own != words || !(math.Abs(own-want)/words <= 0.01) {
			t.Errorf("topic %g: %g of %g words are of the text's class, want some %g", topic, own, words, want)
		}
	}
	v := newVocabulary(Words{Features: 200, Classes: 2, Length: 1, Topic: 0, Test: 1}, sim.Stream(5, "data"))
	for rng, ones := sim.Stream(6, "texts"), 0; ones < 10; {
		if v.text(rng); len(v.drawn) == 0 {
			t.Fatal("a text without words")
		} else if len(v.drawn) == 1 {
			ones++
		}
	}
}
