package papers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tallynet/metrics/report/result"
)

// Verified is a scenario whose claims were checked.
type Verified struct {
	Scenario string   // its name
	File     string   // its path, as the command line has it; may be empty
	Paper    *Paper   // nil: it reproduces none
	Reading  string   // as "base = 10"; "" for the main one
	Varies   []string // the names of the readings that are not the main ones
	Claims   []result.Claim
	Tables   []result.PaperTable
	Figures  []result.PaperFigure
	Settings []result.Compared
	Small    string  // what its small form changes, in words; may be empty
	Seconds  float64 // that its runs took; 0: not known
	Program  string  // that made the runs, and when, in words; may be empty
	Hash     string  // of the scenario and the facts
	Missing  string  // why there are no runs, as "not run"; "" where there are
}

// Paper is what the registry of a paper has.
type Paper struct {
	ID       string        `json:"id"`
	Cite     string        `json:"cite"`
	Answer   string        `json:"answer,omitempty"` // of its authors
	Readings []Reading     `json:"readings,omitempty"`
	Whole    bool          `json:"-"` // all scenarios of the paper were checked
	Facts    []result.Fact `json:"-"`
	Full     []Judged      `json:"-"` // the verdicts of full runs, for small forms
}

// Reading is what the paper leaves open.
type Reading struct {
	Name    string `json:"name"`
	Open    string `json:"open"`
	Main    string `json:"main,omitempty"` // the value of the headline; "": words and programs are silent
	Support string `json:"support,omitempty"`
}

// Judged is a printed fact with its one verdict.
type Judged struct {
	result.Fact
	Verdict  string             `json:"verdict"`
	Measured []result.PaperCell `json:"measured,omitempty"`
	Limits   []result.PaperCell `json:"limits,omitempty"` // the value of a formula
	Why      string             `json:"why,omitempty"`    // it does not come out, or is undecided
	Scenario string             `json:"scenario,omitempty"`
	Hash     string             `json:"hash,omitempty"` // of the scenario and the facts
	Program  string             `json:"program,omitempty"`
	Under    []Under            `json:"readings,omitempty"`
	main     bool               // it comes out under the main reading
	claim    *result.Claim
	setting  *result.Compared
}

// Under is the outcome of a fact under another reading.
type Under struct {
	Reading string `json:"reading"`
	Outcome string `json:"outcome"`
	varies  []string
}

// The verdicts that no claim has by itself.
const (
	notCovered = "not covered"
	notJudged  = "not judged"
	depends    = "depends on the reading"
	same       = "same setting"
	changed    = "changed setting"
)

// verdicts lists the verdicts in the order of tallies.
var verdicts = []string{"reproduced", "consistent", "by construction", "on a stand-in", depends, "undecided",
	"differs", "contradicted", same, changed, notJudged, notCovered}

// Judge returns the facts of a paper, each with one verdict, from all scenarios that were checked. An error names a
// fact that two scenarios judge.
func (p *Paper) Judge(all []Verified) ([]Judged, error) {
	var facts []Judged
	for _, f := range p.Facts {
		j := Judged{Fact: f, Verdict: notCovered}
		if f.Unjudged != "" {
			j.Verdict, j.Why = notJudged, f.Unjudged
		}
		for i := range all {
			v := &all[i]
			if v.Paper == nil || v.Paper.ID != p.ID {
				continue
			}
			j.compare(v)
			k := slices.IndexFunc(v.Claims, func(c result.Claim) bool { return c.Fact == f.ID })
			switch {
			case k < 0:
			case v.Reading != "":
				j.Under = append(j.Under, Under{v.Reading, outcome(&v.Claims[k]), v.Varies})
			case j.Scenario != "":
				return nil, fmt.Errorf("%s of %s is judged by %s and by %s: one verdict for each fact", f.ID, p.ID,
					j.Scenario, v.Scenario)
			default:
				j.take(v, &v.Claims[k])
			}
		}
		other := func(u Under) bool { return good(u.Outcome) != good(j.Verdict) && p.silent(u.varies) }
		if j.claim != nil && slices.ContainsFunc(j.Under, other) {
			j.depend()
		}
		facts = append(facts, j)
	}
	return facts, nil
}

