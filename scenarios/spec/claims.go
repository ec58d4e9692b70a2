package spec

import (
	"regexp"
	"slices"

	"tallynet/metrics/jsonio"
	"tallynet/metrics/report/result"
	"tallynet/scenarios/claims"
	"tallynet/scenarios/keys"
)

// claimsKey declares the claims.
func claimsKey() keys.Param {
	classes := []string{string(result.OfPaper), string(result.OfBound), string(result.Ours)}
	return keys.Param{Name: "claims", Kind: keys.Sections,
		About: "statements about the runs, as a paper makes them, that are checked", Params: []keys.Param{
			{Name: "name", Kind: keys.String, Example: "dagm-rate",
				About: "what the rows of tables call the claim"},
			{Name: "text", Kind: keys.String, Required: true, Example: "DAGM sends no matrix",
				About: "what is claimed, in words"},
			{Name: "class", Kind: keys.Enum, Enum: classes, Derived: "paper if printed is given, ours otherwise",
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

// ClaimSpec is a statement about the runs that is checked when they are done.
type ClaimSpec struct {
	Name    string // in tables; may be empty
	Class   result.ClaimClass
	Text    string
	Source  string // where it is printed
	Printed any    // the printed number (int or float64) or words; nil: none
	Check   string // an expression; see package claims
	// Expected is the known outcome; "" means that the claim holds.
	Expected     result.Expected
	Construction bool   // the scenario sets what is claimed
	Reason       string // for Expected or Construction
	Exact        bool   // the printed numbers or formulas are met, not only an order or a trend
	Full         bool   // the small form of the scenario cannot show it

	path     string // claims[0]
	at       keys.FilePosition
	Stated   bool // the file gives the class
	Compiled *claims.Check
	unfit    string // why the overrides make the check invalid
}

// resolved returns the claim as a file gives it, or nil if the overrides make its check invalid.
func (c *ClaimSpec) resolved() jsonio.Object {
	if c.unfit != "" {
		return nil
	}
	var o jsonio.Object
	addNonZero(&o, "name", c.Name)
	o = append(o, jsonio.Of("text", c.Text, "source", c.Source)...)
	if c.Stated {
		o.Add("class", string(c.Class))
	}
	if c.Printed != nil {
		o.Add("printed", c.Printed)
	}
	o.Add("check", c.Check)
	addNonZero(&o, "expected", c.Expected)
	addNonZero(&o, "construction", c.Construction)
	if c.Expected != "" || c.Construction {
		o.Add("reason", c.Reason)
	}
	addNonZero(&o, "exact", c.Exact)
	if c.Full {
		o.Add("small", false)
	}
	return o
}

// claims reads the claims. compileExpressions compiles their checks.
func (r *reader) claims(list []keys.Args) []ClaimSpec {
	var all []ClaimSpec
	for _, a := range list {
		c := ClaimSpec{Full: !a.Bool("small"), Stated: a.Given("class"), path: a.Path(""), at: a.PosOf("check")}
		a.Fill(&c)
		if c.Expected == "holds" {
			c.Expected = ""
		}
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

// claimOutcome checks the expected outcome and its reason.
func (r *reader) claimOutcome(a keys.Args, c *ClaimSpec) {
	switch {
	case c.Expected != "" && c.Construction:
		r.Fail(a.Field("construction").KeyPos, a.Path("construction"), "keep one of the two",
			"a claim that holds by construction cannot be expected to come out otherwise")
	case c.Expected == result.Open && !a.Given("reason"):
		r.Fail(a.Field("expected").KeyPos, c.path, "write reason: why the runs do not decide it",
			"a claim that is expected to be undecided needs a reason")
	case c.Expected == result.Differs && !a.Given("reason"):
		r.Fail(a.Field("expected").KeyPos, c.path, "write reason: why it does not come out as printed",
			"a claim that is expected to differ needs a reason")
	case c.Construction && !a.Given("reason"):
		r.Fail(a.Field("construction").KeyPos, c.path, "write reason: what the scenario sets",
			"a claim that holds by construction needs a reason")
	case a.Given("reason") && c.Expected == "" && !c.Construction:
		r.Fail(a.Field("reason").KeyPos, a.Path("reason"), "leave it out",
			"only expected: differs or undecided, or construction: true, uses reason")
	}
}

// item matches a source that names an item of a paper, such as "Nazari et al., Figure 3b: K".
var item = regexp.MustCompile(
	`(?i), (supplementary ` +
		`)?(figures?|tables?|theorems?|corollar(y|ies)|lemmas?|propositions?|sections?|appendix|equations?|algorithms?|` +
		`examples?|remarks?|assumptions?) \S`)

// claimClass sets the class of a claim that states none: paper if it has a printed value, ours otherwise. It checks
// that a claim of a paper has a printed value and names its item.
func (r *reader) claimClass(a keys.Args, c *ClaimSpec) {
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

// Unfit returns for each claim why the overrides make its check invalid, or "".
func (s *Scenario) Unfit() []string {
	all := make([]string, len(s.Claims))
	for i, c := range s.Claims {
		all[i] = c.unfit
	}
	return all
}
