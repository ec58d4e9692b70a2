package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"tallynet/metrics"
	"tallynet/metrics/escape"
	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/fold"
	"tallynet/metrics/report/quantity"
)

// Answer states the result of a study for reading in ten seconds.
type Answer struct {
	Headline  string
	Sentences []string // at most five
	Picture   Picture
}

// Lines returns the headline and the sentences.
func (a *Answer) Lines() []string {
	if a.Headline == "" {
		return a.Sentences
	}
	return append([]string{a.Headline}, a.Sentences...)
}

// Picture selects the view that shows the headline.
type Picture struct {
	View    View
	Outcome int // of the summary, of a view of outcomes; -1: any
	Key     int // of the summary, of a view over a parameter
}

// View is a way to look at a study.
type View string

// The views that a headline may open.
const (
	Curves    View = "curves"    // convergence
	Parameter View = "parameter" // an outcome over a key
	MadeOf    View = "path"      // the parts of the runs' time
)

// maxAnswer is the number of sentences after the headline.
const maxAnswer = 5

// teller puts a summary into a few sentences. It ranks costs to one target: the first that was
// asked for or, without any, the accuracy that all runs reached.
type teller struct {
	*answer
	keys   []string // the full names of the keys, which have short ones here
	target int      // fold.TheEnd: costs of whole runs
	goal   string   // "to grad_norm2 <= 0.1", or ""
	ranked bool     // costs may be compared
	asked  []string // the words of the study's question, in small letters
	why    string   // they are not, or what else is to be said of the target
}

// fact is a sentence with the picture that shows it.
type fact struct {
	text    string
	picture Picture
}

// tell chooses the headline by the study's question, and the sentences that follow.
func (t *teller) tell() Answer {
	if t.Runs == 0 {
		return Answer{Sentences: []string{"No runs."}}
	}
	var facts []fact
	add := func(f fact, ok bool) {
		if ok {
			facts = append(facts, f)
		}
	}
	missed := t.failures()
	if t.ranked {
		for _, k := range t.byWorth() {
			switch {
			case t.isNetwork(k):
				add(t.sensitivity())
			case len(t.Keys[k].Numbers) > 2:
				add(t.growth(k))
			default:
				add(t.bestValue(k))
			}
		}
		for _, c := range metrics.Headlines() {
			if !c.PerMethod {
				add(t.lead(&c))
			}
		}
	}
	add(t.single())
	compared := len(facts)
	add(t.waits())
	facts = slices.CompactFunc(facts, func(a, b fact) bool { return a.text == b.text })
	var a Answer
	switch {
	case t.nobody() || len(facts) == 0:
		a.Headline, a.Picture = t.none(), Picture{View: Curves}
	case len(missed) > 0 && compared == 0:
		a.Headline, a.Picture, missed = missed[0], Picture{View: Curves}, missed[1:]
	default:
		a.Headline, a.Picture = facts[0].text, facts[0].picture
		facts = facts[1:]
	}
	a.Sentences = append(a.Sentences, missed...)
	if t.why != "" {
		a.Sentences = append(a.Sentences, t.why)
	}
	for _, f := range facts {
		text := f.text
		if t.goal != "" && strings.Contains(a.Headline, t.goal) { // it has been said
			text = strings.Replace(text, t.goal, " to the target", 1)
		}
		a.Sentences = append(a.Sentences, text)
	}
	a.Sentences = a.Sentences[:min(len(a.Sentences), maxAnswer)]
	return a
}

// byWorth returns the axes, starting with those that the question names. The likely subjects of a study follow:
// sizes, then the network and the machines, then the graph, then the rest.
func (t *teller) byWorth() []int {
	worth := func(k int) int {
		name := t.keys[k]
		switch {
		case name == "topology.nodes" || strings.HasPrefix(name, "problem.") && len(t.Keys[k].Numbers) > 2:
			return 0
		case t.isNetwork(k):
			return 1
		case strings.HasPrefix(name, "topology") || name == fold.NameKey:
			return 2
		}
		return 3
	}
	order := t.Axes()
	slices.SortStableFunc(order, func(a, b int) int {
		if p, q := t.named(a), t.named(b); p != q {
			return map[bool]int{true: -1, false: 1}[p]
		}
		return worth(a) - worth(b)
	})
	return order
}

