package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/report/answer"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/result"
)

// told returns what changes from A to B. The method, and the point, that changes most comes first.
func (c *comparison) told(a, b *result.Report) (answer.Answer, error) {
	changed, err := changes(a, b)
	if err != nil {
		return answer.Answer{}, err
	}
	equal := 0
	for _, p := range c.pairs {
		if p.a.Hash == p.b.Hash {
			equal++
		}
	}
	if equal == len(c.pairs) {
		text := fmt.Sprintf("A and B are equal: all %d pairs of runs have equal hashes.", equal)
		if equal == 1 {
			text = "A and B are equal: their runs have one hash."
		}
		curves := answer.Picture{View: answer.Curves, Outcome: -1}
		return answer.Answer{Headline: text, Sentences: changed, Picture: curves}, nil
	}
	var all []change
	for i := range c.Groups {
		if c.partner(&c.Groups[i]) != nil {
			all = append(all, c.change(i))
		}
	}
	slices.SortStableFunc(all, func(x, y change) int { return cmp.Compare(y.size, x.size) })
	out := answer.Answer{Headline: all[0].text, Picture: answer.Picture{View: answer.Curves, Outcome: -1}}
	if all[0].size > 0 {
		key := slices.IndexFunc(c.Keys, func(k fold.Key) bool { return k.Name == resultKey })
		out.Picture = answer.Picture{View: answer.Parameter, Outcome: all[0].outcome, Key: key}
	}
	const most = 3
	for _, t := range all[1:min(len(all), 1+most)] {
		out.Sentences = append(out.Sentences, t.text)
	}
	if n := len(all) - 1 - most; n > 0 {
		out.Sentences = append(out.Sentences, fmt.Sprintf("The table has %d more.", n))
	}
	if equal > 0 {
		out.Sentences = append(out.Sentences, fmt.Sprintf("%d of %d pairs of runs are equal, hash for hash.", equal,
			len(c.pairs)))
	}
	out.Sentences = append(out.Sentences, changed...)
	return out, nil
}

// change is the costs of a method in B relative to A.
type change struct {
	text    string
	size    float64 // the logarithm of its largest factor
	outcome int     // that has this factor
}

// change compares group i of A with its partner in B.
func (c *comparison) change(i int) (all change) {
	g := &c.Groups[i]
	who, at, goal := c.Labels[g.Label], fold.TheEnd, ""
	if p := c.rest(g); len(p) > 0 {
		who += " (" + p.Text(" = ") + ")"
	}
	if c.atTarget > 0 {
		at, goal = 0, " to get to "+c.target.String()
	}
	var words []string
	for _, item := range slices.Backward(metrics.Headlines()) {
		d := c.between(i, at, item.ID)
		if d == nil || !d.Ratio.Value.Finite() || d.Ratio.Value <= 0 {
			continue
		}
		span := c.span(d.Ratio)
		if d.AOnly+d.BOnly+d.Neither > 0 {
			span += fmt.Sprintf(" where %s got there", c.reachedByBoth(i, at))
		}
		if r := d.Ratio; r.N > 1 && !(r.Low > 1 || r.High < 1 || r.Low == r.High) {
			words = append(words, "not clearly more or less than "+ratioWords(&item, 1)+span)
			continue
		}
		words = append(words, ratioWords(&item, float64(d.Ratio.Value))+span)
		if size := math.Abs(math.Log(float64(d.Ratio.Value))); size > all.size {
			all.size, all.outcome = size, d.Outcome
		}
	}
	all.text = fmt.Sprintf("Compared with A, %s in B needs %s%s.", who, answer.Enumerated(words), goal)
	if len(words) == 0 {
		all.text = fmt.Sprintf("%s: no two runs, one of A and one of B with the same seed, can be compared.", who)
		if c.atTarget > 0 {
			all.text = fmt.Sprintf("%s reaches %s in too few runs to be compared: %s.", who, c.target, c.reachedByBoth(i, at))
		}
	}
	return all
}

// ratioWords returns a ratio in words: "8.3 times the time", "1.2 times fewer bytes".
func ratioWords(c *metrics.CostItem, ratio float64) string {
	switch {
	case answer.Factor(ratio) == "1.0" && math.Abs(ratio-1) < 0.005:
		return map[bool]string{true: "as many ", false: "as much "}[c.Counted()] + c.Name
	case ratio >= 1.05:
		return answer.Factor(ratio) + " times the " + c.Name
	case ratio <= 1/1.05:
		return strings.TrimSuffix(answer.Less(c, answer.Factor(1/ratio), false), " than ")
	case ratio > 1:
		return fmt.Sprintf("%.1f %% more %s", 100*(ratio-1), c.Name)
	}
	return fmt.Sprintf("%.1f %% %s %s", 100*(1-ratio), answer.Fewer(c), c.Name)
}

// span returns the interval of a ratio, if there are several pairs.
func (c *comparison) span(e fold.Estimate) string {
	if e.N <= 1 || !e.Low.Finite() || e.Low == e.High {
		return ""
	}
	high := "∞"
	if e.High.Finite() {
		high = fmt.Sprintf("%.3g", e.High)
	}
	return fmt.Sprintf(" (B/A %.3g; %.0f %%: %.3g to %s, %d pairs)", e.Value, 100*c.Level, e.Low, high, e.N)
}

// changes returns the differences of the scenarios in words.
func changes(a, b *result.Report) ([]string, error) {
	all, err := Differences(a.Scenario, b.Scenario)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	const most, mostValue = 4, 40
	var words []string
	for _, d := range all[:min(len(all), most)] {
		words = append(words, fmt.Sprintf("%s (%s, then %s)", d.Key, escape.Middle(d.A, mostValue),
			escape.Middle(d.B, mostValue)))
	}
	text := "The scenarios differ in " + answer.Enumerated(words)
	if n := len(all) - most; n > 0 {
		text = fmt.Sprintf("The scenarios differ in %s and %d more keys", strings.Join(words, ", "), n)
	}
	return []string{text + "."}, nil
}
