package present

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/metrics"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/scenariotest"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
	"tallynet/sim/slow"
)

// Patterns of sentences in which the name of a choice is one rune.
const (
	aName   = `[\x{E000}-\x{F8FF}]`
	aNumber = `\b(\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?)`
	aMargin = `(?:` + aNumber + ` to )?` + aNumber + ` (times|%)(?: \(95 %: ` + aNumber + ` to ` + aNumber + `\))?`
)

var (
	names   = regexp.MustCompile(aName)
	amounts = regexp.MustCompile(`(?:tie at )?` + aNumber + `(?: (?:([fpnµmkMGTPEZY]?)(s|B|J|bit/s|FLOP/s)\b|[a-z]+))?`)
	factors = regexp.MustCompile(`(?:` + aNumber + ` to )?(?:` + aNumber + `|the same) for (` + aName + `(?:, | and |` +
		aName + `)*)`)
	limits    = regexp.MustCompile(`(` + aName + `) \(` + aMargin + ` at ([^)]*)\)`)
	margins   = regexp.MustCompile(aMargin + `(?: \w+ than (` + aName + `|the next))?`)
	arrivals  = regexp.MustCompile(`(` + aName + `) (?:in (\d+) of (\d+) runs|never)(?: \(([^)]*)\))?`)
	more      = regexp.MustCompile(`(\d+) (?:more|others)`)
	nextTakes = regexp.MustCompile(`the next \w+ (?:with )?$`)
	digit     = regexp.MustCompile(`(?:^|[^\w])\d`)
	winners   = regexp.MustCompile(`^(` + aName + `(?:(?:, | and )` + aName + `)*)(?: and (\d+) more)?`)
	settings  = regexp.MustCompile(`in (\d+) of (\d+) settings|in all (\d+) settings|at each `)
)

