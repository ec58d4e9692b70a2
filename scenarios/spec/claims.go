package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
	"tallynet/scenarios/measure"
)

func claimsKey() keys.Param {
	return keys.Param{Name: "claims", Kind: keys.Sections,
		About: "statements about the runs, as a paper makes them, that are checked", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Example: "dagm-rate",
				About: "what the rows of tables call the claim"},
			{Name: "text", Kind: keys.String, Required: true, Example: "DAGM sends no matrix",
				About: "what is claimed, in words"},
			{Name: "class", Kind: keys.Enum, Enum: classNames(), Derived: "paper if printed is given, ours otherwise",
				About: "paper: what the source prints, as printed; bound: an upper bound there, with which a result can " +
					"only be consistent; ours: a statement of our own"},
			{Name: "source", Kind: keys.String, Required: true, Example: "Nazari et al., Table 2",
				About: "where it is printed: the paper and its item; \"this study\" if no paper has it"},
			{Name: "printed", Kind: keys.Any, Custom: true, Schema: jsonio.Of("type", []string{"number", "string"}),
				Takes: "a number or a text",
				About: "the printed number or words"},
			{Name: "check", Kind: keys.String, Required: true, Example: `"dagm.totals.matrix_bytes == 0"`,
				About: "an expression over the runs that is true if the claim holds"},
			{Name: "expected", Kind: keys.Enum, Default: "holds", Enum: []string{"holds", "differs", "undecided"},
				About: "differs: it is known not to hold; undecided: the runs are known not to decide it; both count " +
					"separately"},
			{Name: "construction", Kind: keys.Bool, Default: false,
				About: "it holds by construction: the scenario sets what the claim states, so it is not an outcome"},
			{Name: "reason", Kind: keys.String, Example: "the paper counts once per node",
				About: "why it differs, or why it holds by construction"},
			{Name: "exact", Kind: keys.Bool, Default: false,
				About: "the printed numbers or formulas are matched, not only an order or a trend; the check has " +
					"equalities only"},
			{Name: "small", Kind: keys.Bool, Default: true,
				About: "false: the small form of the scenario cannot show it"},
		}}
}

// claims reads the claims, except for what their checks mean, which depends on the whole
// study: see checks.
func (r *reader) claims(list []keys.Args) []ClaimSpec {
	var all []ClaimSpec
	for _, a := range list {
		c := ClaimSpec{path: a.Path(""), at: a.PosOf("check"), Text: a.String("text"),
			Source: a.String("source"), Check: a.String("check"),
			Differs: a.String("expected") == "differs", Open: a.String("expected") == "undecided",
			Reason: a.String("reason"), Exact: a.Bool("exact"),
			Full: !a.Bool("small"), Name: a.String("name"), Class: result.ClaimClass(a.String("class")),
			Construction: a.Bool("construction")}
		if p := a.Field("printed"); p != nil {
			if p.Value.Shape != keys.Scalar {
				r.WrongKind(a.Path("printed"), p.Value, p.KeyPos, "a number or a text", "write printed: 0")
			} else {
				c.Printed = keys.Plain(p.Value)
			}
		}
		r.claimOutcome(a, &c)
		r.claimClass(a, &c)
		if c.Name != "" && slices.ContainsFunc(all, func(o ClaimSpec) bool { return o.Name == c.Name }) {
			r.Fail(a.PosOf("name"), a.Path("name"), "", "two claims are called %s", c.Name)
		}
		all = append(all, c)
	}
	return all
}

// claimOutcome checks what is known of the outcome beforehand.
func (r *reader) claimOutcome(a keys.Args, c *ClaimSpec) {
	switch {
	case (c.Differs || c.Open) && c.Construction:
		r.Fail(a.Field("construction").KeyPos, a.Path("construction"), "keep one of the two",
			"a claim that holds by construction cannot be expected to come out otherwise")
	case c.Open && !a.Given("reason"):
		r.Fail(a.Field("expected").KeyPos, c.path, "write reason: why the runs do not decide it",
			"a claim that is expected to be undecided needs a reason")
	case c.Differs && !a.Given("reason"):
		r.Fail(a.Field("expected").KeyPos, c.path, "write reason: why it does not come out as printed",
			"a claim that is expected to differ needs a reason")
	case c.Construction && !a.Given("reason"):
		r.Fail(a.Field("construction").KeyPos, c.path, "write reason: what the scenario sets",
			"a claim that holds by construction needs a reason")
	case a.Given("reason") && !c.Differs && !c.Open && !c.Construction:
		r.Fail(a.Field("reason").KeyPos, a.Path("reason"), "leave it out",
			"only expected: differs or undecided, or construction: true, uses reason")
	}
}

