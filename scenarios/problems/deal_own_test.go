package problems

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/data"
)

// twelve returns a table of rows 0 to 11. The feature of a row is its number, and its target is half of that.
// Classes are A up to 5, B up to 9 and C after that; even rows are in group g0.
func twelve() *data.Table {
	t := &data.Table{Name: "twelve.csv", Features: []string{"row"}, Classes: []string{"A", "B", "C"},
		GroupNames: []string{"g0", "g1"}}
	for i := range 12 {
		class := 0
		if i > 5 {
			class = 1 + (i-6)/4
		}
		t.X, t.Numbers, t.Labels = append(t.X, float64(i)), append(t.Numbers, float64(i)/2), append(t.Labels, class)
		t.Groups = append(t.Groups, i%2)
	}
	return t
}

// TestDealOwn checks which rows each node gets, and for which purpose.
func TestDealOwn(t *testing.T) {
	four := &data.Table{Name: "four.csv", Features: []string{"row"}, X: []float64{100, 101, 102, 103},
		Labels: []int{1, 0, 1, 1}, Classes: []string{"A", "Z"}}
	thirds := Split{Train: 4, Val: 1, Test: 1}
	for _, c := range []struct {
		name     string
		own      Own
		target   target
		kind     string
		nodes    int
		parts    [][3]int          // training, validation and test samples of each node, without those of a Test
		tests    int               // all test samples
		rows     []float64         // the dealt rows
		want     func(int) float64 // the target of a row
		holdings string
	}{
		{"by group", Own{ByGroup: true, Split: thirds}, targetClass, "", 2, [][3]int{{4, 1, 1}, {4, 1, 1}}, 2,
			[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, func(i int) float64 { return float64(twelve().Labels[i]) }, ""},
		{"two classes", Own{Classes: []string{"C", "A"}, Split: thirds, Sizes: []int{5, 3}}, targetClass, "", 2,
			[][3]int{{3, 1, 1}, {1, 1, 1}}, 2, []float64{0, 1, 2, 3, 4, 5, 10, 11},
			func(i int) float64 { return float64(1 - i/10) }, ""},
		{"signs", Own{Classes: []string{"A", "B"}, Split: Split{Train: 1}}, targetSign, "", 1, [][3]int{{10, 0, 0}}, 0,
			[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, func(i int) float64 { return float64(2*(i/6) - 1) },
			"[{10 0 [{A 6} {B 4}]}]"},
		{"numbers", Own{Split: thirds, Sizes: []int{4}}, targetNumber, "", 2, [][3]int{{3, 1, 0}, {3, 1, 0}}, 0, nil,
			func(i int) float64 { return float64(i) / 2 }, "[{3 1 []} {3 1 []}]"},
		{"equal parts", Own{Split: Split{Train: 1}}, targetClass, "", 5,
			[][3]int{{2, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 0, 0}, {3, 0, 0}}, 0, nil,
			func(i int) float64 { return float64(twelve().Labels[i]) }, ""},
		{"a single level", Own{Split: Split{Train: 4, Val: 1, Test: 1}}, targetClass, "logistic", 1,
			[][3]int{{10, 0, 2}}, 2, nil,
			func(i int) float64 { return float64(twelve().Labels[i]) }, ""},
		{"a file of test samples", Own{Test: four, Split: thirds, Classes: []string{"B", "A"}}, targetClass, "", 1,
			[][3]int{{8, 2, 0}}, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 101}, func(i int) float64 {
				return map[bool]float64{true: 1, false: 0}[i < 6 || i == 101]
			}, "[{8 2 [{B 4} {A 6}]}]"},
	} {
		c.own.Table = twelve()
		d, err := TaskConfig{Kind: c.kind, Nodes: c.nodes, Own: &c.own, Seed: 1}.dealOwn(c.target)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var rows []float64
		see := func(s samples) {
			for k := range s.len() {
				row := s.row(k)[0]
				if want := c.want(int(row)); s.t[k] != want {
					t.Errorf("%s: row %g has target %g, want %g", c.name, row, s.t[k], want)
				}
				rows = append(rows, row)
			}
		}
		for i, want := range c.parts {
			train, val := d.nodeTrain(i), d.nodeVal(i)
			if train.len() != want[0] || val.len() != want[1] {
				t.Errorf("%s: node %d has %d + %d samples, want %v", c.name, i, train.len(), val.len(), want)
			}
			for _, s := range []samples{train, val} {
				see(s)
				for k := range s.len() {
					if c.own.ByGroup && int(s.row(k)[0])%2 != i {
						t.Errorf("%s: node %d has row %g", c.name, i, s.row(k)[0])
					}
				}
			}
		}
		if see(d.test); d.test.len() != c.tests {
			t.Errorf("%s: %d test samples, want %d", c.name, d.test.len(), c.tests)
		}
		slices.Sort(rows)
		if c.rows != nil && !slices.Equal(rows, c.rows) || len(slices.Compact(rows)) != len(rows) {
			t.Errorf("%s: rows %v are dealt, want %v", c.name, rows, c.rows)
		}
		if got := fmt.Sprint(d.Holdings()); c.holdings != "" && got != c.holdings {
			t.Errorf("%s: nodes hold %s, want %s", c.name, got, c.holdings)
		}
	}
}

// TestDealOwnByLabel: 6, 4 and 2 rows are three times 4: of A, of B, and of what is left of A and C.
func TestDealOwnByLabel(t *testing.T) {
	want := []string{"{4 0 [{A 2} {C 2}]}", "{4 0 [{A 4}]}", "{4 0 [{B 4}]}"}
	for seed := range uint64(8) {
		own := Own{Table: twelve(), Sizes: []int{4}, Split: Split{Train: 1},
			Partition: data.Partition{Kind: "by-label", Shards: 1}}
		d, err := TaskConfig{Nodes: 3, Own: &own, Seed: seed}.dealOwn(targetClass)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range d.Holdings() {
			got = append(got, fmt.Sprint(h))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("seed %d: nodes hold %s, want %s", seed, got, want)
		}
	}
}

// TestSplit by hand: at least one sample of each kind if there are enough; training comes first.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		split        Split
		n, test, val int
	}{
		{Split{8, 1, 1}, 1, 0, 0}, {Split{8, 1, 1}, 2, 0, 1}, {Split{8, 1, 1}, 3, 1, 1}, {Split{8, 1, 1}, 10, 1, 1},
		{Split{8, 1, 1}, 25, 3, 3}, {Split{0.6, 0.3, 0.1}, 50, 5, 15}, {Split{1, 0, 1}, 5, 3, 0}, {Split{1, 1, 0}, 4, 0, 2},
		{Split{1, 0, 0}, 4, 0, 0}, {Split{1, 0, 9}, 2, 1, 0},
	} {
		if test, val := c.split.parts(c.n); test != c.test || val != c.val {
			t.Errorf("%+v of %d: %d test and %d validation samples, want %d and %d", c.split, c.n, test, val, c.test, c.val)
		}
	}
}

