package problems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// Words describes random texts with the statistics of news posts. With d = Features,
// C = Classes:
//
//	words    the r-th most frequent of d words has probability z_r ∝ 1/(r + 2.7), the
//	         Zipf-Mandelbrot law; except for the 100 most frequent ones, each belongs to
//	         one random class
//	length   Length exp(ν - 1/2) words, ν from N(0, 1), at least 1: Length on average
//	text     its class c is uniform; each word is one of class c with probability Topic,
//	         else any word, in both cases in proportion to z
//	feature  tf-idf: count · ln(1 / probability that a text of Length words has the word)
//	         for each word of the text, divided by the Euclidean norm
//
// A node's texts depend on the seed and the node, not on the number of nodes.
type Words struct {
	Features, Classes int
	Length            float64 // >= 1
	Topic             float64 // 0 to 1
	Test              int     // number of test texts
}

// commonWords is the number of most frequent words that are independent of the class.
const commonWords = 100

func (t *text) draw(w Words) error {
	if least := commonWords + w.Classes; w.Features < least {
		return keys.Wrong("features", "features is %d; want at least %d, for %d common words and one per class",
			w.Features, least, commonWords)
	}
	t.features, t.classes = w.Features, w.Classes
	v := newVocabulary(w, sim.Stream(t.config.Seed, "data"))
	if v.weight[w.Features-1] == 0 { // that of the rarest word
		return fmt.Errorf("length is %v; with %d features practically every text then has every word, so that "+
			"all features are 0; take shorter texts or more features", w.Length, w.Features)
	}
	for i := range t.config.Nodes {
		t.train = append(t.train, v.texts(t.config.Samples.Train, sim.Stream(t.config.Seed, "data", i, 1)))
		t.val = append(t.val, v.texts(t.config.Samples.Val, sim.Stream(t.config.Seed, "data", i, 2)))
	}
	t.test = v.texts(w.Test, sim.Stream(t.config.Seed, "test"))
	t.about = fmt.Sprintf("texts of random words, %g each, topic %g", w.Length, w.Topic)
	return nil
}

// vocabulary draws texts.
type vocabulary struct {
	words  Words
	weight []float64 // of each word: ln(1 / probability that a text has it)
	all    urn
	class  []urn // of the words of each class
	drawn  []int // scratch, the words of the text
}

// urn draws words by their cumulative probabilities.
type urn struct {
	words []int
	sums  []float64
}

func (u *urn) add(word int, probability float64) {
	last := 0.0
	if len(u.sums) > 0 {
		last = u.sums[len(u.sums)-1]
	}
	u.words, u.sums = append(u.words, word), append(u.sums, last+probability)
}

func (u *urn) draw(rng *rand.Rand) int {
	at := sort.SearchFloat64s(u.sums, rng.Float64()*u.sums[len(u.sums)-1])
	return u.words[min(at, len(u.words)-1)]
}

func newVocabulary(w Words, rng *rand.Rand) *vocabulary {
	v := &vocabulary{words: w, weight: make([]float64, w.Features), class: make([]urn, w.Classes)}
	total := 0.0
	for r := range w.Features {
		total += zipf(r)
	}
	for r := range w.Features {
		z := zipf(r) / total
		v.all.add(r, z)
		c := rng.IntN(w.Classes)
		if first := r - commonWords; first >= 0 && first < w.Classes {
			c = first // so that every class has a word
		}
		if r >= commonWords {
			v.class[c].add(r, z)
		}
		v.weight[r] = -math.Log(-math.Expm1(w.Length * math.Log1p(-z))) // -ln(1 - (1-z)^Length)
	}
	return v
}

// zipf is proportional to the probability of the word of rank r = 0, 1, ...
func zipf(r int) float64 { return 1 / (float64(r) + 3.7) }

func (v *vocabulary) texts(n int, rng *rand.Rand) []data.SparseSample {
	out := make([]data.SparseSample, n)
	for k := range out {
		out[k] = v.text(rng)
	}
	return out
}

func (v *vocabulary) text(rng *rand.Rand) data.SparseSample {
	class := rng.IntN(v.words.Classes)
	length := max(1, int(math.Round(v.words.Length*math.Exp(rng.NormFloat64()-0.5))))
	v.drawn = v.drawn[:0]
	for range length {
		from := &v.all
		if rng.Float64() < v.words.Topic {
			from = &v.class[class]
		}
		v.drawn = append(v.drawn, from.draw(rng))
	}
	slices.Sort(v.drawn)
	s := data.SparseSample{Class: class}
	for k, word := range v.drawn {
		if k == 0 || word != v.drawn[k-1] {
			s.Features, s.Values = append(s.Features, int32(word)), append(s.Values, 0)
		}
		s.Values[len(s.Values)-1] += v.weight[word]
	}
	norm := floats.Norm(s.Values, 2)
	if norm == 0 { // only words that practically every text has
		return s
	}
	for i := range s.Values {
		s.Values[i] /= norm
	}
	return s
}