// compare takes the row of settings about the fact. A change anywhere counts.
func (j *Judged) compare(v *Verified) {
	for i := range v.Settings {
		s := &v.Settings[i]
		if s.Fact != j.ID || v.Reading != "" {
			continue
		}
		if j.setting == nil || s.Differs {
			j.setting, j.Why = s, s.Reason
		}
		j.Verdict = map[bool]string{false: same, true: changed}[j.setting.Differs]
	}
}

func (j *Judged) take(v *Verified, c *result.Claim) {
	j.Verdict, j.Measured, j.Limits, j.Why = outcome(c), c.Cells, c.Limits, c.Why()
	j.Scenario, j.Hash, j.Program, j.main = v.Scenario, v.Hash, v.Program, good(outcome(c))
	j.claim = c
}

// depend leaves the verdict open: it needs no reason, whatever the main reading has.
func (j *Judged) depend() {
	j.Verdict = depends
	j.claim.Expected = map[result.Verdict]result.Expected{result.Fails: result.Differs,
		result.Undecided: result.Open}[j.claim.Verdict]
}

// outcome returns the outcome of a claim, expected or not.
func outcome(c *result.Claim) string { return strings.TrimSuffix(c.Outcome(), ", not as expected") }

// silent reports whether words and programs support no value of any of the readings.
func (p *Paper) silent(names []string) bool {
	for _, r := range p.Readings {
		if r.Main != "" && slices.Contains(names, r.Name) {
			return false
		}
	}
	return true
}

// good reports whether an outcome is that which the paper prints.
func good(outcome string) bool {
	return outcome == "reproduced" || outcome == "consistent" || outcome == "by construction"
}

// Share returns in how many of its readings the fact comes out, and how many there are.
func (j *Judged) Share() (yes, of int) {
	for _, u := range j.Under {
		if of++; good(u.Outcome) {
			yes++
		}
	}
	if j.main {
		yes++
	}
	return yes, of + 1
}

// Tally counts facts by their verdicts.
func Tally(facts []*Judged) string {
	counts := map[string]int{}
	for _, f := range facts {
		counts[f.Verdict]++
	}
	var parts []string
	for _, v := range verdicts {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}

// item is a table, a figure or a statement of a paper.
type item struct {
	name   string
	facts  []*Judged
	drawn  []drawnFigure
	tables []drawnTable
}

// drawnTable and drawnFigure are a table and a figure with the names of their files, without extensions.
type (
	drawnTable struct {
		file string
		*result.PaperTable
	}
	drawnFigure struct {
		file string
		*result.PaperFigure
	}
)

// items divides the facts of a paper into items, in the order of the registry, and adds the pictures of each.
func items(facts []Judged, all []Verified, p *Paper, files fileNames) []*item {
	var list []*item
	of := func(name string) *item {
		i := slices.IndexFunc(list, func(it *item) bool { return it.name == name })
		if i < 0 {
			i, list = len(list), append(list, &item{name: name})
		}
		return list[i]
	}
	for i := range facts {
		it := of(facts[i].Item())
		it.facts = append(it.facts, &facts[i])
	}
	for i := range all {
		v := &all[i]
		if v.Paper == nil || v.Paper.ID != p.ID || v.Reading != "" {
			continue
		}
		for k := range v.Figures {
			f := &v.Figures[k]
			it := of(itemOf(f.Source))
			it.drawn = append(it.drawn, drawnFigure{files.next(v.Scenario, f.Name), f})
		}
		for k := range v.Tables {
			t := &v.Tables[k]
			it := of(itemOf(t.Source))
			it.tables = append(it.tables, drawnTable{files.next(v.Scenario, t.Name), t})
		}
	}
	return list
}

// itemOf returns the item in a source: "Table I" of "Niu et al., Table I: readings".
func itemOf(source string) string {
	head, _, _ := strings.Cut(source, ":")
	if _, name, ok := strings.Cut(head, ", "); ok {
		return name
	}
	return head
}

// fileNames hands out unique names of files.
type fileNames map[string]bool

// next returns the name of the files of a table or a figure.
func (f fileNames) next(scenario, name string) string {
	const longest = 60
	if !strings.HasPrefix(name, scenario) { // as in dagm-table1, dagm-table1
		name = scenario + "-" + name
	}
	base := cmp.Or(anchor(name), "item")
	base = strings.Trim(base[:min(len(base), longest)], "-")
	for n, out := 2, base; ; n++ {
		if !f[out] {
			f[out] = true
			return out
		}
		out = fmt.Sprintf("%s-%d", base, n)
	}
}
