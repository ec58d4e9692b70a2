package facts

import (
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
)

// Registry is what a paper prints, and what it leaves open.
type Registry struct {
	ID, Cite string
	Answer   string // what the authors say of the outcome; "" if they were not asked
	Verdicts string // the file with the verdicts of full runs; "" if there is none
	Readings []Reading
	Facts    []Fact
}

// Fact is a printed fact, and how it is measured.
type Fact struct {
	result.Fact
	Of    [][]string         // the facts whose measured values it divides: [a, b] for each value
	Why   string             // of a margin other than that of the class
	Heads map[string]float64 // of the column of a cell, by name
}

// Reading is a choice that the paper leaves open.
type Reading struct {
	Name, Open string
	Main       string // the value that the paper's words or its authors' program support; "" if both are silent
	Support    string // what supports it
	Values     []ReadingValue
}

// ReadingValue is a way to read the paper: changes of the scenario, as of a --set.
type ReadingValue struct {
	Name    string
	Changes *keys.Value // a map
}

// Find returns the fact with an ID, or nil.
func (g *Registry) Find(id string) *Fact {
	for i := range g.Facts {
		if g.Facts[i].ID == id {
			return &g.Facts[i]
		}
	}
	return nil
}

// Match returns the facts whose IDs match a pattern such as t1-spdb-*, in the order of the file.
func (g *Registry) Match(pattern string) []*Fact {
	var all []*Fact
	for i := range g.Facts {
		if ok, _ := path.Match(pattern, g.Facts[i].ID); ok {
			all = append(all, &g.Facts[i])
		}
	}
	return all
}

// IDs returns the IDs of all facts.
func (g *Registry) IDs() []string {
	var all []string
	for i := range g.Facts {
		all = append(all, g.Facts[i].ID)
	}
	return all
}

// margins are the margins of the classes, fixed before any run: a number of a table within 10 %, an order or a shape
// that differs by at least 1 %, since less may rest on the recorded step, and bounds and counts without a margin.
var margins = map[result.ClaimClass]float64{result.Number: 0.1, result.Order: 0.01, result.Shape: 0.01}

// relations are the relations of facts that state none.
var relations = map[result.ClaimClass]string{result.Number: result.Equal, result.Order: result.Less,
	result.Shape: result.Less, result.CostFormula: result.Equal, result.Bound: result.AtMost,
	result.LowerBound: result.AtLeast}

// params declares the keys of a registry.
func params() []keys.Param {
	var classes []string
	for _, c := range result.FactClasses() {
		classes = append(classes, string(c))
	}
	number := jsonio.Of("type", []string{"number", "string", "array"})
	common := []keys.Param{
		{Name: "id", Kind: keys.String, Required: true, Example: "t1-order", About: "the name of the fact"},
		{Name: "place", Kind: keys.String, Required: true, Example: "Table I",
			About: "where it is printed: the item, and after a comma the place in it"},
		{Name: "class", Kind: keys.Enum, Required: true, Enum: classes, Example: "number", About: "what kind of fact it is"},
		{Name: "unit", Kind: keys.String, About: "of the value; a number before it is a factor, as in 1000 bytes"},
		{Name: "margin", Kind: keys.Float, Range: keys.AtLeast(0), About: "in place of the margin of the class"},
		{Name: "why", Kind: keys.String, With: "margin", About: "why the margin is another"},
		{Name: "open", Kind: keys.Strings, About: "the readings that it depends on"},
		{Name: "unjudged", Kind: keys.String, About: "why no run judges it"},
	}
	return []keys.Param{
		{Name: "version", Kind: keys.Int, Required: true, Example: "1", About: "the version of the format",
			Range: keys.Between(1, 1)},
		{Name: "paper", Kind: keys.Section, Required: true, Example: "{id: niu, cite: Niu et al.}", About: "the paper",
			Params: []keys.Param{
				{Name: "id", Kind: keys.String, Required: true, Example: "niu", About: "what scenarios call it"},
				{Name: "cite", Kind: keys.String, Required: true, Example: "Niu et al.", About: "how it is cited"},
				{Name: "answer", Kind: keys.String, About: "what its authors say of the outcome"},
				{Name: "verdicts", Kind: keys.Path, About: "the reproduction.json of full runs, which small forms refer to"},
			}},
		{Name: "readings", Kind: keys.Sections, About: "what the paper leaves open", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Required: true, Example: "base", About: "the name of the choice"},
			{Name: "open", Kind: keys.String, Required: true, Example: "base of the logarithm", About: "what is open"},
			{Name: "main", Kind: keys.String, About: "the value that the paper or its authors' program supports"},
			{Name: "support", Kind: keys.String, With: "main", About: "what supports it"},
			{Name: "values", Kind: keys.Any, Custom: true, Required: true, Takes: "names with maps of keys to values",
				Example: "{e: {}, two: {algorithms.spdb.base: 2}}", About: "the ways to read it"},
		}},
		{Name: "tables", Kind: keys.Sections, About: "tables of numbers, whose cells are facts", Params: append(
			slices.Clone(common),
			keys.Param{Name: "columns", Kind: keys.Any, Custom: true, Required: true, Example: "{accuracy: [0.65, 0.7]}",
				Takes: "names with lists of numbers", About: "the heads of the columns"},
			keys.Param{Name: "rows", Kind: keys.Any, Custom: true, Required: true, Example: "{spdb: [320, 410]}",
				Takes: "names with lists of numbers", About: "the rows"})},
		{Name: "facts", Kind: keys.Sections, About: "all other facts", Params: append(slices.Clone(common),
			keys.Param{Name: "says", Kind: keys.String, Required: true, Example: "L-PDBO needs fewer products",
				About: "the fact in words"},
			keys.Param{Name: "value", Kind: keys.Any, Custom: true, Schema: number, Example: "-1/2",
				Takes: "a number, a fraction, a list of them or a formula",
				About: "what is printed; of an order, a shape or a bound what the measured quantity is compared with"},
			keys.Param{Name: "relation", Kind: keys.Enum, Enum: result.Relations(), Derived: "that of the class",
				About: "of what is measured to the value"},
			keys.Param{Name: "of", Kind: keys.String, Example: "t1-spdb-065 / t1-lpdbo-065",
				About: "the ratio of two facts, or of two rows of a table, that it is about"},
			keys.Param{Name: "typed_in", Kind: keys.Strings,
				About: "the keys from which the fact follows, if the scenario sets them: it then holds by construction"},
			keys.Param{Name: "slip", Kind: keys.String, About: "why the paper contradicts itself here"})},
	}
}

