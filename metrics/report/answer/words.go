package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tallynet/metrics"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/list"
	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
)

// wording is how sentences speak of a cost.
type wording struct {
	verb   string // "takes 0.14 s"
	best   string // "is fastest"
	times  string // "3.2 times faster than"
	more   string // "13 % longer"
	as     string // "3.2 times as long"
	amount string // what is needed, if the verb does not imply it: " of energy"
}

// wordingOf returns the wording of a cost or a metric.
func wordingOf(by string) wording {
	c := metrics.FindCost(by)
	switch {
	case by == "time_s":
		return wording{"takes", "is fastest", "faster than", "longer", "as long", ""}
	case by == "payload_bytes":
		return wording{"sends", "sends least", "less than", "more", "as much", ""}
	case by == "gradients":
		return wording{"needs", "needs fewest gradients", "fewer than", "more", "as many", " gradients"}
	case c == nil:
		return wording{"ends with", "ends best in " + by, "better than", "off", "as far off", " " + by}
	case c.Counted():
		return wording{"needs", "needs fewest " + c.Name, "fewer than", "more", "as many", " " + c.Name}
	}
	return wording{"needs", "needs least " + c.Name, "less than", "more", "as much", " of " + c.Name}
}

// Amount writes a cost with two digits and its unit.
func Amount(by string, x float64) string {
	unit := metrics.Number
	if c := metrics.FindCost(by); c != nil {
		unit = c.Unit
	} else if by == "gradients" {
		unit = metrics.Count
	}
	if u := quantity.UnitOf(unit); u != nil {
		return quantity.Value{Number: x, Unit: *u, Digits: 2}.String()
	}
	if unit == metrics.Count {
		return quantity.Count(int64(math.Round(x)))
	}
	return quantity.Float(x, 3)
}

// Factor writes how many times as much: "83", "1.3".
func Factor(x float64) string {
	if x >= 9.95 {
		return quantity.Count(int64(math.Round(x)))
	}
	return fmt.Sprintf("%.1f", x)
}

// percent writes how much more a ratio above 1 is: "13 %", "2.7 %".
func percent(ratio float64) string {
	if p := 100 * (ratio - 1); p < 9.95 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.0f %%", 100*(ratio-1))
}

// byFactor is the ratio from which on a margin is a factor, and not a percentage.
const byFactor = 1.5

// Margin writes a ratio above 1 with its interval: "16 times", or "13 % (95 %: 11 to 15)".
func Margin(r result.Interval) string {
	write := percent
	if float64(r.Value) >= byFactor {
		write = func(x float64) string { return Factor(x) + " times" }
	}
	text := write(float64(r.Value))
	low, high := write(float64(r.Low)), write(float64(r.High))
	if r.N < 2 || !r.Low.Finite() || !r.High.Finite() || low == high {
		return text
	}
	low, _, _ = strings.Cut(low, " ")
	high, _, _ = strings.Cut(high, " ")
	return fmt.Sprintf("%s (95 %%: %s to %s)", text, low, high)
}

// over writes how much more a ratio above 1 is: "13 % longer", or "3.2 times as long".
func (w *wording) over(r result.Interval) string {
	if float64(r.Value) >= byFactor {
		return Margin(r) + " " + w.as
	}
	return Margin(r) + " " + w.more
}

// SentenceCase begins a name with a capital letter.
func SentenceCase(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return strings.TrimSuffix(string(unicode.ToUpper(first)), string(utf8.RuneError)) + name[size:]
}

// sentence begins a sentence with a capital letter, unless that would change the name of a method.
func (g *grid) sentence(text string) string {
	if slices.Contains(g.choose, method) {
		return text
	}
	return SentenceCase(text)
}

