package problems

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"tallynet/scenarios/problems/budget"
	"tallynet/scenarios/problems/data"
)

// sizedCases returns configurations of every kind with some megabytes of data.
func sizedCases(t *testing.T) map[string]struct {
	config Sized
	build  func() (Problem, error)
} {
	t.Helper()
	images, err := TestLoader.MNIST("")
	if err != nil {
		t.Fatal(err)
	}
	mushrooms, err := TestLoader.Mushrooms()
	if err != nil {
		t.Fatal(err)
	}
	n := Samples{Train: 300, Val: 200}
	syn := &Synthetic{Dim: 200, Test: 500}
	digits := &Digits{Images: images, Pool: 2}
	hyper := func(loss string) TaskConfig {
		return TaskConfig{Kind: "hyper-" + loss, Nodes: 5, Samples: n, Synthetic: syn}
	}
	softmax, shared, scalar := hyper("softmax"), hyper("softmax"), hyper("softmax")
	softmax.Synthetic, softmax.MNIST, softmax.Bias = nil, digits, true
	shared.SharedAcrossClasses, scalar.Scalar = true, true
	svm := TaskConfig{Kind: "hyper-svm", Smoothing: 1, Nodes: 4, Samples: n, Mushroom: &Mushroom{Data: mushrooms}}
	cleaning := TaskConfig{Kind: "hyper-cleaning", Nodes: 5, Samples: n, Synthetic: syn, Ridge: 1}
	fair := TaskConfig{Kind: "fair-loss", Nodes: 5, Samples: n, MNIST: digits, Ridge: 1}
	net := fair
	net.Hidden = 30
	pixels := TaskConfig{Kind: "fair-loss", Nodes: 60, Samples: Samples{Train: 1, Val: 1},
		MNIST: &Digits{Images: FewImages(), Pool: 1},
		Ridge: 1}
	mlp := TaskConfig{Kind: "hyper-representation", Nodes: 5, Samples: n, MNIST: digits, Hidden: 30, Ridge: 1}
	linear := TaskConfig{Kind: "hyper-representation-linear", Nodes: 5, Samples: n, Synthetic: syn, Hidden: 30, Ridge: 1}
	single := TaskConfig{Kind: "logistic", Nodes: 5, Samples: Samples{Train: 500}, Synthetic: syn}
	squares := TaskConfig{Kind: "least-squares", Nodes: 5, Samples: Samples{Train: 500}, Synthetic: syn, Bias: true}
	mean := ConsensusConfig{Nodes: 5, Dim: 100_000}
	quadratic := QuadraticConfig{Nodes: 3, P: 150, Q: 200}
	text := TextConfig{Nodes: 4, Samples: n,
		Words: &Words{Features: 20_000, Classes: 5, Length: 100, Topic: 0.2, Test: 500}}
	file := TextConfig{Nodes: 4, Samples: Samples{Train: 40, Val: 5}, Texts: fileTexts(200, 500)}
	floor := FloorConfig{Nodes: 5, Condition: 3, Weight: 1}
	coreset := ToyConfig{Kind: "coreset", Variant: "code", Nodes: 3, Scale: 1}
	conditioned := ConditionedConfig{Nodes: 3, Dim: 150, Condition: 4, Shape: "convex", Power: 4, Distance: 1}
	explicit := explicitSpec(60, 80)
	return map[string]struct {
		config Sized
		build  func() (Problem, error)
	}{
		"ridge":       {hyper("ridge"), func() (Problem, error) { return NewTask(hyper("ridge")) }},
		"logistic":    {hyper("logistic"), func() (Problem, error) { return NewTask(hyper("logistic")) }},
		"softmax":     {softmax, func() (Problem, error) { return NewTask(softmax) }},
		"shared":      {shared, func() (Problem, error) { return NewTask(shared) }},
		"scalar":      {scalar, func() (Problem, error) { return NewTask(scalar) }},
		"svm":         {svm, func() (Problem, error) { return NewTask(svm) }},
		"cleaning":    {cleaning, func() (Problem, error) { return NewTask(cleaning) }},
		"fair net":    {net, func() (Problem, error) { return NewTask(net) }},
		"fair":        {fair, func() (Problem, error) { return NewTask(fair) }},
		"fair pixels": {pixels, func() (Problem, error) { return NewTask(pixels) }},
		"mlp":         {mlp, func() (Problem, error) { return NewTask(mlp) }},
		"linear":      {linear, func() (Problem, error) { return NewTask(linear) }},
		"single":      {single, func() (Problem, error) { return NewTask(single) }},
		"squares":     {squares, func() (Problem, error) { return NewTask(squares) }},
		"mean":        {mean, func() (Problem, error) { return NewConsensus(mean) }},
		"random":      {quadratic, func() (Problem, error) { return GenerateQuadratic(quadratic) }},
		"explicit":    {explicit, func() (Problem, error) { return NewQuadratic(explicit) }},
		"words":       {text, func() (Problem, error) { return NewText(text) }},
		"file":        {file, func() (Problem, error) { return NewText(file) }},
		"floor":       {floor, func() (Problem, error) { return NewFloor(floor) }},
		"conditioned": {conditioned, func() (Problem, error) { return NewConditioned(conditioned) }},
		"toy":         {coreset, func() (Problem, error) { return NewToy(coreset) }},
	}
}

