package spec

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/facts"
	"tallynet/scenarios/keys"
)

// claimsKey declares the claims.
func claimsKey() keys.Param {
	return keys.Param{Name: "claims", Kind: keys.Sections,
		About: "statements about the runs that are checked: of a paper, by the IDs of its facts, or of our own",
		Params: []keys.Param{
			{Name: "fact", Kind: keys.Strings, Example: "t1-lpdbo-*", About: "facts of the paper, with * for any text"},
			{Name: "measured", Kind: keys.String, With: "fact", Example: `map(runs("DAGM"), .totals.rounds)`,
				About: "an expression over the runs, to be compared with the facts; column.NAME is a head of the table of " +
					"a fact, and reading.NAME the value of a reading. A list of numbers counts by its mean and interval"},
			{Name: "with", Kind: keys.Free, With: "fact",
				About: "expressions over the runs for the names in a printed formula"},
			{Name: "moves", Kind: keys.String, With: "fact",
				About: "an expression for the share by which the measured quantity changes; below 1 % nothing is decided"},
			{Name: "stand_in", Kind: keys.Bool, Default: false, With: "fact",
				About: "the data stand in for the paper's, so the fact comes out on a stand-in at best"},
			{Name: "text", Kind: keys.String, Unless: "fact", Example: "DAGM sends no matrix",
				About: "what is claimed, in words"},
			{Name: "source", Kind: keys.String, Unless: "fact", Example: "this study",
				About: "where the claim comes from"},
			{Name: "check", Kind: keys.String, Unless: "fact", Example: `"dagm.totals.matrix_bytes == 0"`,
				About: "an expression over the runs that is true if the claim holds"},
			{Name: "expected", Kind: keys.Enum, Unless: "fact", Default: "holds",
				Enum: []string{"holds", "differs", "undecided"},
				About: "differs: it is known not to hold; undecided: the runs are known not to decide it; both count " +
					"separately"},
			{Name: "reason", Kind: keys.String, Unless: "fact", Example: "the model has no such cost", About: "why it differs"},
			{Name: "small", Kind: keys.Bool, Default: true,
				About: "false: the small form of the scenario cannot show it"},
		}}
}

// ClaimSpec is a statement about the runs that is checked when they are done: a fact of a paper, or one of our own.
type ClaimSpec struct {
	Fact     *facts.Fact // nil: one of our own
	Text     string
	Source   string // where it is printed
	Check    string // an expression of package claims; of a fact, what is measured
	Expected result.Expected
	Reason   string // for Expected
	Full     bool   // the small form of the scenario cannot show it
	Typed    bool   // the scenario sets what the fact follows from

	path     string // claims[0]
	at       keys.FilePosition
	args     keys.Args     // of a claim about facts
	file     jsonio.Object // as the file gives it
	Compiled *claims.Check // nil for a fact
	Measured *claims.List  // of a fact
	Printed  *claims.List  // of a fact whose value is a formula
	Moves    *claims.List
	unfit    string // why the overrides make the check invalid
}

// StandIn reports whether the data of the scenario stand in for those of the paper.
func (c *ClaimSpec) StandIn() bool { return c.args.Bool("stand_in") }

// compiled returns the expressions of the claim.
func (c *ClaimSpec) compiled() []*claims.Check {
	var all []*claims.Check
	for _, l := range []*claims.List{c.Measured, c.Printed, c.Moves} {
		if l != nil {
			all = append(all, l.Check)
		}
	}
	if c.Compiled != nil {
		all = append(all, c.Compiled)
	}
	return all
}

// resolved returns the claim as a file gives it, or nil if the overrides make its check invalid.
func (c *ClaimSpec) resolved() jsonio.Object {
	if c.unfit != "" {
		return nil
	}
	return c.file
}

// claims reads the claims; items are their values in the file. compileExpressions compiles their checks.
func (r *reader) claims(list []keys.Args, items []*keys.Value) []ClaimSpec {
	var all []ClaimSpec
	for i, a := range list {
		c := ClaimSpec{Full: !a.Bool("small"), path: a.Path(""), at: a.PosOf("check")}
		c.file, _ = keys.Plain(items[i]).(jsonio.Object)
		if a.Given("fact") {
			c.args, c.at = a, a.PosOf("measured")
		} else {
			r.ownClaim(a, &c)
		}
		all = append(all, c)
	}
	return all
}

// ownClaim reads a claim that is not about a printed fact.
func (r *reader) ownClaim(a keys.Args, c *ClaimSpec) {
	a.Fill(c)
	if c.Expected == "holds" {
		c.Expected = ""
	}
	for _, key := range []string{"text", "source", "check"} {
		if !a.Given(key) {
			r.Fail(a.Pos(), c.path, "write "+key+": ..., or fact: the ID of a printed fact", "%s is missing", key)
		}
	}
	switch {
	case c.Expected != "" && c.Reason == "":
		r.Fail(a.PosOf("expected"), c.path, "write reason: why it does not hold or is not decided",
			"a claim that is expected not to hold needs a reason")
	case c.Reason != "" && c.Expected == "":
		r.Fail(a.PosOf("reason"), a.Path("reason"), "leave it out", "only expected: differs or undecided uses reason")
	}
}