// item finds what a source names of its paper: "Nazari et al., Figure 3b: K".
var item = regexp.MustCompile(
	`(?i), (supplementary ` +
		`)?(figures?|tables?|theorems?|corollar(y|ies)|lemmas?|propositions?|sections?|appendix|equations?|algorithms?|` +
		`examples?|remarks?|assumptions?) \S`)

func classNames() []string {
	return []string{string(result.OfPaper), string(result.OfBound), string(result.Ours)}
}

// claimClass completes the class. A file from before there were classes states none: what
// has a printed value beside it is then taken for the paper's, anything else for ours.
func (r *reader) claimClass(a keys.Args, c *ClaimSpec) {
	c.Stated = a.Given("class")
	switch {
	case !c.Stated && c.Printed != nil:
		c.Class = result.OfPaper
	case !c.Stated:
		c.Class = result.Ours
	case c.Class == result.Ours:
	case !a.Given("printed"):
		r.Fail(a.PosOf("class"), a.Path("class"), "write printed: the printed value, or class: ours",
			"a claim of the class %s needs the printed value", c.Class)
	case !item.MatchString(c.Source):
		r.Fail(a.PosOf("source"), a.Path("source"), `as in source: "Nazari et al., Figure 3b: K"`,
			"a claim of the class %s names the figure, table or theorem where it is printed", c.Class)
	}
}

// misfit reports an expression that makes no sense in its scope. With overrides it is no
// error, and misfit returns why there is no value.
func (r *reader) misfit(s *Scenario, at keys.FilePosition, expression, path string, err error) string {
	var wrong *claims.Error
	if !errors.As(err, &wrong) {
		panic("scenarios: " + err.Error())
	}
	if s.set {
		return "with the values of this run: " + wrong.Message
	}
	r.Fail(positionIn(r.Src, at, expression, wrong.Offset), path, wrong.Hint, "%s", wrong.Message)
	return ""
}

func (s *Scenario) claimScope(g grid) claims.Scope {
	scope := claims.Scope{Seeds: s.Seeds, Targets: s.Targets()}
	for i := range g.size() {
		scope.Points = append(scope.Points, SettingsOf(g.settings(g.index(i))))
	}
	for _, a := range s.Algorithms {
		scope.Labels = append(scope.Labels, a.Label)
	}
	for _, m := range measure.Metrics() {
		scope.Metrics = append(scope.Metrics, claims.Metric{Name: m.Name, More: m.MoreIsBetter})
	}
	return scope
}

// position returns where a character of the check is in the file; the beginning of the
// check where its text is folded or escaped there.
func (c *ClaimSpec) position(src *keys.Source, offset int) keys.FilePosition {
	return positionIn(src, c.at, c.Check, offset)
}

// positionIn returns where a character of an expression that begins at at is in the file.
func positionIn(src *keys.Source, at keys.FilePosition, expression string, offset int) keys.FilePosition {
	if at.Set != "" || at.Line < 1 {
		return at
	}
	rs := []rune(expression)
	offset = min(offset, len(rs))
	before := string(rs[:offset])
	line := strings.Count(before, "\n")
	text := strings.Split(expression, "\n")[line]
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	for k := at.Line - 1; k < len(src.Lines) && k < at.Line+line+1; k++ {
		from := 0
		if k == at.Line-1 {
			from = len(string([]rune(src.Lines[k])[:min(at.Column-1, utf8.RuneCountInString(src.Lines[k]))]))
		}
		if i := strings.Index(src.Lines[k][from:], text); i >= 0 && text != "" {
			return src.At(k+1, utf8.RuneCountInString(src.Lines[k][:from+i])+column+1)
		}
	}
	return at
}

// runeIndex returns where part begins in text, in characters, or -1.
func runeIndex(text, part string) int {
	i := strings.Index(text, part)
	if i < 0 {
		return -1
	}
	return utf8.RuneCountInString(text[:i])
}

// Unfit returns, by claim, why its check makes no sense with the overrides; "" where it does.
func (s *Scenario) Unfit() []string {
	all := make([]string, len(s.Claims))
	for i, c := range s.Claims {
		all[i] = c.unfit
	}
	return all
}

// CheckMetrics checks that a problem has the metrics that a claim names. With overrides it returns why the claim
// cannot be checked; without them, that is an error.
func (s *Scenario) CheckMetrics(c *ClaimSpec, problem string, have []string) (unfit string, err error) {
	if c.Compiled == nil {
		return "", nil
	}
	for _, name := range c.Compiled.Metrics() {
		if slices.Contains(have, name) {
			continue
		}
		message := fmt.Sprintf("problem %s does not have the metric %s", problem, name)
		if !s.set {
			at := c.position(s.src, max(0, runeIndex(c.Check, name)))
			return "", s.src.Fail(at, c.path+".check", keys.DidYouMean(name, have), "%s", message)
		}
		unfit = "with the values of this run: " + message
	}
	return unfit, nil
}