// named reports whether the study's question names a key: a word of the question begins with a common word for
// the key, as placement does with place.
func (t *teller) named(k int) bool {
	_, last, inSection := strings.Cut(t.keys[k], ".")
	if !inSection {
		last = t.keys[k]
	}
	stems := []string{last[strings.LastIndexByte(last, '.')+1:]}
	if t.keys[k] == "topology.kind" || t.keys[k] == "topology" {
		stems = []string{"graph", "topolog"}
	}
	return slices.ContainsFunc(t.asked, func(word string) bool {
		return slices.ContainsFunc(stems, func(stem string) bool { return len(stem) > 3 && strings.HasPrefix(word, stem) })
	})
}

// questions returns the words of the sentences that end with a question mark, in lower case.
func questions(about string) []string {
	var words []string
	for sentence := range strings.SplitAfterSeq(strings.ToLower(strings.Join(strings.Fields(about), " ")), "?") {
		asked, question := strings.CutSuffix(sentence, "?")
		if !question {
			continue
		}
		asked = asked[strings.LastIndex(asked, ". ")+1:]
		words = append(words, strings.FieldsFunc(asked, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' })...)
	}
	return words
}

// isNetwork reports whether a key belongs to the network or the machines: it determines
// the time of messages and computing.
func (t *teller) isNetwork(k int) bool {
	section, _, _ := strings.Cut(t.keys[k], ".")
	return slices.Contains([]string{"network", "compute", "platform", "wire"}, section)
}

// outcome returns the index of a cost to the target; -1 if the summary lacks it.
func (t *teller) outcome(id string) int {
	want := "totals." + id
	switch {
	case t.target >= 0:
		want = fmt.Sprintf("to[%d].%s", t.target, id)
	case id == "iterations":
		want = id
	}
	return slices.IndexFunc(t.Outcomes, func(o fold.Outcome) bool { return o.ID == want })
}

// value is a group's cost; it is not finite if too few runs reached the target.
func (t *teller) value(group, outcome int) float64 {
	return float64(t.Groups[group].Values[outcome].Value)
}

// nobody reports whether no run ended well, or none reached the target.
func (t *teller) nobody() bool {
	o := t.outcome("iterations")
	return o < 0 || !slices.ContainsFunc(t.Groups, func(g fold.Group) bool {
		return g.Ended > 0 && (t.target < 0 || g.Values[o].Reached > 0)
	})
}

// none reports that there is no result.
func (t *teller) none() string {
	ended := slices.ContainsFunc(t.Groups, func(g fold.Group) bool { return g.Ended > 0 })
	if !ended || t.target < 0 {
		return "No run ended well: " + t.Statuses.String() + "."
	}
	return fmt.Sprintf("No run reached %s (%s).", t.Targets[t.target].Name, t.Statuses.String())
}

// failures names the methods that did not always reach the target.
func (t *teller) failures() []string {
	if out := append(t.attained(), t.neverFinite()...); len(out) > 0 {
		return out[:min(len(out), 2)]
	}
	if bad := t.Statuses.String(); len(t.Targets) == 0 && slices.ContainsFunc(t.Groups,
		func(g fold.Group) bool { return g.Ended < g.Runs }) {
		return []string{"Not every run ended well: " + bad + "."}
	}
	return nil
}

// single states one method's cost if there is nothing to compare.
func (t *teller) single() (fact, bool) {
	if len(t.Groups) != 1 {
		return fact{}, false
	}
	var parts []string
	for _, c := range metrics.Headlines() {
		o := t.outcome(c.ID)
		if o < 0 || !(t.value(0, o) > 0) {
			continue
		}
		m := t.Groups[0].Values[o]
		text := quantity.Amount(t.Outcomes[o].Unit, float64(m.Value))
		if quantity.UnitOf(c.Unit) == nil {
			text += " " + c.Name
		}
		parts = append(parts, text+t.interval(m.Estimate, func(x jsonio.Real) string {
			return quantity.Amount(t.Outcomes[o].Unit, float64(x))
		}))
	}
	if len(parts) == 0 {
		return fact{}, false
	}
	verb := " ends after "
	if t.target >= 0 {
		verb = " gets" + t.goal + " after "
	}
	return fact{t.Labels[0] + verb + Enumerated(parts) + t.shares(t.outcome("iterations")) + ".",
		Picture{View: Curves}}, true
}

// interval returns " (95 %: 14–18, 10 seeds)", or the reason why there is none.
func (t *teller) interval(e fold.Estimate, show func(jsonio.Real) string) string {
	switch {
	case e.N <= 1:
		return " (one seed)"
	case !e.Low.Finite():
		return fmt.Sprintf(" (%d seeds, no interval)", e.N)
	case !e.High.Finite():
		return fmt.Sprintf(" (%.0f %%: %s or more, %d seeds)", 100*t.Level, show(e.Low), e.N)
	case show(e.Low) == show(e.High):
		return fmt.Sprintf(" (the same with %d seeds)", e.N)
	}
	return fmt.Sprintf(" (%.0f %%: %s, %d seeds)", 100*t.Level, interval(show(e.Low), show(e.High)), e.N)
}

// shares says in how many runs the methods have an outcome, where not in all: "; DGD got there in 3 of 4 runs".
func (t *teller) shares(outcome int) string {
	text := ""
	for label, name := range t.Labels {
		n, all := 0, 0
		for _, g := range t.Groups {
			if m := g.Values[outcome]; g.Label == label {
				n, all = n+m.Reached, all+m.Reached+m.Censored
			}
		}
		if n < all {
			text += fmt.Sprintf("; %s got there in %d of %d runs", name, n, all)
		}
	}
	return text
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

// Factor writes how many times as much: "83", "1.3".
func Factor(x float64) string {
	switch {
	case x >= 99.5:
		return quantity.Count(int64(math.Round(x)))
	case x >= 9.95:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1f", x)
}

// span writes a range of factors.
func span(low, high float64) string {
	if a, b := Factor(low), Factor(high); a != b {
		return a + " to " + b
	}
	return Factor(low)
}

// Options supplies facts that a summary lacks.
type Options struct {
	About string // the study's question
	// Unranked means that costs may not be compared. Why is the reason, or a remark on the target.
	Unranked bool
	Why      string
}

// Of puts a summary into words.
func Of(s *fold.Summary, o Options) Answer {
	t := newTeller(s)
	t.asked, t.why, t.ranked = questions(o.About), o.Why, !o.Unranked
	return t.tell()
}

// answer is a summary as it is put into words.
type answer struct{ *fold.Summary }

// Shortened returns the summary with names that are short enough for people.
func Shortened(s *fold.Summary) *fold.Summary {
	short := *s
	short.Labels, short.Keys, short.Points = escape.Names(s.Labels), slices.Clone(s.Keys), slices.Clone(s.Points)
	for k := range short.Keys {
		short.Keys[k].Values = escape.Names(s.Keys[k].Values)
	}
	for p := range short.Points {
		short.Points[p].Name = short.PointName(p, -1)
	}
	return &short
}

// newTeller returns the teller of a summary, whose keys get short names.
func newTeller(s *fold.Summary) *teller {
	t := &teller{answer: &answer{Shortened(s)}, keys: s.KeyNames(), target: fold.TheEnd, ranked: true}
	for k := range t.Keys {
		t.Keys[k].Name = fold.ShortKey(t.keys[k], t.keys)
	}
	for p := range t.Points {
		t.Points[p].Name = t.PointName(p, -1)
	}
	if len(s.Targets) > 0 {
		t.target, t.goal = 0, " to "+s.Targets[0].Name
	}
	return t
}