// fileTexts returns n texts of 40 words out of d.
func fileTexts(n, d int) *data.SparseSet {
	s := &data.SparseSet{Name: "texts", Features: d, Labels: []int{0, 1}}
	for i := range n {
		text := data.SparseSample{Class: i % 2}
		for j := range 40 {
			text.Features, text.Values = append(text.Features, int32(j*d/40)), append(text.Values, 1)
		}
		s.Samples = append(s.Samples, text)
	}
	return s
}

func explicitSpec(p, q int) QuadraticSpec {
	h := make([][]float64, q)
	for i := range h {
		h[i] = make([]float64, q)
		h[i][i] = 1
	}
	return QuadraticSpec{Nodes: []QuadraticNode{{H: h}, {H: h}}, X0: make([]float64, p)}
}

// TestSizeIsRight compares stated sizes with problems. Dimensions are equal. The memory, with two sets of
// oracles and iterates, is at most the stated size and not far below it.
func TestSizeIsRight(t *testing.T) {
	for name, c := range sizedCases(t) {
		size := c.config.Size()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		problem, err := c.build()
		if err != nil {
			t.Fatal(name, err)
		}
		p, q := problem.Dims()
		if float64(p) != size.P || float64(q) != size.Q {
			t.Errorf("%s: stated p, q = %v, %v, but they are %d, %d", name, size.P, size.Q, p, q)
		}
		var kept []any
		for set := range 2 {
			for i := range problem.Nodes() {
				l := problem.Local(i)
				x, y := problem.Start(i)
				gx, gy := make([]float64, p), make([]float64, q)
				l.GradFx(gx, x, y)
				if q > 0 {
					l.GradGy(gy, x, y)
				}
				kept = append(kept, l)
				if set == 0 {
					kept = append(kept, x, y, gx, gy)
				}
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(kept)
		used := float64(after.HeapAlloc) - float64(before.HeapAlloc)
		if need := size.Need.Bytes; used > need+1e5 || need > 4*used+1e6 {
			t.Errorf("%s: uses %s, stated were %s", name, budget.Bytes(used), budget.Bytes(need))
		}
		runtime.KeepAlive(problem)
	}
}

// TestTooLarge: a problem that does not fit is refused at once.
func TestTooLarge(t *testing.T) {
	const big = 100_000
	n := Samples{Train: 10_000_000, Val: 50}
	syn := &Synthetic{Dim: 1_000_000}
	huge := &data.SparseSet{Features: 1 << 30, Labels: []int{0, 1}, Samples: make([]data.SparseSample, 8)}
	cheapCleaning := Samples{Train: 1_000_000, Val: 1}
	for want, build := range map[string]func() (Problem, error){
		"quadratic (x of 2 and y of 100000 numbers) needs 1.3": func() (Problem, error) {
			return GenerateQuadratic(QuadraticConfig{Nodes: 4, P: 2, Q: big})
		},
		"hyper-logistic (x of 1000000 and y of 1000000 numbers) needs 320 TB": func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "hyper-logistic", Nodes: 4, Samples: n, Synthetic: syn})
		},
		"hyper-text (x of 1073741824 and y of 2147483648 numbers)": func() (Problem, error) {
			return NewText(TextConfig{Nodes: 2, Samples: Samples{Train: 1, Val: 1}, Texts: huge})
		},
		"hyper-text (x of 10000000 and y of 100000000000 numbers)": func() (Problem, error) {
			return NewText(TextConfig{Nodes: 2, Samples: Samples{Train: 1, Val: 1},
				Words: &Words{Features: 10_000_000, Classes: 10_000, Length: 10, Test: 1}})
		},
		"consensus": func() (Problem, error) { return NewConsensus(ConsensusConfig{Nodes: 4, Dim: 100_000_000}) },
		"hyper-cleaning (x of 10000000000": func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "hyper-cleaning", Nodes: 10_000, Samples: cheapCleaning, Ridge: 1,
				Synthetic: &Synthetic{Dim: 2}})
		},
		"fair-loss": func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "fair-loss", Nodes: 4, Samples: n, Ridge: 1, Synthetic: syn})
		},
		"hyper-representation": func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "hyper-representation-linear", Nodes: 4, Samples: Samples{1, 1}, Ridge: 1,
				Hidden: big, Synthetic: &Synthetic{Dim: big}})
		},
		"least-squares": func() (Problem, error) {
			return NewTask(TaskConfig{Kind: "least-squares", Nodes: 4, Samples: Samples{Train: 10_000_000}, Synthetic: syn})
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := build()
		var over *budget.Error
		if !errors.As(err, &over) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
			continue
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1e6 {
			t.Errorf("%s: %d bytes were allocated before it was refused", want, took)
		}
	}
	spec := QuadraticSpec{Nodes: []QuadraticNode{{H: [][]float64{{1}}}}, X0: make([]float64, big)}
	if _, err := NewQuadratic(spec); err == nil || !strings.Contains(err.Error(), "needs 80 GB of memory") {
		t.Errorf("an explicit quadratic: error %v", err)
	}
}