// Enumerated joins words: "a, b and c".
func Enumerated(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// some joins at most four words and the number of the others.
func some(words []string) string {
	const most = 4
	if len(words) > most+1 {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", len(words)-most))
	}
	return Enumerated(words)
}

// tell puts an answer into sentences: what was asked for first, then what the other costs say, how many runs got
// there, and where the answer changes. There is no sentence on what is within noise.
func (g *grid) tell(a *result.Answer) []string {
	if g.Runs == 0 {
		return []string{"No runs."}
	}
	var said []string
	if g.Unranked != "" {
		said = append(said, g.Unranked)
	} else {
		if g.effect {
			said = append(said, g.tellEffects(a)...)
		}
		for _, by := range g.q.By {
			if !g.OnlyEffects {
				said = append(said, g.tellBest(a, by))
			}
		}
	}
	leads := g.Unranked == "" && !g.effect && len(said) > 0 && said[0] == "" // nobody arrives in the first cost
	said = slices.DeleteFunc(said, func(s string) bool { return s == "" })
	if len(said) > 0 && len(g.Seeds) == 1 && g.Unranked == "" {
		said[0] = strings.TrimSuffix(said[0], ".") + " (one seed)."
	}
	arrival := g.tellArrival(a)
	if leads && arrival != "" {
		said, arrival = slices.Insert(said, 0, arrival), ""
	}
	if g.q.To != nil && len(said) > 0 && strings.Contains(said[0], g.q.To.String()) { // it has been said
		for i := range said[1:] {
			said[1+i] = strings.Replace(said[1+i], g.q.To.String(), "the target", 1)
		}
		arrival = strings.Replace(arrival, g.q.To.String(), "the target", 1)
	}
	if len(said) == 0 && arrival == "" {
		said = append(said, "No clear difference.")
	}
	if arrival != "" {
		said = append(said, arrival)
	}
	for _, c := range a.Crossovers {
		if c.Method != "grid" && g.Unranked == "" {
			said = append(said, g.tellCrossover(c))
		}
	}
	return said
}

// atMain returns the cells of a cost at the level that was asked for.
func (g *grid) atMain(a *result.Answer, by string) []*result.Cell {
	var cells []*result.Cell
	for i := range a.Cells {
		c := &a.Cells[i]
		if c.By == by && (c.Level == nil || c.Level.Equal(g.Targets[g.Main].Target)) {
			cells = append(cells, c)
		}
	}
	return cells
}

// tellBest names the best choice in a cost, in one setting or over all of them.
func (g *grid) tellBest(a *result.Answer, by string) string {
	settings := len(g.atMain(a, by))
	cells := slices.DeleteFunc(g.atMain(a, by), func(c *result.Cell) bool { return c.Best == 0 })
	if len(cells) > 1 { // there is no best of one
		cells = slices.DeleteFunc(cells, func(c *result.Cell) bool { return len(c.Choices) < 2 })
	}
	switch {
	case len(cells) == 0:
		return ""
	case len(cells) == 1:
		first := g.atMain(a, g.q.By[0])
		if by != g.q.By[0] && len(first) == 1 && first[0].Best == 1 && cells[0].Best == 1 {
			return g.tellOther(cells[0], first[0].Choices[0].Name)
		}
		return g.tellCell(a, cells[0])
	}
	var winners []string
	at := map[string][]*result.Cell{}
	for _, c := range cells {
		who := Enumerated(bestNames(c))
		if at[who] == nil {
			winners = append(winners, who)
		}
		at[who] = append(at[who], c)
	}
	ties := func(who string) int { return min(at[who][0].Best, 2) }
	slices.SortStableFunc(winners, func(x, y string) int {
		return cmp.Or(cmp.Compare(ties(x), ties(y)), cmp.Compare(len(at[y]), len(at[x])))
	})
	w := wordingOf(by)
	var words []string
	for i, who := range winners {
		goal := ""
		if i == 0 {
			goal = g.goal(by)
		}
		switch where := g.where(at[who], settings); {
		case ties(who) > 1:
			words = append(words, who+" tie"+" in "+CostName(by)+goal+" "+where)
		case i == 0:
			words = append(words, who+" "+w.best+goal+" "+where+g.margins(at[who], w))
		default:
			words = append(words, who+" "+where+g.margins(at[who], w))
		}
	}
	if len(winners) > 5 {
		words = append(words[:4], fmt.Sprintf("%d others elsewhere", len(winners)-4))
	}
	return g.sentence(strings.Join(words, "; ") + ".")
}

// goal names the target of a cost: " to grad_norm2 <= 0.1".
func (g *grid) goal(by string) string {
	if !isCost(by) || g.q.To == nil {
		return ""
	}
	return " to " + g.q.To.String()
}

// CostName names what decides.
func CostName(by string) string {
	if c := metrics.FindCost(by); c != nil {
		return c.Name
	}
	return by
}

// bestNames returns the choices that tie for the best, in the order of their names.
func bestNames(c *result.Cell) []string {
	names := c.BestNames()
	slices.Sort(names)
	if len(names) > 4 {
		return []string{some(names)}
	}
	return names
}

// where names some of all cells: "at uplink 10 Gbit/s or 1 Gbit/s". It names only keys that tell them from the others,
// if they are all combinations of these keys' values.
func (g *grid) where(cells []*result.Cell, all int) string {
	if len(cells) == all {
		if len(g.along) == 1 && g.along[0] >= 0 {
			each := g.Keys[g.along[0]].Title
			if each == "nodes" {
				each = "number of nodes"
			}
			return "at each " + each
		}
		return fmt.Sprintf("in all %d settings", all)
	}
	var words []string
	box := 1
	for _, k := range g.along {
		if k < 0 {
			continue
		}
		var values []string
		for _, c := range cells {
			if v, ok := c.At.Get(g.Keys[k].Name); ok {
				if i := slices.Index(g.Keys[k].Values, v); i >= 0 {
					values = list.Add(values, g.Keys[k].Labels[i])
				}
			}
		}
		if box *= len(values); len(values) < len(g.Keys[k].Values) && len(values) > 0 {
			last := len(values) - 1
			list := strings.TrimPrefix(strings.Join(values[:last], ", ")+" or "+values[last], " or ")
			words = append(words, g.worded(k, list))
		}
	}
	named := cells[0].Name == g.nameOfPoint(cells[0])
	if box == len(cells) && len(words) > 0 && !named && !slices.Contains(g.along, method) {
		return "at " + strings.Join(words, " and ")
	}
	if len(cells) > 2 && len(g.along) > 1 {
		return fmt.Sprintf("in %d of %d settings", len(cells), all)
	}
	return "at " + some(list.Map(cells, func(c *result.Cell) string { return c.Name }))
}

// nameOfPoint returns the name of the point of a cell's first choice; "" if points have no names.
func (g *grid) nameOfPoint(c *result.Cell) string {
	k := g.nameKey()
	for i := range g.Points {
		if p := &g.Points[i]; k >= 0 && p.Settings.Equal(c.Choices[0].Point) && p.Values[k] >= 0 {
			return g.Keys[k].Labels[p.Values[k]]
		}
	}
	return ""
}

// margins gives the range of the margins of the winner of some cells, in brackets.
func (g *grid) margins(cells []*result.Cell, w wording) string {
	low, high := math.Inf(1), 0.0
	for _, c := range cells {
		if c.Best != 1 || len(c.Choices) < 2 || !c.Choices[1].Ratio.Value.Finite() || c.Choices[1].Ratio.Value <= 1 {
			return ""
		}
		low, high = min(low, float64(c.Choices[1].Ratio.Value)), max(high, float64(c.Choices[1].Ratio.Value))
	}
	if high < byFactor {
		more := strings.Replace(spread(percent(low), percent(high)), " % to", " to", 1)
		return fmt.Sprintf(" (the next %s %s %s)", w.verb, more, w.more)
	}
	return " (" + spread(twoDigits(low), Factor(high)) + " times " + w.times + " the next)"
}

// spread writes a range.
func spread(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}

// tellCell tells the best choice of a cell with its cost and its margin over the next, or the tie.
func (g *grid) tellCell(a *result.Answer, c *result.Cell) string {
	w := wordingOf(c.By)
	first := &c.Choices[0]
	text := fmt.Sprintf("%s %s %s%s", first.Name, w.verb, Amount(c.By, float64(first.Cost.Value)), w.amount)
	if c.Best > 1 {
		text = fmt.Sprintf("%s tie at %s%s", Enumerated(bestNames(c)), Amount(c.By, float64(first.Cost.Value)), w.amount)
	}
	switch {
	case g.goal(c.By) != "":
		text += g.goal(c.By)
	case isCost(c.By):
		text += " in the whole run"
	}
	if c.Name != "" && c.Level == nil {
		text = c.Name + ": " + text
	}
	if c.Best > 1 {
		return g.sentence(text) + g.split(a, c) + "."
	}
	if len(c.Choices) > 1 && c.Choices[1].Ratio.Value.Finite() && c.Choices[1].Ratio.Value > 1 {
		next := &c.Choices[1]
		if float64(next.Ratio.Value) >= byFactor {
			text += fmt.Sprintf(", %s %s %s, the next", Margin(next.Ratio), w.times, next.Name)
		} else {
			text += fmt.Sprintf("; %s, the next, %s %s", next.Name, Margin(next.Ratio), w.more)
		}
	}
	return g.sentence(text) + "."
}

// tellOther tells the best choice in a further cost, against the one that is best in the first.
func (g *grid) tellOther(c *result.Cell, leader string) string {
	w := wordingOf(c.By)
	first := &c.Choices[0]
	if i := slices.IndexFunc(c.Choices, func(of result.Choice) bool { return of.Name == leader }); i > 0 &&
		c.Choices[i].Ratio.Value.Finite() {
		return g.sentence(fmt.Sprintf("%s %s: %s%s, while %s %s %s, %s.", first.Name, w.best,
			Amount(c.By, float64(first.Cost.Value)), w.amount, leader, w.verb, Amount(c.By, float64(c.Choices[i].Cost.Value)),
			w.over(c.Choices[i].Ratio)))
	}
	if first.Name != leader || len(c.Choices) < 2 || !(c.Choices[1].Ratio.Value > 1) {
		return g.tellCell(nil, c)
	}
	return g.sentence(fmt.Sprintf("%s also %s, with %s%s; %s, the next, %s.", leader, w.best,
		Amount(c.By, float64(first.Cost.Value)), w.amount, c.Choices[1].Name, w.over(c.Choices[1].Ratio)))
}

// split names the choice that is cheapest in the next cost among those that tie.
func (g *grid) split(a *result.Answer, tied *result.Cell) string {
	names := bestNames(tied)
	for i := range a.Cells {
		c := &a.Cells[i]
		if c.By == tied.By || c.Name != tied.Name || wordingOf(c.By).amount != "" {
			continue
		}
		among := slices.DeleteFunc(slices.Clone(c.Choices), func(of result.Choice) bool {
			return !slices.Contains(names, of.Name)
		})
		if len(among) < 2 || !among[0].Cost.Value.Finite() || !among[1].Cost.Value.Finite() {
			continue
		}
		if ratio := float64(among[1].Cost.Value / among[0].Cost.Value); ratio > 1+max(tie, among[0].Resolved) {
			w := wordingOf(c.By)
			return fmt.Sprintf("; %s %s %s, %s %s", among[0].Name, w.verb, Amount(c.By, float64(among[0].Cost.Value)),
				among[1].Name, w.over(result.Interval{Value: jsonio.Real(ratio)}))
		}
	}
	return ""
}