// TestDealOwnErrors checks that errors name the wrong key.
func TestDealOwnErrors(t *testing.T) {
	noGroup := twelve()
	noGroup.Labels = slices.Repeat([]int{0}, 12)
	noGroup.Labels[1] = 1
	other := &data.Table{Name: "other.csv", Features: []string{"row"}, X: []float64{1, 2}, Labels: []int{0, 1},
		Classes: []string{"B", "a"}}
	for _, c := range []struct {
		own     Own
		target  target
		nodes   int
		param   string
		message string
	}{
		{Own{Table: twelve(), ByGroup: true}, targetClass, 3, "data.node_column",
			"2 different values, g0, g1, and 3 nodes"},
		{Own{Table: noGroup, ByGroup: true, Classes: []string{"B", "C"}}, targetClass, 2, "data.node_column",
			`the node "g0" has no row`},
		{Own{Table: twelve()}, targetClass, 13, "", "12 rows of the classes used, and 13 nodes"},
		{Own{Table: twelve(), Sizes: []int{1, 2}}, targetClass, 3, "sizes", "2 sizes, and 3 nodes"},
		{Own{Table: twelve(), Partition: data.Partition{Kind: "dirichlet", Concentration: 1}}, targetNumber, 2, "partition",
			"the targets of this problem are numbers"},
		{Own{Table: twelve(), Test: &data.Table{Name: "t.csv", Features: []string{"other"}}}, targetClass, 1,
			"data.test_file", "t.csv has the features other, and twelve.csv has row"},
		{Own{Table: twelve(), Test: other}, targetClass, 1, "data.test_file",
			`other.csv has the class "a", which twelve.csv has not: its classes are A, B, C; write`},
		{Own{Table: twelve(), Test: other, Classes: []string{"C", "A"}}, targetClass, 1, "data.test_file",
			`other.csv has no sample of the classes C, A; its classes are B, a`},
		{Own{Table: twelve(), Sizes: []int{11, 1}, Split: Split{1, 1, 0}}, targetClass, 2, "", "node 1 gets 1 row of"},
	} {
		if c.own.Split == (Split{}) {
			c.own.Split = Split{Train: 1}
		}
		_, err := TaskConfig{Nodes: c.nodes, Own: &c.own, Seed: 1}.dealOwn(c.target)
		var param *keys.ParamError
		if err == nil || !strings.Contains(err.Error(), c.message) ||
			errors.As(err, &param) != (c.param != "") || param != nil && param.Param != c.param {
			t.Errorf("%s: error %v, want %q", c.message, err, c.param)
		}
	}
	if got := some(strings.Split("a b c d e f g h", " ")); got != "a, b, c, d, e, f, g, h" {
		t.Error(got)
	}
	if got := some(strings.Split("a b c d e f g h i", " ")); got != "a, b, c, d, e, f, g, h and 1 more" {
		t.Error(got)
	}
}