// TestLargestQuadratic: the largest problem that fits is built, and no larger one.
func TestLargestQuadratic(t *testing.T) {
	need := QuadraticConfig{Nodes: 4, P: 2, Q: 100}.Size().Need.Bytes
	for limit, fit := range map[float64]bool{need: true, need - 1: false, math.Inf(1): true} {
		c := QuadraticConfig{Nodes: 4, P: 2, Q: 100, Budget: budget.Limit{Bytes: limit}}
		if _, err := GenerateQuadratic(c); (err == nil) != fit {
			t.Errorf("of %g bytes %g are allowed: %v", need, limit, err)
		}
	}
}

// TestSizeOfWords: an additional word in each text costs a number and an index, in slices of up to twice the
// length, and a loss index, twice. An additional text costs its words and a header of 56 bytes in a block of 64.
func TestSizeOfWords(t *testing.T) {
	size := func(test int, words float64) float64 {
		return TextConfig{Nodes: 3, Samples: Samples{Train: 40, Val: 10},
			Words: &Words{Features: 20, Classes: 2, Length: words, Test: test}}.Size().Need.Bytes
	}
	const word = float64(unsafe.Sizeof(float64(0)) + unsafe.Sizeof(int32(0)))
	if got, want := size(7, 31)-size(7, 30), (3*50+7)*2*word+3*50*2*4; got != want {
		t.Errorf("a further word of each text: %g bytes, want %g", got, want)
	}
	if got, want := size(8, 30)-size(7, 30), 30*2*word+64; got != want || unsafe.Sizeof(data.SparseSample{}) != 56 {
		t.Errorf("a further text: %g bytes, want %g", got, want)
	}
}