// readFacts loads the registry of the scenario's paper and gives each fact that a claim names a claim of its own.
// Facts about the ratio of others follow from these, where the scenario measures both. A result has no registry beside
// it, and keeps its claims as they are.
func (r *reader) readFacts(s *Scenario) {
	if s.PaperID == "" || r.mode == resolvedFile {
		s.Claims = slices.DeleteFunc(s.Claims, func(c ClaimSpec) bool {
			if c.args.Read() && r.mode != resolvedFile {
				r.Fail(c.args.PosOf("fact"), c.path+".fact", "write paper: the name of the paper",
					"the scenario names no paper whose facts these are")
			}
			return c.args.Read()
		})
		return
	}
	registry, err := facts.Load(filepath.Join(s.Dir(), keys.Registry))
	if err == nil && registry.ID != s.PaperID {
		err = fmt.Errorf("%s has the facts of %s", keys.Registry, registry.ID)
	}
	if err != nil {
		e := s.Errorf("paper", "the facts of the paper %s: %w", s.PaperID, err)
		r.Errs = append(r.Errs, e)
		return
	}
	s.Facts = registry
	if s.Variants, err = registry.Variants(s.Readings); err != nil {
		r.Errs = append(r.Errs, s.Errorf("readings", "%w", err))
		return
	}
	if s.Variant.Names == nil {
		s.Variant = s.Variants[0]
	}
	var all []ClaimSpec
	for _, c := range s.Claims {
		if !c.args.Read() {
			all = append(all, c)
			continue
		}
		for _, pattern := range c.args.Strings("fact") {
			matched := registry.Match(pattern)
			if matched == nil {
				r.Fail(c.args.PosOf("fact"), c.path+".fact", keys.DidYouMean(pattern, registry.IDs()),
					"%s has no fact %s", keys.Registry, pattern)
			}
			for _, f := range matched {
				of := c
				of.Fact = f
				all = append(all, of)
			}
		}
	}
	for i := range registry.Facts {
		if f := &registry.Facts[i]; f.Of != nil && !slices.ContainsFunc(all, func(c ClaimSpec) bool { return c.Fact == f }) {
			all = append(all, ratioClaims(f, all)...)
		}
	}
	s.Claims = all
	for i := range s.Claims {
		if s.Claims[i].Fact != nil {
			r.factClaim(s, &s.Claims[i])
		}
	}
	r.checkWhy(s)
}

// ratioClaims returns a claim about a fact that compares others, if all claims about those are there.
func ratioClaims(f *facts.Fact, all []ClaimSpec) []ClaimSpec {
	var cells []string
	var c ClaimSpec
	for _, pair := range f.Of {
		var sides []string
		for _, id := range pair {
			i := slices.IndexFunc(all, func(c ClaimSpec) bool { return c.Fact != nil && c.Fact.ID == id })
			if i < 0 || !all[i].args.Given("measured") {
				return nil
			}
			c = all[i]
			sides = append(sides, column(all[i].args.String("measured"), all[i].Fact))
		}
		cells = append(cells, "ratio("+sides[0]+", "+sides[1]+")")
	}
	c.Fact, c.Check = f, "["+strings.Join(cells, ", ")+"]"
	return []ClaimSpec{c}
}

// column puts the heads of a fact's column into an expression.
func column(expression string, f *facts.Fact) string {
	for _, name := range slices.Sorted(maps.Keys(f.Heads)) {
		expression = strings.ReplaceAll(expression, "column."+name, keys.FormatFloat(f.Heads[name]))
	}
	return expression
}

// reading puts the values of the readings into an expression.
func (s *Scenario) reading(expression string) string {
	for i, name := range s.Variant.Names {
		expression = strings.ReplaceAll(expression, "reading."+name, s.Variant.Values[i])
	}
	return expression
}

// factClaim completes a claim about a fact.
func (r *reader) factClaim(s *Scenario, c *ClaimSpec) {
	f := c.Fact
	c.Text, c.Source = f.Says, s.Facts.Cite+": "+f.Place
	if c.Check == "" {
		c.Check = column(c.args.String("measured"), f)
	}
	c.Check = s.reading(c.Check)
	switch {
	case f.Unjudged != "":
		r.Fail(c.args.PosOf("fact"), c.path+".fact", "take unjudged out of "+keys.Registry, "%s is judged by no run: %s",
			f.ID, f.Unjudged)
	case f.Class == result.ASetting:
		r.Fail(c.args.PosOf("fact"), c.path+".fact", "name it in a row of settings", "%s is a setting", f.ID)
	case c.Check == "":
		r.Fail(c.args.PosOf("fact"), c.path, "write measured: an expression over the runs", "measured is missing")
	}
	c.Reason = whyOf(s.Why, f.ID)
	choices := s.choices()
	for _, key := range f.Typed {
		c.Typed = c.Typed || s.matching(key, choices) != nil
	}
}

