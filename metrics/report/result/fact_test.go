package result

import (
	"math"
	"testing"

	"tallynet/metrics/jsonio"
)

func cell(low, value, high float64) PaperCell {
	return PaperCell{Value: jsonio.Real(value), Low: jsonio.Real(low), High: jsonio.Real(high)}
}

// TestJudge: verdicts by class and margin alone, with intervals at, across and beyond the limits.
func TestJudge(t *testing.T) {
	nan := math.NaN()
	number := Fact{Class: Number, Relation: Equal, Value: []float64{100}, Margin: 0.1}
	less := Fact{Class: Order, Relation: Less, Value: []float64{1}, Margin: 0.01}
	alike := Fact{Class: Order, Relation: Equal, Value: []float64{1}, Margin: 0.1}
	bound := Fact{Class: Bound, Relation: AtMost, Value: []float64{-0.5}}
	floor := Fact{Class: LowerBound, Relation: AtLeast, Value: []float64{2}}
	count := Fact{Class: CostFormula, Relation: Equal, Value: []float64{7, 9}}
	grows := Fact{Class: Shape, Relation: Increases}
	zero := Fact{Class: Shape, Relation: AtMost, Value: []float64{0}, Margin: 0.1}
	for _, c := range []struct {
		fact  Fact
		cells []PaperCell
		want  Verdict
	}{
		{number, Cells(109), Holds},
		{number, []PaperCell{cell(50, 110, 200)}, Holds}, // the mean counts
		{number, []PaperCell{cell(90, 115, 140)}, Undecided},
		{number, []PaperCell{cell(111, 115, 140)}, Fails},
		{number, Cells(nan), Undecided},
		{number, nil, Undecided},
		{less, []PaperCell{cell(0.7, 0.8, 0.9)}, Holds},
		{less, []PaperCell{cell(0.7, 0.9, 1.1)}, Undecided},
		{less, []PaperCell{cell(0.99, 0.995, 0.998)}, Undecided}, // by less than 1 %
		{less, Cells(1), Fails},                                  // equal
		{less, []PaperCell{cell(1.1, 1.2, 1.3)}, Fails},
		{alike, []PaperCell{cell(0.95, 1, 1.05)}, Holds},
		{alike, []PaperCell{cell(0.8, 1, 1.2)}, Undecided},
		{alike, []PaperCell{cell(1.2, 1.3, 1.4)}, Fails},
		{bound, []PaperCell{cell(-0.7, -0.6, -0.5)}, Holds},
		{bound, []PaperCell{cell(-0.6, -0.5, -0.4)}, Undecided},
		{bound, []PaperCell{cell(-0.48, -0.42, -0.37)}, Fails},
		{floor, Cells(2, 3), Holds},
		{floor, Cells(1.9, 3), Fails},
		{count, Cells(7, 9), Holds},
		{count, Cells(7, 10), Fails},
		{grows, Cells(1, 2, 3), Holds},
		{grows, Cells(1, 3, 2), Fails},
		{grows, []PaperCell{cell(0, 1, 2), cell(1.5, 2, 3)}, Undecided},
		{zero, Cells(0.05), Holds},
		{zero, Cells(0.2), Fails},
	} {
		if got := c.fact.Judge(c.cells); got != c.want {
			t.Errorf("%s %s %v of %v: %s, want %s", c.fact.Class, c.fact.Relation, c.fact.Value, c.cells, got, c.want)
		}
	}
}

// TestMutations: a changed value, relation or unit changes the verdict of a fact that came out.
func TestMutations(t *testing.T) {
	for _, c := range []struct {
		fact  Fact
		cells []PaperCell
	}{
		{Fact{Class: Number, Relation: Equal, Value: []float64{100}, Margin: 0.1, Unit: "products"}, Cells(101)},
		{Fact{Class: Order, Relation: Less, Value: []float64{1}, Margin: 0.01}, []PaperCell{cell(0.7, 0.8, 0.9)}},
		{Fact{Class: Bound, Relation: AtMost, Value: []float64{-0.5}}, []PaperCell{cell(-0.7, -0.6, -0.55)}},
		{Fact{Class: CostFormula, Relation: Equal, Value: []float64{7}}, Cells(7)},
		{Fact{Class: Shape, Relation: Increases}, Cells(1, 2)},
	} {
		before, reacts := c.fact.Judge(c.cells), 0
		for _, m := range c.fact.Mutations() {
			if m.Judge(c.cells) != before {
				reacts++
			}
		}
		if before != Holds || reacts == 0 {
			t.Errorf("%s: %s, and %d mutations change it", c.fact.Class, before, reacts)
		}
	}
	f := Fact{Class: Number, Relation: Equal, Value: []float64{5}, Unit: "1000 bytes", Place: "Table 2, DAGM"}
	if f.Expected(0) != 5000 || f.Item() != "Table 2" {
		t.Errorf("%v of %s", f.Expected(0), f.Item())
	}
}