// TestSizeOfDigits: MNIST has 28 x 28 pixels, 10 digits and 10,000 test images, unless images are given.
func TestSizeOfDigits(t *testing.T) {
	images, err := TestLoader.MNIST("")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		s    Digits
		t    target
		want [3]float64
	}{
		"all":    {Digits{}, targetClass, [3]float64{784, 10, 10_000}},
		"pooled": {Digits{Pool: 2}, targetClass, [3]float64{196, 10, 10_000}},
		"three":  {Digits{Pool: 4, Classes: []int{1, 2, 7}}, targetClass, [3]float64{49, 3, 10_000}},
		"signs":  {Digits{Pool: 7}, targetSign, [3]float64{16, 1, 10_000}},
		"given":  {Digits{Images: images, Pool: 2}, targetClass, [3]float64{196, 10, float64(images.Test.Len())}},
	} {
		if d, classes, test := c.s.size(c.t); [3]float64{d, classes, test} != c.want {
			t.Errorf("%s: %g features, %g classes, %g test images, want %g", name, d, classes, test, c.want)
		}
	}
}

// TestSizeOfOwnTables by hand: 12 rows and 3 test rows of one feature and two classes, in the table and dealt, and
// twice 10 numbers for each row.
func TestSizeOfOwnTables(t *testing.T) {
	own := Own{Table: twelve(), Classes: []string{"A", "C"}, Test: &data.Table{Labels: []int{0, 0, 0}}}
	d, classes, need := TaskConfig{Kind: "hyper-softmax", Nodes: 2, Own: &own}.dataSize()
	if want := 8. * (15*1 + 15*2 + 2*12*10); d != 1 || classes != 2 || need.Bytes != want {
		t.Errorf("%g features, %g classes, %g bytes, want 1, 2 and %g", d, classes, need.Bytes, want)
	}
	// dealt with a feature that is always 1
	d, _, need = TaskConfig{Kind: "hyper-softmax", Nodes: 2, Own: &own, Bias: true}.dataSize()
	if want := 8. * (15*1 + 15*3 + 2*12*10); d != 2 || need.Bytes != want || need.Flops != 15*2*(20+2*2) {
		t.Errorf("%g features, %g bytes, %g FLOPs, want 2, %g and 720", d, need.Bytes, need.Flops, want)
	}
}