// whyOf returns the reason given for a fact; a name may be a pattern, of which the first that fits counts.
func whyOf(why jsonio.Object, id string) string {
	for _, m := range why {
		if ok, _ := filepath.Match(m.Key, id); ok {
			return fmt.Sprint(m.Value)
		}
	}
	return ""
}

// compileFact compiles the expressions of a claim about a fact. Several numbers count by their mean and its interval
// where the fact has one value that a mean can have.
func (c *ClaimSpec) compileFact(scope claims.Scope) error {
	f, err := c.Fact, error(nil)
	list := func(text string) *claims.List {
		var l *claims.List
		if err == nil {
			l, err = claims.CompileList(text, 0, scope)
		}
		return l
	}
	c.Measured = list(c.Check)
	trend := f.Relation == result.Increases || f.Relation == result.Decreases
	mean := f.Class != result.CostFormula && f.Class != result.LowerBound && !trend && len(f.Value) < 2 && f.Of == nil
	if err == nil && mean && c.Measured.Numbers > 1 {
		c.Check = "interval(" + c.Check + ")"
		c.Measured = list(c.Check)
	}
	if f.Formula != "" {
		scope.Constants = true
		c.Printed = list(name.ReplaceAllStringFunc(f.Formula, func(word string) string {
			if x := whyOf(c.with(), word); x != "" {
				return "(" + x + ")"
			}
			return word
		}))
	}
	if moves := c.args.String("moves"); moves != "" {
		c.Moves = list(moves)
	}
	return err
}

var name = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// with returns the expressions for the names of a formula.
func (c *ClaimSpec) with() jsonio.Object {
	o, _ := c.args.Value("with").(jsonio.Object)
	return o
}

var (
	// Inserted matches what a text leaves to be filled in: {ID} and {=EXPRESSION}.
	Inserted = regexp.MustCompile(`\{=(?:[^{}]|\{[^{}]*\})*\}|\{[^{}]*\}`)
	// numbered matches numbers that name something: Figure 3b, Theorem 2, equation (6c), L2, x0.
	numbered = regexp.MustCompile(`(?i)\b(figures?|tables?|theorems?|corollar\w+|lemmas?|propositions?|sections?|` +
		`appendix|equations?|algorithms?|examples?|remarks?|assumptions?|lines?|footnotes?|panels?) ` +
		`[A-Z]?\.?\d+\w*(, \d+\w*)*( (and|to) \d+\w*)?|\(\d+\w*\)|[A-Za-z_^]\d+`)
	numeral = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?`)
)

// checkNumbers reports numbers in a text that stand neither in the registry nor among the settings: they would not
// follow what they are about.
func (r *reader) checkNumbers(s *Scenario, at keys.FilePosition, path, text string) {
	if r.mode != wholeFile || text == "" {
		return
	}
	if s.known == nil {
		s.known = map[float64]bool{}
		for i := range s.Facts.Facts {
			f := &s.Facts.Facts[i]
			for _, x := range append(slices.Collect(maps.Values(f.Heads)), f.Value...) {
				s.known[x] = true
			}
			s.note(f.Says + " " + f.Place)
		}
		for _, d := range s.Facts.Readings {
			s.note(d.Open + " " + d.Support)
			for _, v := range d.Values {
				s.note(v.Name + " " + keys.Flow(v.Changes))
			}
		}
		for _, c := range s.choices() {
			s.note(c.text)
		}
	}
	for _, word := range numeral.FindAllString(numbered.ReplaceAllString(Inserted.ReplaceAllString(text, ""), ""), -1) {
		if x, err := strconv.ParseFloat(strings.ReplaceAll(word, ",", ""), 64); err == nil && !s.known[x] {
			r.Fail(at, path, "write {ID} for what a fact prints, or {=EXPRESSION} for what the runs have",
				"the number %s is neither printed, as %s has it, nor a setting", word, keys.Registry)
		}
	}
}

// note adds the numbers of a text to those that texts may have.
func (s *Scenario) note(text string) {
	for _, word := range numeral.FindAllString(text, -1) {
		if x, err := strconv.ParseFloat(strings.ReplaceAll(word, ",", ""), 64); err == nil {
			s.known[x] = true
		}
	}
}

// checkWhy checks the reasons: each is about a fact that the scenario judges, and has no number of its own.
func (r *reader) checkWhy(s *Scenario) {
	for _, m := range s.Why {
		path := "why." + m.Key
		if r.mode == wholeFile && !slices.ContainsFunc(s.Claims, func(c ClaimSpec) bool {
			ok, _ := filepath.Match(m.Key, claimID(&c))
			return c.Fact != nil && ok
		}) {
			r.Fail(s.at(path), path, "", "the scenario judges no fact %s", m.Key)
		}
		r.checkNumbers(s, s.at(path), path, fmt.Sprint(m.Value))
	}
}

func claimID(c *ClaimSpec) string {
	if c.Fact == nil {
		return ""
	}
	return c.Fact.ID
}

// Unfit returns for each claim why the overrides make its check invalid, or "".
func (s *Scenario) Unfit() []string {
	all := make([]string, len(s.Claims))
	for i, c := range s.Claims {
		all[i] = c.unfit
	}
	return all
}