// TestWeighted: nodes with one, two and five samples have equal weight in a mean of squares over the scaled samples.
func TestWeighted(t *testing.T) {
	d := &dealt{nodes: 3, train: newSamples(8, 2), val: newSamples(4, 2), trainAt: []int{0, 1, 3, 8},
		valAt: []int{0, 1, 2, 4}}
	want := [3]float64{} // the means of a², a b and b t over the nodes' own samples
	for k := range 8 {
		a, b, target := float64(k+1), float64(k*k)-7, 0.5-float64(k)
		copy(d.train.row(k), []float64{a, b})
		d.train.t[k] = target
		samples := []float64{1, 2, 2, 5, 5, 5, 5, 5}[k]
		for e, v := range []float64{a * a, a * b, b * target} {
			want[e] += v / samples / 3
		}
	}
	w, got := d.weighted(), [3]float64{}
	for k := range 8 {
		a, b := w.row(k)[0], w.row(k)[1]
		for e, v := range []float64{a * a, a * b, b * w.t[k]} {
			got[e] += v / 8
		}
	}
	for e := range want {
		if !(math.Abs(got[e]-want[e]) <= 1e-12*math.Abs(want[e])) {
			t.Errorf("mean %d is %g, want %g", e, got[e], want[e])
		}
	}
	if got, want := d.counts(), "1 to 5 training and 1 to 2 validation samples"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d = &dealt{nodes: 2, train: newSamples(6, 2), trainAt: []int{0, 3, 6}, valAt: []int{0, 0, 0}}
	if got, want := d.counts(), "3 samples"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.trainAt = nil // all have equally many
	if w := d.weighted(); &w.t[0] != &d.train.t[0] {
		t.Error("equal nodes have their samples copied")
	}
}

// TestAbouts checks the descriptions of data.
func TestAbouts(t *testing.T) {
	for want, p := range map[string]data.Partition{
		"iid": {}, "dirichlet(0.3)": {Kind: "dirichlet", Concentration: 0.3},
		"own-class(0.8)": {Kind: "own-class", Own: 0.8},
		"shards":         {Kind: "shards"},
	} {
		if got := partitionAbout(p); got != want {
			t.Errorf("%+v is called %q, want %q", p, got, want)
		}
	}
	for want, o := range map[string]Own{
		"twelve.csv, 12 rows of 1 features, iid":                            {},
		"twelve.csv, 12 rows of 1 features, by column":                      {ByGroup: true, Sizes: []int{1}},
		"twelve.csv, 12 rows of 1 features, iid, sizes given, standardized": {Sizes: []int{1}, Standardize: true},
		"twelve.csv, 12 rows of 1 features, dirichlet(1), standardized": {
			Partition: data.Partition{Kind: "dirichlet", Concentration: 1}, Standardize: true},
	} {
		o.Table = twelve()
		if got := o.about(TaskConfig{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, s := range map[string]Digits{
		"MNIST digits 3,8 at 28 x 28, iid":              {Classes: []int{3, 8}, Imbalance: 1},
		"MNIST digits 3 at 28 x 28, iid, imbalance 0.5": {Classes: []int{3}, Imbalance: 0.5},
		"Fashion-MNIST classes 0,1 at 28 x 28, iid":     {Name: "Fashion-MNIST", Classes: []int{0, 1}},
	} {
		if got := s.about(28); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	test := &data.Table{Labels: []int{0, 0, 0}}
	for _, c := range []struct {
		own    Own
		target target
		want   [3]float64
	}{
		{Own{Table: twelve()}, targetClass, [3]float64{1, 3, 0}},
		{Own{Table: twelve(), Classes: []string{"A", "C"}, Test: test}, targetClass, [3]float64{1, 2, 3}},
		{Own{Table: twelve()}, targetNumber, [3]float64{1, 1, 0}},
	} {
		if d, classes, n := c.own.size(c.target); [3]float64{d, classes, n} != c.want {
			t.Errorf("%d: %g features, %g classes, %g for tests; want %v", c.target, d, classes, n, c.want)
		}
	}
	for want, names := range map[string][]string{"1 class, A": {"A"}, "2 classes, A, B": {"A", "B"}} {
		if got := classesText(names); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if rowsText(1) != "1 row" || rowsText(2) != "2 rows" {
		t.Errorf("%s, %s", rowsText(1), rowsText(2))
	}
}