// TestAboutSamples: the description has the number of samples of a node if it is the same for all.
func TestAboutSamples(t *testing.T) {
	n := Samples{Train: 3, Val: 2}
	hyper, err := NewTask(TaskConfig{Kind: "hyper-logistic", Nodes: 2, Samples: n, Synthetic: &Synthetic{Dim: 4}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := NewText(TextConfig{Nodes: 2, Samples: n, Words: &Words{Features: 102, Classes: 2, Length: 5, Test: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for want, p := range map[string]Problem{"p = 4, q = 4": hyper, "p = 102, q = 204": text} {
		if got := p.About(); !strings.HasSuffix(got, "; 2 nodes with 3 training and 2 validation samples, "+want) {
			t.Errorf("%q", got)
		}
	}
}

// TestAboutToys: a toy with several variants names its source.
func TestAboutToys(t *testing.T) {
	for want, c := range map[string]ToyConfig{
		"toy minimax": {Kind: "minimax", Nodes: 1}, "toy coreset, as in BOME's code": {Kind: "coreset", Variant: "code",
			Scale: 1, Nodes: 1},
	} {
		p, err := NewToy(c)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.About(); !strings.HasPrefix(got, want+"; 1 node with ") {
			t.Errorf("%q, want %q before what nodes have", got, want)
		}
	}
}

// TestSizesByHand: sizes in numbers of 8 bytes, and FLOPs. Unless stated otherwise there are two nodes with 3 + 2
// samples of 4 features, and 5 test samples. Iterates are p + q numbers, 3 for each node and 12.
func TestSizesByHand(t *testing.T) {
	n, syn := Samples{Train: 3, Val: 2}, &Synthetic{Dim: 4, Test: 5}
	hyper := func(loss string, change func(c *TaskConfig)) TaskConfig {
		c := TaskConfig{Kind: "hyper-" + loss, Nodes: 2, Samples: n, Synthetic: syn}
		change(&c)
		return c
	}
	same := func(*TaskConfig) {}
	texts := &data.SparseSet{Features: 6, Labels: []int{0, 1}, Samples: []data.SparseSample{
		{Features: []int32{0, 2, 5}, Values: []float64{1, 1, 1}}, {Features: []int32{1}, Values: []float64{1}}}}
	words := func(length float64) TextConfig {
		return TextConfig{Nodes: 2, Samples: n, Words: &Words{Features: 20, Classes: 2, Length: length, Test: 4}}
	}
	for name, c := range map[string]struct {
		of                   Sized
		p, q, numbers, flops float64
	}{
		// Means of classes, samples and the data of risks; drawing costs 20 FLOPs a number, plus the labels.
		"logistic": {hyper("logistic", same), 4, 4, 2*4*2 + 15*5 + 2*10*7 + 8*18, 4*2*20 + 15*4*22},
		"ridge":    {hyper("ridge", same), 4, 4, 2*4*2 + 10*5 + 2*10*7 + 8*18, 4*2*20 + 10*4*22},
		"softmax":  {hyper("softmax", same), 12, 12, 4*4*2 + 15*5 + 2*10*13 + 24*18, 3*4*2*20 + 15*4*26},
		"scalar": {hyper("softmax", func(c *TaskConfig) { c.Scalar = true }), 1, 12,
			4*4*2 + 15*5 + 2*10*13 + 13*18, 3*4*2*20 + 15*4*26},
		"shared": {hyper("softmax", func(c *TaskConfig) { c.SharedAcrossClasses = true }), 4, 12,
			4*4*2 + 15*5 + 2*10*13 + 16*18, 3*4*2*20 + 15*4*26},
		"bias": {hyper("softmax", func(c *TaskConfig) { c.Bias = true }), 15, 15,
			4*4*2 + 15*6 + 2*10*13 + 30*18, 3*4*2*20 + 15*5*26},
		"five classes": {hyper("softmax", func(c *TaskConfig) { c.Synthetic = &Synthetic{Dim: 4, Test: 5, Classes: 5} }),
			20, 20, 6*4*2 + 15*5 + 2*10*19 + 40*18, 5*4*2*20 + 15*4*30},
		"a thousand for tests": {hyper("logistic", func(c *TaskConfig) { c.Synthetic = &Synthetic{Dim: 4} }), 4, 4,
			2*4*2 + 1010*5 + 2*10*7 + 8*18, 4*2*20 + 1010*4*22},

		"cleaning": {TaskConfig{Kind: "hyper-cleaning", Nodes: 2, Samples: n, Synthetic: syn, Ridge: 1}, 6, 12,
			367 + 18*18, 2040},
		"fair": {TaskConfig{Kind: "fair-loss", Nodes: 2, Samples: n, Synthetic: syn, Ridge: 1}, 6, 12,
			367 + 2*(10+36)*5 + 18*18,
			2040},
		"a network": {TaskConfig{Kind: "fair-loss", Nodes: 2, Samples: n, Synthetic: syn, Ridge: 1, Hidden: 5}, 6, 43,
			367 + 8*10*6 + 49*18, 2040},
		"mlp": {TaskConfig{Kind: "hyper-representation", Hidden: 5, Nodes: 2, Samples: n, Synthetic: syn, Ridge: 1}, 25, 18,
			367 + 6*10*6 + 43*18, 2040},
		"linear": {TaskConfig{Kind: "hyper-representation-linear", Hidden: 5, Nodes: 2, Samples: n, Synthetic: syn,
			Ridge: 1}, 20,
			5, 206 + 6*10*6 + 25*18, 1040},
		"single": {TaskConfig{Kind: "logistic", Nodes: 2, Samples: Samples{Train: 5}, Synthetic: syn}, 4, 0,
			231 + 4*18, 1480},
		"least squares": {TaskConfig{Kind: "least-squares", Nodes: 2, Samples: Samples{Train: 5}, Synthetic: syn}, 4,
			0, 206 + 4*18, 1040},
		"consensus": {ConsensusConfig{Nodes: 2, Dim: 4}, 4, 0, 2*4 + 4*18, 20 * 2 * 4},

		// The formulas have one more node than there are, and the larger of two temporary needs of drawing.
		"quadratic": {QuadraticConfig{Nodes: 2, P: 3, Q: 4}, 3, 4, 3*(2*16+2*12+9+3*7) + 7*16 + 7*18,
			3 * (8*64 + 2*343 + 20*49)},
		"wide": {QuadraticConfig{Nodes: 2, P: 9, Q: 2}, 9, 2, 3*(2*4+2*18+81+3*11) + 2*121 + 11*18,
			3 * (8*8 + 2*1331 + 20*121)},
		"conditioned": {ConditionedConfig{Nodes: 2, Dim: 4}, 4, 4, 3*(2*16+2*16+16+3*8) + 9*16 + 6*3*4 + 8*18,
			3 * (6*64 + 20*16)},
		"explicit":   {explicitSpec(3, 4), 3, 4, 2*(2*16+2*12+9+3*7) + 2*16 + 7*18, 2. * 64 / 3},
		"floor":      {FloorConfig{Nodes: 5, Condition: 3, Weight: 1}, 2, 2, 5*(8+8+4+12) + 4*27, 0},
		"coreset":    {ToyConfig{Kind: "coreset", Nodes: 3}, 4, 2, 6 * 21, 0},
		"minimax":    {ToyConfig{Kind: "minimax", Nodes: 3}, 1, 1, 2 * 21, 0},
		"degenerate": {ToyConfig{Kind: "degenerate", Nodes: 3}, 1, 2, 3 * 21, 0},

		// A word of a text takes 24 bytes, a text 64; a text in a risk takes 4 per word, 80, and 16 per class.
		"words": {words(10), 20, 40, 6*20 + (14*(10*24+64)+2*(10*(10*4+80+32)+16*2*20*2*2))/8. + 60*18,
			14 * 10 * 20 * math.Log2(21)},
		"short texts": {words(2), 20, 40, 6*20 + (14*(2*24+64)+2*(10*(2*4+80+32)+16*2*10*2*2))/8. + 60*18,
			14 * 2 * 20 * math.Log2(21)},
		"a file": {TextConfig{Nodes: 2, Samples: n, Texts: texts}, 6, 12,
			(10*(2*24+64)+2*(10*(2*4+80+32)+16*2*6*2*2))/8. + 18*18, 0},
		"a file for tests": {TextConfig{Nodes: 2, Samples: n, Texts: texts, Test: &data.SparseSet{Features: 9}}, 9, 18,
			(10*(2*24+64)+2*(10*(2*4+80+32)+16*2*9*2*2))/8. + 27*18, 0},
	} {
		s := c.of.Size()
		if s.P != c.p || s.Q != c.q || math.Abs(s.Need.Bytes/8-c.numbers) > 1e-9 || math.Abs(s.Need.Flops-c.flops) > 1e-9 {
			t.Errorf("%s: p = %g, q = %g, %g numbers, %g FLOPs, want %g, %g, %g, %g", name, s.P, s.Q, s.Need.Bytes/8,
				s.Need.Flops, c.p, c.q, c.numbers, c.flops)
		}
	}
	for split, want := range map[Split]float64{{4, 1, 1}: 8, {2, 2, 1}: 5, {1, 0, 0}: 12} { // of 12 rows, rounded up
		if got := (TaskConfig{Own: &Own{Table: twelve(), Split: split}}).trainRows(); got != want {
			t.Errorf("%+v: %g rows to train on, want %g", split, got, want)
		}
	}
}
