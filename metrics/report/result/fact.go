package result

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
)

// The classes of what a paper prints. A verdict follows from the class and the margin of a fact alone.
const (
	Number      ClaimClass = "number"       // a value that a run should come to, within a margin
	Order       ClaimClass = "order"        // one quantity against another
	Shape       ClaimClass = "shape"        // how a quantity runs, or where it ends
	CostFormula ClaimClass = "cost-formula" // a count, met exactly or not at all
	Bound       ClaimClass = "bound"        // an upper bound: a run can only be consistent with it
	LowerBound  ClaimClass = "lower-bound"  // the same from below, for every value
	ASetting    ClaimClass = "setting"      // what an experiment of the paper sets
)

// FactClasses returns the classes of facts.
func FactClasses() []ClaimClass {
	return []ClaimClass{Number, Order, Shape, CostFormula, Bound, LowerBound, ASetting}
}

// Fact is what a paper prints at one place, as the paper's registry has it.
type Fact struct {
	ID       string     `json:"id"`
	Place    string     `json:"place"` // "Table I, SPDB, 0.65"; the item is what precedes the first comma
	Class    ClaimClass `json:"class"`
	Says     string     `json:"says"`              // in words
	Value    []float64  `json:"value,omitempty"`   // in the unit; of an order or a shape, what the relation compares with
	Formula  string     `json:"formula,omitempty"` // in place of the value
	Row      string     `json:"row,omitempty"`     // of a cell of a table
	Column   string     `json:"column,omitempty"`
	Relation string     `json:"relation,omitempty"`
	Unit     string     `json:"unit,omitempty"` // a number before it is a factor, as in "1000 bytes"
	Margin   float64    `json:"margin"`         // relative to the value; absolute where the value is 0
	Open     []string   `json:"open,omitempty"` // readings that it depends on
	Typed    []string   `json:"typed_in,omitempty"`
	Slip     string     `json:"slip,omitempty"`     // why it contradicts other facts of the paper
	Unjudged string     `json:"unjudged,omitempty"` // why nothing judges it
}

// The relations of what is measured to the values of a fact.
const (
	Equal     = "="
	Less      = "<"
	More      = ">"
	AtMost    = "<="
	AtLeast   = ">="
	Increases = "increases" // from each value measured to the next
	Decreases = "decreases"
)

// Relations returns the relations.
func Relations() []string { return []string{Equal, Less, More, AtMost, AtLeast, Increases, Decreases} }

// Item returns the table, figure or statement that has the fact.
func (f *Fact) Item() string {
	item, _, _ := strings.Cut(f.Place, ",")
	return item
}

// Expected returns the i-th printed value in the plain unit; the last one stands for all that follow.
func (f *Fact) Expected(i int) float64 {
	if len(f.Value) == 0 {
		return math.NaN()
	}
	factor := 1.0
	if head, _, ok := strings.Cut(f.Unit, " "); ok {
		if x, err := strconv.ParseFloat(head, 64); err == nil {
			factor = x
		}
	}
	return factor * f.Value[min(i, len(f.Value)-1)]
}

// Judge compares what was measured with the fact: one cell for each value, or for the single value that all are
// compared with. The verdict is the worst of all cells.
func (f *Fact) Judge(cells []PaperCell) Verdict {
	if len(cells) == 0 {
		return Undecided
	}
	if f.Relation == Increases || f.Relation == Decreases {
		return f.judgeTrend(cells)
	}
	worst := Holds
	for i, c := range cells {
		low, value, high := c.interval()
		switch f.judgeCell(low, value, high, f.Expected(i)) {
		case Fails:
			return Fails
		case Undecided:
			worst = Undecided
		}
	}
	return worst
}

// interval returns the ends of the cell's interval and its value. A number is an interval of width 0.
func (c PaperCell) interval() (low, value, high float64) {
	low, value, high = float64(c.Low), float64(c.Value), float64(c.High)
	if math.IsNaN(low) || math.IsNaN(high) {
		low, high = value, value
	}
	return low, value, high
}

func (f *Fact) judgeCell(low, value, high, printed float64) Verdict {
	if math.IsNaN(value) || math.IsNaN(printed) {
		return Undecided
	}
	span := f.Margin * math.Abs(printed)
	if printed == 0 {
		span = f.Margin
	}
	within := low <= printed+span && high >= printed-span
	switch f.Relation {
	case Less, More:
		if f.Relation == Less {
			low, value, high, printed = -high, -value, -low, -printed
		}
		return decide(low > printed+span, high <= printed-span || low == printed && high == printed)
	case AtMost:
		return decide(high <= printed+span, low > printed+span)
	case AtLeast:
		return decide(low >= printed-span, high < printed-span)
	}
	if f.Class == Number { // a mean within the margin is enough
		return decide(math.Abs(value-printed) <= span, !within)
	}
	return decide(low >= printed-span && high <= printed+span, !within)
}

func decide(yes, no bool) Verdict {
	switch {
	case yes:
		return Holds
	case no:
		return Fails
	}
	return Undecided
}

// judgeTrend compares each cell with the next.
func (f *Fact) judgeTrend(cells []PaperCell) Verdict {
	if len(cells) < 2 {
		return Undecided
	}
	if f.Relation == Decreases {
		cells = slices.Clone(cells)
		slices.Reverse(cells)
	}
	worst := Holds
	for i := range cells[1:] {
		low, value, high := cells[i].interval()
		nextLow, next, nextHigh := cells[i+1].interval()
		switch {
		case !(next > value) || nextHigh <= low:
			return Fails
		case nextLow <= high:
			worst = Undecided
		}
	}
	return worst
}

// Mutations returns the fact with its printed value or its relation changed so that a verdict should notice: the
// value doubled and halved (an exponent or a level of a bound one more and one less), the relation reversed, the unit
// ten times as large.
func (f *Fact) Mutations() []Fact {
	var all []Fact
	change := func(of func(*Fact)) {
		m := *f
		m.Value = slices.Clone(f.Value)
		of(&m)
		all = append(all, m)
	}
	values := func(of func(float64) float64) {
		change(func(m *Fact) {
			for i, x := range m.Value {
				m.Value[i] = of(x)
			}
		})
	}
	if len(f.Value) > 0 {
		if f.Class == Bound || f.Class == LowerBound {
			values(func(x float64) float64 { return x + 1 })
			values(func(x float64) float64 { return x - 1 })
		} else {
			values(func(x float64) float64 { return 2 * x })
			values(func(x float64) float64 { return x / 2 })
		}
		change(func(m *Fact) { m.Unit = "10 " + m.Unit })
	}
	reversed := map[string]string{Less: More, More: Less, AtMost: AtLeast, AtLeast: AtMost, Increases: Decreases,
		Decreases: Increases}
	if r := reversed[f.Relation]; r != "" {
		change(func(m *Fact) { m.Relation = r })
	}
	return all
}

// Cells returns plain numbers as cells.
func Cells(numbers ...float64) []PaperCell {
	var all []PaperCell
	for _, x := range numbers {
		all = append(all, PaperCell{Value: jsonio.Real(x), Low: jsonio.Real(math.NaN()), High: jsonio.Real(math.NaN())})
	}
	return all
}

// String returns the number in four digits, with its interval, or the text.
func (c PaperCell) String() string {
	low, value, high := c.interval()
	switch {
	case c.Text != "":
		return c.Text
	case low == high || math.IsNaN(value):
		return strconv.FormatFloat(value, 'g', 4, 64)
	}
	return fmt.Sprintf("%.4g [%.4g, %.4g]", value, low, high)
}