// Load reads a registry.
func Load(file string) (*Registry, error) {
	text, err := keys.ReadFile(file)
	if err != nil {
		return nil, err
	}
	src := keys.NewSource(file, text)
	tree, ferr := src.Parse()
	if ferr != nil {
		return nil, ferr
	}
	r := reader{Reader: &keys.Reader{Src: src, Keys: params}}
	a := r.Section("", "", tree, src.At(1, 1), params())
	g := &Registry{}
	if len(r.Errs) == 0 {
		g = r.registry(a)
	}
	if len(r.Errs) > 0 {
		return nil, r.Err()
	}
	return g, nil
}

type reader struct{ *keys.Reader }

func (r *reader) registry(a keys.Args) *Registry {
	p := a.Section("paper")
	g := &Registry{ID: p.String("id"), Cite: p.String("cite"), Answer: p.String("answer")}
	if p.Given("verdicts") {
		g.Verdicts = keys.InFolder(filepath.Dir(r.Src.Name), p.String("verdicts"))
	}
	for _, at := range a.Sections("readings") {
		g.Readings = append(g.Readings, r.reading(at))
	}
	for _, at := range a.Sections("tables") {
		r.table(g, at)
	}
	for _, at := range a.Sections("facts") {
		r.add(g, at, r.fact(g, at))
	}
	for i, at := range a.Sections("facts") {
		f := &g.Facts[len(g.Facts)-len(a.Sections("facts"))+i]
		r.printed(g, at, f)
	}
	return g
}

func (r *reader) reading(a keys.Args) Reading {
	d := Reading{Name: a.String("name"), Open: a.String("open"), Main: a.String("main"), Support: a.String("support")}
	var names []string
	f := a.Field("values")
	if f.Value.Shape != keys.Map || len(f.Value.Fields) < 2 {
		r.WrongKind(a.Path("values"), f.Value, f.KeyPos, "at least two names with maps of keys to values", "")
		return d
	}
	for _, v := range f.Value.Fields {
		names = append(names, v.Key)
		d.Values = append(d.Values, ReadingValue{v.Key, v.Value})
	}
	if d.Main != "" && !slices.Contains(names, d.Main) {
		r.Fail(a.PosOf("main"), a.Path("main"), keys.DidYouMean(d.Main, names), "the reading has no value %s", d.Main)
	}
	if d.Main != "" && d.Support == "" {
		r.Fail(a.PosOf("main"), a.Path("main"), "write support: what the paper or its program says, or leave main out",
			"a main reading is chosen by words or programs, never by the outcome")
	}
	return d
}

