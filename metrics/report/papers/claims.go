package papers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tallynet/metrics/report/quantity"
	"tallynet/metrics/report/result"
	"tallynet/metrics/report/table"
)

// ClaimsTable lists claims with their sources, the printed values, the measured values and the verdicts. If wrap is
// true, long cells continue in rows of their own.
func ClaimsTable(title string, claims []result.Claim, wrap bool) table.Table {
	out := table.Table{Title: title, Columns: table.WordColumns("claim", "printed", "measured", "verdict")}
	for i := range claims {
		out.Rows = append(out.Rows, claimRows(&claims[i], wrap)...)
	}
	return out
}

// claimRows returns the rows of a claim: several if wrap is true.
func claimRows(c *result.Claim, wrap bool) [][]table.Cell {
	words, printed, verdict := c.Text+" ("+c.Source+")", cmp.Or(c.PrintedText(), "-"), c.Outcome()
	parts := measuredParts(c, shortName, quantity.Measured)
	switch {
	case c.Cells != nil:
		parts = []string{cellsText(c.Cells)}
	case len(parts) == 0:
		parts = []string{c.Check}
	}
	notes := ""
	if why := c.Why(); why != "" {
		notes = ": " + why
	}
	if !wrap {
		return [][]table.Cell{{table.Text(words), table.Text(printed), table.Text(strings.Join(parts, "; ")),
			table.Text(verdict + notes)}}
	}
	var measured []string
	for _, p := range parts {
		measured = append(measured, broken(p, 40)...)
	}
	cells := [][]string{broken(words, 36), broken(printed, 14), measured, broken(verdict+notes, 14)}
	height := 0
	for _, c := range cells {
		height = max(height, len(c))
	}
	rows := make([][]table.Cell, height)
	for i := range rows {
		for _, c := range cells {
			text := ""
			if i < len(c) {
				text = c[i]
			}
			rows[i] = append(rows[i], table.Text(text))
		}
	}
	return rows
}

// measuredParts returns "name = value" for each part of the check.
func measuredParts(c *result.Claim, name func(string) string, number func(float64) string) []string {
	var parts []string
	for _, p := range c.Parts(number) {
		parts = append(parts, name(p.Name)+" = "+p.Text)
	}
	return parts
}

// shortName omits long arguments from a long part of a check: slope(...).value. The check itself has them.
func shortName(name string) string {
	const long, short = 56, 24
	if len([]rune(name)) <= long {
		return name
	}
	out, inside, depth := "", "", 0
	for _, r := range name {
		if r == ')' {
			depth--
			if depth == 0 {
				if len([]rune(inside)) > short {
					inside = "..."
				}
				out, inside = out+inside, ""
			}
		}
		if depth > 0 {
			inside += string(r)
		} else {
			out += string(r)
		}
		if r == '(' {
			depth++
		}
	}
	return out
}

// fullNumber returns a number with all digits, for programs.
func fullNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// fullCell returns a cell with all digits; NaN is missing.
func fullCell(x float64) table.Cell {
	if math.IsNaN(x) {
		return table.Missing()
	}
	return table.Text(fullNumber(x))
}

// broken breaks text into lines of at most width characters, between words or within a word that is longer.
func broken(text string, width int) []string {
	var pieces []string
	for _, word := range strings.Fields(text) {
		for piece := range slices.Chunk([]rune(word), width) {
			pieces = append(pieces, string(piece))
		}
	}
	return table.Lines(strings.Join(pieces, " "), func(line string) bool { return len([]rune(line)) <= width })
}

// ClaimCounts counts claims by their outcomes.
type ClaimCounts [outcomes]int

// The outcomes of claims.
const (
	holds = iota
	differs
	fails
	undecided
	unexpected
	open
	outcomes
)

var outcomeNames = [outcomes]string{"hold", "differ", "fail", "undecided", "otherwise than expected",
	"undecided as expected"}

// CountClaims counts claims by their outcomes.
func CountClaims(claims []result.Claim) (t ClaimCounts) {
	for i := range claims {
		t[outcomeOf(&claims[i])]++
	}
	return t
}

func outcomeOf(c *result.Claim) int {
	switch {
	case c.Verdict == result.Undecided && c.Expected == result.Open:
		return open
	case c.Verdict == result.Undecided:
		return undecided
	case c.Expected != "" && c.Wrong():
		return unexpected
	case c.Expected == result.Differs:
		return differs
	case c.Wrong():
		return fails
	}
	return holds
}

// Plus returns t + o.
func (t ClaimCounts) Plus(o ClaimCounts) ClaimCounts {
	for i := range t {
		t[i] += o[i]
	}
	return t
}

// Good reports whether every claim is decided as expected.
func (t ClaimCounts) Good() bool { return t[fails]+t[undecided]+t[unexpected] == 0 }

// String returns the counts of the usual outcomes, and of the others where there are any.
func (t ClaimCounts) String() string {
	text := fmt.Sprintf("%d hold, %d fail, %d differ as expected, %d undecided", t[holds], t[fails], t[differs],
		t[undecided])
	if rest := (ClaimCounts{unexpected: t[unexpected], open: t[open]}).Short(); rest != "" {
		text += ", " + rest
	}
	return text
}

// Short returns the counts that are not 0.
func (t ClaimCounts) Short() string {
	var parts []string
	for i, n := range t {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcomeNames[i]))
		}
	}
	return strings.Join(parts, ", ")
}

// All returns the number of claims.
func (t ClaimCounts) All() int {
	n := 0
	for _, of := range t {
		n += of
	}
	return n
}

// ClaimSheet lists claims for programs, one per line.
func ClaimSheet(all []Verified) table.Table {
	sheet := table.Table{Columns: table.WordColumns("scenario", "source", "claim", "printed", "measured", "verdict",
		"why", "class")}
	for i := range all {
		for k := range all[i].Claims {
			c := &all[i].Claims[k]
			parts := measuredParts(c, func(name string) string { return name }, fullNumber)
			if c.Cells != nil {
				parts = []string{cellsText(c.Cells)}
			}
			var row []table.Cell
			for _, text := range []string{all[i].Scenario, c.Source, c.Text, c.PrintedText(), strings.Join(parts, "; "),
				c.Outcome(), c.Why(), string(c.Of())} {
				row = append(row, table.Text(text))
			}
			sheet.Rows = append(sheet.Rows, row)
		}
	}
	return sheet
}