// says reports whether a number rounds to some digits. A percentage is what a ratio has above 1.
func says(digits, prefix string, x float64) bool {
	mantissa, power, _ := strings.Cut(strings.ReplaceAll(digits, ",", ""), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	v, _ := strconv.ParseFloat(mantissa, 64)
	e, _ := strconv.Atoi(power)
	if prefix == "%" {
		x, prefix = 100*(x-1), ""
	}
	e += 3 * (strings.Index("fpnum kMGTPEZY", cmp.Or(strings.Replace(prefix, "µ", "u", 1), " ")) - len("fpnum"))
	return math.Abs(v*math.Pow10(e)-x) <= (0.5+1e-6)*math.Pow10(e-len(fraction))
}

// saysRatio reports whether a margin is a ratio with its interval, of which a text need not have the latter.
func saysRatio(m []string, r [3]float64) bool {
	unit := strings.Trim(m[3], "times")
	return says(m[2], unit, r[0]) && (m[4] == "" || says(m[4], unit, r[1]) && says(m[5], unit, r[2]))
}

// telling is a sentence under check.
type telling struct {
	*recount
	sentence, text string   // as it is, and what is not explained yet, with runes for names
	names          []string // of the choices, by rune
}

// checkSentence checks each number of a sentence, and that what it calls the best is.
func (c *recount) checkSentence(sentence string, first bool) {
	s := &telling{recount: c, sentence: sentence, text: sentence}
	s.takeNames()
	bounds := 0
	if c.q.To != nil {
		for _, b := range c.q.To.Conditions {
			level := regexp.MustCompile(b.Metric + `[^\pL\d]*` + aNumber)
			s.text = level.ReplaceAllStringFunc(s.text, func(text string) string {
				if v, _ := strconv.ParseFloat(level.FindStringSubmatch(text)[1], 64); v != b.Value {
					return text // some other value of the metric
				}
				bounds++
				return ""
			})
		}
	}
	switch {
	case strings.HasPrefix(s.text, "No target"):
		ends := map[string]bool{}
		for _, r := range c.Runs {
			ends[fmt.Sprint(r.Final.Values)] = true
		}
		s.require(c.q.To == nil && len(ends) > 1, "%q, but the runs end alike", sentence)
		return
	case strings.HasPrefix(s.text, "No clear difference"):
		for _, cell := range c.main(c.q.By[0]) {
			s.require(cell.Best != 1 || len(cell.Choices) == 1, "%q, but there is in %s", sentence, cell.Name)
		}
		return
	case strings.HasPrefix(s.text, "The best parameters"):
		s.edges()
	case strings.HasPrefix(s.text, "Not every"):
		s.arrivals()
	case strings.Contains(s.text, "beyond it") || strings.Contains(s.text, "above it"):
		s.crossover()
	case s.effects() == 0:
		s.wins(first)
	}
	s.require(!first || c.q.To == nil || isMetric(c.q.By[0]) || bounds >= len(c.q.To.Conditions),
		"%q does not say to what accuracy", sentence)
	s.labelsIn(&s.text)
	s.require(!digit.MatchString(s.text), "%q: nothing explains %q", sentence, s.shown(s.text))
}

// takeNames makes the names of choices runes, the longest first.
func (s *telling) takeNames() {
	for _, cell := range s.Answer.Cells {
		for _, x := range cell.Choices {
			s.names = append(s.names, x.Name)
		}
	}
	slices.SortFunc(s.names, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	s.names = slices.Compact(s.names)
	for i, name := range s.names {
		p := regexp.MustCompile(`(^|[^\pL\d])(?i:` + regexp.QuoteMeta(name) + `)($|[^\pL\d])`)
		for range 2 { // neighbours share what is between them
			s.text = p.ReplaceAllString(s.text, "${1}"+string(rune(0xE000+i))+"${2}")
		}
	}
}

// named returns the names in a text, in order.
func (s *telling) named(text string) (all []string) {
	for _, r := range names.FindAllString(text, -1) {
		all = append(all, s.names[[]rune(r)[0]-0xE000])
	}
	return all
}

// shown returns a text with names for runes.
func (s *telling) shown(text string) string {
	return names.ReplaceAllStringFunc(text, func(r string) string { return s.named(r)[0] })
}

// explain takes what a pattern matches out of the text, and requires that it is right after what is before it.
func (s *telling) explain(p *regexp.Regexp, right func(before string, m []string) bool) (n int) {
	for at := p.FindStringSubmatchIndex(s.text); at != nil; at = p.FindStringSubmatchIndex(s.text) {
		before, m := s.text[:at[0]], p.FindStringSubmatch(s.text)
		s.require(right(before, m), "%q: %q is wrong", s.sentence, s.shown(m[0]))
		s.text = before + "·" + names.FindString(m[0]) + s.text[at[1]:]
		n++
	}
	return n
}

// labelsIn takes the labels of swept values and of points out of a text, the longest first, and returns them.
func (s *telling) labelsIn(text *string) (found []string) {
	var all []string
	for _, h := range s.held {
		all = append(all, cmp.Or(h.runs[0].PointName, "no name"))
		for _, set := range h.point {
			all = append(all, s.label(set))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	for _, label := range slices.Compact(all) {
		p := regexp.MustCompile(`(^|[^\pL\d.-])` + regexp.QuoteMeta(label) + `($|[^\pL\d/.,]|[.,](?:\D|$))`)
		for ; p.MatchString(*text); found = append(found, label) {
			*text = p.ReplaceAllString(*text, "$1·$2")
		}
	}
	return found
}

// main returns the cells of a cost at the accuracy that was asked for.
func (c *recount) main(by string) (cells []*result.Cell) {
	for i := range c.Answer.Cells {
		if cell := &c.Answer.Cells[i]; cell.By == by && (cell.Level == nil || cell.Level.Equal(*c.q.To)) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// arrivals checks how many runs got there, how the others ended, and that no choice is left out.
func (s *telling) arrivals() {
	late := map[string][2]int{}
	for _, cell := range s.main(s.q.By[0]) {
		for _, x := range cell.Choices {
			late[x.Name] = [2]int{late[x.Name][0] + x.Arrived, late[x.Name][1] + x.Runs}
		}
	}
	maps.DeleteFunc(late, func(_ string, n [2]int) bool { return n[0] == n[1] })
	s.explain(arrivals, func(_ string, m []string) bool {
		who := s.named(m[1])[0]
		n, missed := late[who]
		delete(late, who)
		ended, best, _ := strings.Cut(m[4], "at best ")
		ok := missed && (n[0] == 0 && m[2] == "" || m[2] == strconv.Itoa(n[0]) && m[3] == strconv.Itoa(n[1]))
		for part := range strings.SplitSeq(strings.Trim(ended, "; "), ", ") {
			digits, status, is := strings.Cut(part, " ")
			runs := slices.DeleteFunc(s.runsOf(who), func(r *result.Run) bool { return string(r.Status) != status })
			ok = ok && (!is || digits == strconv.Itoa(len(runs)))
		}
		for part := range strings.SplitSeq(best, " and ") {
			metric, digits, is := strings.Cut(part, " ")
			ok = ok && (!is || metric == "no" || says(digits, "", s.closest(s.runsOf(who), metric)))
		}
		return ok
	})
	others := 0
	s.explain(more, func(_ string, m []string) bool {
		others, _ = strconv.Atoi(m[1])
		return others == len(late)
	})
	s.require(len(late) == others, "%q leaves out %v", s.sentence, late)
}

// edges checks which parameters are the least or the largest that a tuning tried, of three or more.
func (s *telling) edges() {
	s.text = s.shown(s.text)
	for _, r := range s.Runs {
		for _, chosen := range r.Parameters {
			tried := map[float64]bool{}
			for _, trial := range cmp.Or(r.Tuning, new(result.Tuning)).Trials {
				if text, is := trial.Parameters.Get(chosen.Key); is {
					v, _ := strconv.ParseFloat(text, 64)
					tried[v] = true
				}
			}
			values := slices.Sorted(maps.Keys(tried))
			v, _ := strconv.ParseFloat(chosen.Text(), 64)
			if n := len(values); n > 2 && (v == values[0] || v == values[n-1]) {
				s.text = strings.Replace(s.text, chosen.Key+" "+chosen.Text(), "", 1)
			}
		}
	}
	for _, r := range s.Runs {
		s.text = strings.ReplaceAll(s.text, r.Label, "")
	}
}

// runsOf returns the runs of a choice in all settings.
func (s *telling) runsOf(name string) (runs []*result.Run) {
	for _, h := range s.held {
		if slices.ContainsFunc(s.Answer.Cells, func(cell result.Cell) bool {
			x := choice(&cell, name)
			return x != nil && s.place(s.of(x.Method, x.Point)) == s.place(h)
		}) {
			runs = append(runs, h.runs...)
		}
	}
	return runs
}

// closest returns the best value of a metric after the start of some runs.
func (s *telling) closest(runs []*result.Run, metric string) float64 {
	values := []float64{}
	for _, r := range runs {
		for _, sample := range r.Samples {
			if v := sample.Values[slices.Index(r.Metrics, metric)]; sample.Iteration > 0 && !none(v) {
				values = append(values, v)
			}
		}
	}
	if slices.Contains(s.more, metric) {
		return slices.Max(values)
	}
	return slices.Min(values)
}

// crossover finds the one that a sentence is about.
func (s *telling) crossover() {
	of := s.named(s.text)
	s.require(slices.ContainsFunc(s.Answer.Crossovers, func(x result.Crossover) bool {
		text := s.text
		for _, m := range amounts.FindAllStringSubmatch(text, -1) {
			if slices.ContainsFunc([]float64{x.Value, x.Low, x.High, float64(x.Seeds), float64(x.Of)}, func(v float64) bool {
				return says(m[1], m[2], v)
			}) {
				text = strings.Replace(text, m[0], "·", 1)
			}
		}
		s.labelsIn(&text)
		return len(of) == 2 && of[0] == x.Below && of[1] == x.Above && !digit.MatchString(text)
	}), "%q is no crossover of the model", s.sentence)
	s.text = ""
}

// effects checks factors of effects, and returns how many there are.
func (s *telling) effects() int {
	of := func(name string, values []string) (found []result.Interval) {
		for _, e := range s.Answer.Effects {
			if e.By == s.q.By[0] && e.Of == name && slices.Contains(values, e.Value) && e.Factor.Value.Finite() {
				found = append(found, e.Factor)
			}
		}
		slices.SortFunc(found, func(a, b result.Interval) int { return cmp.Compare(a.Value, b.Value) })
		return found
	}
	decided := func(r result.Interval) bool { return r.N < 2 || r.Low > 1 || r.High < 1 }
	n := s.explain(limits, func(_ string, m []string) bool {
		return slices.ContainsFunc(of(s.named(m[1])[0], m[7:8]), func(r result.Interval) bool {
			return saysRatio(m[1:], [3]float64{float64(r.Value), float64(r.Low), float64(r.High)}) && decided(r)
		})
	})
	return n + s.explain(factors, func(before string, m []string) bool {
		with, _, _ := strings.Cut(before[strings.LastIndex(before, ";")+1:], "as a multiple")
		values := s.labelsIn(&with)
		for _, name := range s.named(m[3]) {
			all := of(name, values)
			if len(all) == 0 {
				return false
			}
			low, high := float64(all[0].Value), float64(all[len(all)-1].Value)
			same := low >= 1/1.02-1e-9 && high <= 1.02+1e-9
			if m[2] == "" && !same || m[2] != "" && (!says(cmp.Or(m[1], m[2]), "", low) || !says(m[2], "", high) ||
				!slices.ContainsFunc(all, decided)) {
				return false
			}
		}
		return true
	})
}

// words are those that speak of a cost.
func words(by string) *regexp.Regexp {
	switch c := metrics.FindCost(by); {
	case by == "time_s":
		return regexp.MustCompile(`fastest|takes|time|longer|faster|\d [nµm]?s\b`)
	case by == "payload_bytes":
		return regexp.MustCompile(`sends|bytes|\d [kMGT]?B\b`)
	case c != nil:
		return regexp.MustCompile(c.Name)
	}
	return regexp.MustCompile(by)
}

// wins checks who is called the best, where, at what cost and by how much.
func (s *telling) wins(first bool) {
	by, at := "", len(s.text)
	for _, b := range s.q.By {
		if i := words(b).FindStringIndex(s.text); i != nil && i[0] < at {
			by, at = b, i[0]
		}
	}
	alone := func(cell *result.Cell) bool { return cell.Best > 0 && len(cell.Choices) == 1 }
	s.require(by != "" && (!first || by == s.q.By[0] || slices.ContainsFunc(s.main(s.q.By[0]), alone)), "%q is about %q",
		s.sentence, by)
	all := s.main(by)
	cells := slices.DeleteFunc(slices.Clone(all), func(cell *result.Cell) bool { return cell.Best == 0 })
	for _, cell := range cells {
		if rest, is := strings.CutPrefix(strings.ToLower(s.text), strings.ToLower(cell.Name)+": "); is && cell.Name != "" {
			cells, s.text = []*result.Cell{cell}, s.text[len(s.text)-len(rest):]
			break
		}
	}
	told, begun := cells, s.text
	opening, _, _ := strings.Cut(begun, ";")
	for _, p := range []*regexp.Regexp{more, margins, settings} {
		opening = p.ReplaceAllString(opening, "")
	}
	s.labelsIn(&opening)
	single := amounts.MatchString(opening) // it has the cost in one setting
	for i, clause := range strings.Split(begun, "; ") {
		earlier := strings.Join(strings.Split(begun, "; ")[:i], "; ")
		s.text = clause
		if who := winners.FindStringSubmatch(clause); who != nil && (i == 0 || !single) {
			told = s.where(cells, len(all), who)
		} else if who == nil {
			told = cells
		}
		s.explain(margins, func(before string, m []string) bool {
			if m[6] == "the next" || nextTakes.MatchString(before) {
				return saysRange(m, told)
			}
			names := append(s.named(earlier+before), s.named(m[6])...)
			return len(names) > 1 && s.margin(names[len(names)-2], names[len(names)-1], m, strings.Contains(clause, "the next"))
		})
		s.explain(amounts, func(before string, m []string) bool {
			names := s.named(before)
			return len(names) > 0 && s.amount(names[len(names)-1], m)
		})
	}
}

// saysRange reports whether a margin is that of the best over the next in some settings, none of which has a tie.
func saysRange(m []string, cells []*result.Cell) bool {
	low, high := math.Inf(1), 0.0
	for _, cell := range cells {
		if len(cell.Choices) > 1 {
			r := float64(cell.Choices[1].Ratio.Value)
			low, high = min(low, r), max(high, r)
			if cell.Best != 1 {
				return false
			}
		}
	}
	unit := strings.Trim(m[3], "times")
	return says(cmp.Or(m[1], m[2]), unit, low) && says(m[2], unit, high)
}

// amount reports whether a choice, or the best of a tie, has a cost.
func (s *telling) amount(name string, m []string) bool {
	for _, by := range s.q.By {
		unit, known := map[string]string{"time_s": "s", "payload_bytes": "B", "energy_j": "J"}[by]
		for _, cell := range s.main(by) {
			x := choice(cell, name)
			if strings.HasPrefix(m[0], "tie") && cell.Best > 1 {
				x = &cell.Choices[0]
			}
			if x != nil && (unit == m[3] || !known) && says(m[1], m[2], float64(x.Cost.Value)) {
				return true
			}
		}
	}
	return false
}

// margin reports whether a choice costs clearly less than another one, by a margin.
func (s *telling) margin(better, worse string, m []string, next bool) bool {
	for _, by := range s.q.By {
		for _, cell := range s.main(by) {
			x, y := choice(cell, better), choice(cell, worse)
			if x == nil || y == nil {
				continue
			}
			a, b := s.of(x.Method, x.Point), s.of(y.Method, y.Point)
			r, _ := s.ratio(b, a, by, s.target(cell))
			if saysRatio(m, r) && s.beats(a, b, by, s.target(cell)) &&
				(!next || x == &cell.Choices[0] && y == &cell.Choices[1]) {
				return true
			}
		}
	}
	return false
}

// where requires that some choices are the best in the settings that a clause names, and nowhere else.
// It returns them.
func (s *telling) where(cells []*result.Cell, all int, who []string) (told []*result.Cell) {
	names := s.named(who[1])
	others, _ := strconv.Atoi(who[2])
	wins := func(cell *result.Cell) bool {
		best := cell.Choices[:cell.Best]
		return len(best) == len(names)+others && !slices.ContainsFunc(names, func(name string) bool {
			return !slices.ContainsFunc(best, func(x result.Choice) bool { return x.Name == name })
		})
	}
	s.text = strings.Replace(s.text, who[0], who[1], 1)
	won := slices.DeleteFunc(slices.Clone(cells), func(cell *result.Cell) bool { return !wins(cell) })
	if s.explain(settings, func(_ string, m []string) bool {
		n := cmp.Or(m[1], m[3], strconv.Itoa(all))
		return n == strconv.Itoa(len(won)) && cmp.Or(m[2], m[3], n) == strconv.Itoa(all)
	}) > 0 {
		return won
	}
	_, whole, _ := strings.Cut(s.text, " at ")
	place := whole
	labels := s.labelsIn(&place)
	s.labelsIn(&s.text)
	told = slices.DeleteFunc(slices.Clone(cells), func(cell *result.Cell) bool {
		return slices.ContainsFunc(cell.At, func(set result.Setting) bool {
			has := func(o result.Setting) bool { return o.Key == set.Key && slices.Contains(labels, s.label(o)) }
			return !has(set) && slices.ContainsFunc(cells, func(o *result.Cell) bool { return slices.ContainsFunc(o.At, has) })
		})
	})
	called := slices.DeleteFunc(slices.Clone(cells), func(cell *result.Cell) bool {
		return cell.Name == "" || !strings.Contains(whole, cell.Name)
	})
	s.require(slices.Equal(told, won) || slices.Equal(called, won), "%q: %s best in %d settings, want %d", s.sentence,
		s.shown(who[0]), len(told), len(won))
	return won
}

// answered runs a study, and checks the answer of its result, which is written and read again.
func answered(t *testing.T, s *spec.Scenario) {
	t.Helper()
	st, err := study.New(s, &scenariotest.Data)
	if err != nil {
		t.Skip(err) // a method that does not go with another one's topology
	}
	defer st.Close()
	runs, err := st.Run(t.Context(), study.Options{Workers: 2})
	require(t, err)
	report, err := st.Report(runs, result.Provenance{})
	require(t, err)
	_, err = Show(st, report)
	require(t, err)
	report.Answer.Crossovers, _, err = st.Crossovers(t.Context(), runs, report.Answer, 2, &scenariotest.Data)
	require(t, err)
	_, err = Show(st, report)
	require(t, err)
	folder := t.TempDir()
	require(t, result.WriteFiles(folder, report.Files(), nil))
	report, err = result.ReadFolder(folder)
	require(t, err)
	c := &recount{Report: report, q: &report.Answer.Question, more: s.MoreIsBetter()}
	c.label = func(set result.Setting) string { return cmp.Or(s.LabelOf(set), set.Words()) }
	c.gather()
	c.checkCells()
	c.checkEffects()
	c.checkCrossovers()
	for i, text := range report.Answer.Sentences {
		c.checkSentence(text, i == 0)
	}
	for _, wrong := range c.wrong {
		t.Error(wrong)
	}
}

func require(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const shippedFolder = "../../../scenarios/"

// reduced has what the test command changes in scenarios that take long and have no small form.
var reduced = map[string][]string{
	"all-decentralized.yaml": {"stop.iterations=60"},
	"gossip.yaml":            {"seeds=2"},
	"mnist-196.yaml":         {"claims=[]", "points=[{problem.pool: 7}, {problem.pool: 4}]"},
	"quickstart-tuning.yaml": {"algorithms[0].tune.grid={inner: [1], neumann: [1], alpha: [2000, 4000], beta: [1]}",
		"algorithms[1].tune.grid={alpha: [8000], gamma: [1], beta: [0.1]}",
		"algorithms[2].tune.grid={alpha: [1000], gamma: [1], beta: [0.1]}",
		"algorithms[3].tune.grid={inner: [3], jhip: [2], eta_x: [8000], eta_y: [0.5], gamma: [0.5]}"},
	"single-level.yaml": {"seeds=2", "stop.iterations=1700"},
	"star.yaml":         {"seeds=2"},
}

// TestShippedSentences checks each sentence of each shipped scenario against its result: of small forms, those of
// papers in slow mode, where the whole studies follow, except for a tuning of minutes.
func TestShippedSentences(t *testing.T) {
	require(t, keys.EachFile(os.DirFS(shippedFolder), func(name string) error {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "/") {
				slow.Skip(t, "it reproduces a paper")
			}
			s, err := spec.LoadSmall(shippedFolder+name, scenariotest.Catalog())
			if changes, long := reduced[name]; long {
				s, err = spec.Load(shippedFolder+name, scenariotest.Catalog(), changes)
			}
			require(t, err)
			answered(t, s)
			if os.Getenv(slow.Variable) != "" && !strings.Contains(name, "/") && name != "quickstart-tuning.yaml" {
				s, err = spec.Load(shippedFolder+name, scenariotest.Catalog(), nil)
				require(t, err)
				answered(t, s)
			}
		})
		return nil
	}))
}

// some returns a few items of a text in random order, at least one.
func some(r *rand.Rand, most int, text string) []string {
	list := strings.Split(text, "|")
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:1+r.IntN(min(most, len(list)))]
}

// drawn returns what a random study of some methods changes in a shipped scenario.
func drawn(r *rand.Rand, methods string) []string {
	var sweep []string
	names := "algorithm"
	for _, axis := range some(r, 2, "topology.kind ring complete exponential|topology.nodes 4 8 16|"+
		"network.latency 10us 0.1ms 10ms|network.bandwidth 1Gbit/s 10Mbit/s 1Mbit/s|"+
		"compute.speed 10GFLOP/s 1GFLOP/s 10MFLOP/s|problem.heterogeneity 0.1 0.5 1|"+
		"platform.uplink 10Gbit/s 1Gbit/s 100Mbit/s|platform.oversubscription 1 4 2") {
		key, values, _ := strings.Cut(axis, " ")
		list := strings.Join(some(r, 3, strings.ReplaceAll(values, " ", "|")), ", ")
		sweep, names = append(sweep, key+": ["+list+"]"), names+"|"+key
	}
	level := some(r, 1, "1|0.5|0.3|0.2|0.15|0.1|0.03")[0]
	roles := some(r, 9, names)
	ask := "by: [" + strings.Join(some(r, 2, "time|bytes|iterations|rounds|gradients|grad_norm2"), ", ") + "]"
	ask += some(r, 1, "||, to: {grad_norm2: "+level+"}|, to: {grad_norm2: "+level+", kept: true}|"+
		", to: {grad_norm2: 1.2 x floor}")[0]
	switch {
	case r.IntN(3) == 0 && len(roles) > 1:
		ask += ", effect: " + roles[0] + ", of: [" + strings.Join(roles[1:], ", ") + "]"
	case r.IntN(2) == 0:
		ask += ", choose: [" + strings.Join(roles, ", ") + "]" + some(r, 1, "||, along: to")[0]
	}
	return []string{"claims=[]", "tables=[]", "small={}", "sweep={" + strings.Join(sweep, ", ") + "}",
		"ask={" + ask + "}", "seeds=" + some(r, 1, "1|2|3|10")[0],
		"algorithms=[" + strings.Join(some(r, 3, methods), ", ") + "]",
		"stop={iterations: 25" + some(r, 1, "|, target: {grad_norm2: "+level+"}")[0] + "}"}
}

// TestRandomSentences checks each sentence of random studies, after some that have rare answers.
func TestRandomSentences(t *testing.T) {
	studies := 30
	if os.Getenv(slow.Variable) != "" {
		studies = 300
	}
	r := rand.New(rand.NewPCG(31, 8))
	for done := 0; done < studies; {
		file := some(r, 1, "what-limits|two-racks|fat-tree|wan-regions|stragglers-async|single-level|lossy|"+
			"star")[0] + ".yaml"
		text, err := os.ReadFile(shippedFolder + file)
		require(t, err)
		methods := regexp.MustCompile(`(?m)^  - \{name: .*\}$`).FindAllString(string(text), -1)
		changes := drawn(r, strings.ReplaceAll(strings.Join(methods, "|"), "  - ", ""))
		s, err := spec.Load(shippedFolder+file, scenariotest.Catalog(), changes)
		if err != nil {
			continue // a key that the scenario does not have, or one that is twice in the question
		}
		done++
		t.Run(strconv.Itoa(done), func(t *testing.T) {
			t.Logf("%s with %q", file, changes)
			answered(t, s)
		})
	}
}

// TestRareSentences checks sentences of studies in which some choices clearly arrive less often, or leave a target.
func TestRareSentences(t *testing.T) {
	for file, changes := range map[string][]string{
		"two-racks.yaml": {"claims=[]", "seeds=10", "sweep={topology.kind: [ring, hypercube], platform.uplink: [1Gbit/s]}",
			"algorithms=[{name: ma-dbo, outer: 300, inner: 1, higp: 1, alpha: 0.05, eta_y: 0.1, gamma: 0.1, theta: 0.5}]"},
		"lossy.yaml": {"claims=[]", "seeds=5"},
	} {
		s, err := spec.Load(shippedFolder+file, scenariotest.Catalog(), changes)
		require(t, err)
		answered(t, s)
	}
}