// common reads what tables and facts share.
func (r *reader) common(g *Registry, a keys.Args) Fact {
	f := Fact{Why: a.String("why")}
	f.Open = a.Strings("open")
	f.ID, f.Place, f.Unit, f.Unjudged = a.String("id"), a.String("place"), a.String("unit"), a.String("unjudged")
	f.Class = result.ClaimClass(a.String("class"))
	f.Margin, f.Relation = margins[f.Class], relations[f.Class]
	if a.Given("margin") {
		if f.Margin = a.Float("margin"); f.Why == "" {
			r.Fail(a.PosOf("margin"), a.Path("margin"), "write why: the reason", "a margin other than that of the class "+
				"(%v) needs a reason", margins[f.Class])
		}
	}
	for _, name := range f.Open {
		if !slices.ContainsFunc(g.Readings, func(d Reading) bool { return d.Name == name }) {
			r.Fail(a.PosOf("open"), a.Path("open"), "", "there is no reading %s", name)
		}
	}
	return f
}

func (r *reader) add(g *Registry, a keys.Args, f Fact) {
	if g.Find(f.ID) != nil {
		r.Fail(a.PosOf("id"), a.Path("id"), "", "two facts are called %s", f.ID)
	}
	g.Facts = append(g.Facts, f)
}

// table adds a fact for each cell, with the ID table-row-column: t1-spdb-065 of the column 0.65. A cell "-" is empty.
func (r *reader) table(g *Registry, a keys.Args) {
	columns, rows := a.Field("columns").Value, a.Field("rows").Value
	if columns.Shape != keys.Map || len(columns.Fields) == 0 || rows.Shape != keys.Map {
		r.Fail(a.Pos(), a.Path(""), "", "columns and rows are names with lists of numbers")
		return
	}
	heads := columns.Fields[0].Value.Items
	for _, row := range rows.Fields {
		if len(row.Value.Items) != len(heads) {
			r.Fail(row.KeyPos, a.Path("rows"), "", "the row %s has %d values; want %d, one for each column", row.Key,
				len(row.Value.Items), len(heads))
			return
		}
		for k, cell := range row.Value.Items {
			if cell.Text == "-" {
				continue
			}
			f := r.common(g, a)
			f.ID += "-" + row.Key + "-" + strings.ReplaceAll(heads[k].Text, ".", "")
			f.Place += ", " + row.Key + ", " + heads[k].Text
			f.Row, f.Column = row.Key, heads[k].Text
			f.Says = row.Key + " at " + columns.Fields[0].Key + " " + heads[k].Text
			f.Value = r.numbers(a, "rows", cell)
			f.Heads = map[string]float64{}
			for _, c := range columns.Fields {
				if k < len(c.Value.Items) {
					if x := r.numbers(a, "columns", c.Value.Items[k]); x != nil {
						f.Heads[c.Key] = x[0]
					}
				}
			}
			r.add(g, a, f)
		}
	}
}

// numbers returns the numbers of a value: one, or a list. A fraction such as -1/2 is a number.
func (r *reader) numbers(a keys.Args, key string, v *keys.Value) []float64 {
	if v.Shape == keys.List {
		var all []float64
		for _, item := range v.Items {
			all = append(all, r.numbers(a, key, item)...)
		}
		return all
	}
	x, err := fraction(v.Text)
	if v.Shape != keys.Scalar || err != nil {
		r.Fail(v.Pos, a.Path(key), "", "want a number, got %s", keys.Flow(v))
		return nil
	}
	return []float64{x}
}

func fraction(text string) (float64, error) {
	over, under, divided := strings.Cut(text, "/")
	x, err := strconv.ParseFloat(over, 64)
	if err != nil || !divided {
		return x, err
	}
	y, err := strconv.ParseFloat(under, 64)
	return x / y, err
}

var quotient = regexp.MustCompile(`^([a-z0-9-]+) / ([a-z0-9-]+)$`)

func (r *reader) fact(g *Registry, a keys.Args) Fact {
	f := r.common(g, a)
	f.Says, f.Slip, f.Typed = a.String("says"), a.String("slip"), a.Strings("typed_in")
	if a.Given("relation") {
		f.Relation = a.String("relation")
	}
	if v := a.Field("value"); v != nil {
		if _, err := fraction(v.Value.Text); v.Value.Shape == keys.Scalar && err != nil {
			f.Formula = v.Value.Text
		} else {
			f.Value = r.numbers(a, "value", v.Value)
		}
	}
	trend := f.Relation == result.Increases || f.Relation == result.Decreases
	compares := f.Class == result.Order || f.Class == result.Shape
	if f.Value == nil && f.Formula == "" && f.Unjudged == "" && compares && !trend {
		f.Value = []float64{1} // of a ratio
	}
	if f.Class != result.ASetting && f.Unjudged == "" && f.Value == nil && f.Formula == "" && !trend {
		r.Fail(a.Pos(), a.Path(""), "write value: 330, or unjudged: why no run can judge it",
			"the fact %s has no value that a run could be compared with", f.ID)
	}
	if of := a.String("of"); of != "" {
		f.Of = r.ratios(g, a, of)
	}
	return f
}

// ratios returns the pairs of facts that an expression "a / b" names: a and b are facts, or rows of tables.
func (r *reader) ratios(g *Registry, a keys.Args, of string) [][]string {
	m := quotient.FindStringSubmatch(of)
	if m == nil {
		r.Fail(a.PosOf("of"), a.Path("of"), "write of: t1-spdb-065 / t1-lpdbo-065", "want a ratio of two facts")
		return nil
	}
	over, under := g.row(m[1]), g.row(m[2])
	if len(over) == 0 || len(over) != len(under) {
		r.Fail(a.PosOf("of"), a.Path("of"), "", "%s names %d facts, and %s %d, of those before this one", m[1], len(over),
			m[2], len(under))
		return nil
	}
	var all [][]string
	for i := range over {
		all = append(all, []string{over[i].ID, under[i].ID})
	}
	return all
}

// row returns the fact with an ID, or the facts of a row.
func (g *Registry) row(name string) []*Fact {
	if f := g.Find(name); f != nil {
		return []*Fact{f}
	}
	return g.Match(name + "-*")
}

// printed checks a fact about other facts against what is printed for these.
func (r *reader) printed(g *Registry, a keys.Args, f *Fact) {
	var cells []float64
	for _, pair := range f.Of {
		over, under := g.Find(pair[0]), g.Find(pair[1])
		if len(over.Value) != 1 || len(under.Value) != 1 {
			return
		}
		cells = append(cells, over.Value[0]/under.Value[0])
	}
	if cells == nil || f.Slip != "" {
		return
	}
	check := f.Fact
	if f.Class == result.Number { // rounded when it was printed
		check.Margin = 0.02
	}
	if check.Judge(result.Cells(cells...)) == result.Fails {
		var words []string
		for _, c := range cells {
			words = append(words, strconv.FormatFloat(math.Round(c*1e4)/1e4, 'g', -1, 64))
		}
		r.Fail(a.PosOf("of"), a.Path(""), "mend the value, or write slip: what the paper contradicts",
			"%s: the printed values give %s, which is not %s %v", f.ID, strings.Join(words, ", "), f.Relation, f.Value)
	}
}

// Variant names values of readings: base = 10.
type Variant struct {
	Names   []string // of readings
	Values  []string
	Changes []keys.Field // keys of the scenario with their values
}

func (v Variant) String() string {
	var words []string
	for i, name := range v.Names {
		words = append(words, fmt.Sprintf("%s = %s", name, v.Values[i]))
	}
	return strings.Join(words, ", ")
}

// Apart returns the readings whose values differ from those of another variant.
func (v Variant) Apart(o Variant) Variant {
	var apart Variant
	for i, name := range v.Names {
		if v.Values[i] != o.Values[i] {
			apart.Names, apart.Values = append(apart.Names, name), append(apart.Values, v.Values[i])
		}
	}
	return apart
}

// main returns the value of a reading that other readings are compared with: the main one, or the first.
func (d *Reading) main() int {
	return max(0, slices.IndexFunc(d.Values, func(v ReadingValue) bool { return v.Name == d.Main }))
}

// Variants returns the readings that a scenario runs: the main value of each, and the others, one reading at a time.
// A list item "a x b" has all combinations of the two. The first variant is the main one.
func (g *Registry) Variants(list []string) ([]Variant, error) {
	var names []string
	chosen := []map[string]int{{}} // how far each value is from the main one
	for _, item := range list {
		product := []map[string]int{{}}
		for name := range strings.SplitSeq(item, " x ") {
			d := g.reading(name)
			if d == nil {
				return nil, fmt.Errorf("%s has no reading %s", keys.Registry, name)
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			var longer []map[string]int
			for _, c := range product {
				for k := range d.Values {
					c = maps.Clone(c)
					c[name] = k
					longer = append(longer, c)
				}
			}
			product = longer
		}
		chosen = append(chosen, product...)
	}
	var all []Variant
	for _, c := range chosen {
		v := Variant{Names: names}
		for _, name := range names {
			d := g.reading(name)
			value := d.Values[(d.main()+c[name])%len(d.Values)]
			v.Values = append(v.Values, value.Name)
			v.Changes = append(v.Changes, value.Changes.Fields...)
		}
		if !slices.ContainsFunc(all, func(o Variant) bool { return slices.Equal(o.Values, v.Values) }) {
			all = append(all, v)
		}
	}
	return all, nil
}

// reading returns the reading of a name, or nil.
func (g *Registry) reading(name string) *Reading {
	for i := range g.Readings {
		if g.Readings[i].Name == name {
			return &g.Readings[i]
		}
	}
	return nil
}
