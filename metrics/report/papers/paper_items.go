package papers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tallynet/metrics/report/result"
)

// Verified is a scenario whose claims were checked.
type Verified struct {
	Scenario string // its name
	File     string // its path, as the command line has it; may be empty
	Claims   []result.Claim
	Tables   []result.PaperTable
	Figures  []result.PaperFigure
	Settings []result.Compared
	Small    string  // what its small form changes, in words; may be empty
	Seconds  float64 // that its runs took; 0: not known
	Program  string  // that made the runs, and when, in words; may be empty
	Missing  string  // why there are no runs, as "not run"; "" where there are
}

// paperItem is a table, a figure or a theorem of a paper, named by the beginning of sources up to the first colon.
type paperItem struct {
	paper, name string
	claims      []result.Claim
	tables      []drawnTable
	figures     []drawnFigure
	scenarios   []*Verified
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

// thisStudy is the source of claims that are about no paper. They are on no page.
const thisStudy = "this study"

// itemOf returns the paper and the item in a source: "Ji et al., Table 3: ...".
func itemOf(source string) (paper, name string) {
	head, _, _ := strings.Cut(source, ":")
	paper, name, _ = strings.Cut(head, ", ")
	return strings.TrimSpace(paper), strings.TrimSpace(name)
}

// itemsOf collects claims, tables and figures by paper and item: tables first, then figures, theorems and the rest,
// each by number. Within an item, scenarios that reproduce a whole table or figure come before those that study an
// aspect of it. The source "this study" is left out.
func itemsOf(all []Verified) []*paperItem {
	var items []*paperItem
	of := func(v *Verified, source string) *paperItem {
		paper, name := itemOf(source)
		k := slices.IndexFunc(items, func(it *paperItem) bool { return it.paper == paper && it.name == name })
		if k < 0 {
			k, items = len(items), append(items, &paperItem{paper: paper, name: name})
		}
		if !slices.Contains(items[k].scenarios, v) {
			items[k].scenarios = append(items[k].scenarios, v)
		}
		return items[k]
	}
	files := fileNames{}
	for _, v := range wholeFirst(all) {
		for _, c := range v.Claims {
			if paper, _ := itemOf(c.Source); paper != thisStudy {
				it := of(v, c.Source)
				it.claims = append(it.claims, c)
			}
		}
		for k := range v.Tables {
			if paper, _ := itemOf(v.Tables[k].Source); paper == thisStudy {
				continue
			}
			it := of(v, v.Tables[k].Source)
			it.tables = append(it.tables, drawnTable{files.next(v.Scenario, v.Tables[k].Name), &v.Tables[k]})
		}
		for k := range v.Figures {
			if paper, _ := itemOf(v.Figures[k].Source); paper == thisStudy {
				continue
			}
			it := of(v, v.Figures[k].Source)
			it.figures = append(it.figures, drawnFigure{files.next(v.Scenario, v.Figures[k].Name), &v.Figures[k]})
		}
	}
	slices.SortStableFunc(items, compareItems)
	return items
}

// wholeFirst returns the scenarios, first those with a table or a figure whose source is only its item: "Niu et al.,
// Table I", and not "Niu et al., Table I: readings of the start".
func wholeFirst(all []Verified) []*Verified {
	var whole, aside []*Verified
	for i := range all {
		v := &all[i]
		makes := slices.ContainsFunc(v.Tables, func(t result.PaperTable) bool { return !strings.Contains(t.Source, ":") }) ||
			slices.ContainsFunc(v.Figures, func(f result.PaperFigure) bool { return !strings.Contains(f.Source, ":") })
		if makes {
			whole = append(whole, v)
		} else {
			aside = append(aside, v)
		}
	}
	return append(whole, aside...)
}

// compareItems orders items by paper, kind and number.
func compareItems(a, b *paperItem) int {
	return cmp.Or(strings.Compare(a.paper, b.paper), cmp.Compare(rankOf(a.name), rankOf(b.name)),
		strings.Compare(numbered(a.name), numbered(b.name)))
}

// rankOf orders kinds of items.
func rankOf(name string) int {
	for i, kinds := range [][]string{{"table"}, {"figure"}, {"theorem", "corollary", "lemma", "proposition"}} {
		for _, kind := range kinds {
			if strings.HasPrefix(strings.ToLower(name), kind) {
				return i
			}
		}
	}
	return 3
}

var (
	digits = regexp.MustCompile(`[0-9]+`)
	noSlug = regexp.MustCompile(`[^a-z0-9]+`)
)

// numbered pads the numbers in a name, so that 10 comes after 2.
func numbered(name string) string {
	return digits.ReplaceAllStringFunc(name, func(n string) string { return fmt.Sprintf("%8s", n) })
}

// slug makes a name of letters, digits and hyphens, of at most 60 characters.
func slug(text string) string {
	const longest = 60
	clean := strings.Trim(noSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
	return strings.Trim(clean[:min(len(clean), longest)], "-")
}

// pageOf returns the name of a paper's page, after the first word of its sources.
func pageOf(paper string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(paper), " ")
	name := slug(first)
	if name == "" || name == "readme" {
		name = strings.Trim("paper-"+name, "-")
	}
	return name + ".md"
}

// fileNames hands out unique names of files.
type fileNames map[string]bool

func (f fileNames) next(scenario, name string) string {
	base := cmp.Or(slug(scenario+"-"+name), "item")
	if strings.HasPrefix(slug(name), slug(scenario)) { // as in dagm-table1, dagm-table1
		base = cmp.Or(slug(name), base)
	}
	for n, out := 2, base; ; n++ {
		if !f[out] {
			f[out] = true
			return out
		}
		out = fmt.Sprintf("%s-%d", base, n)
	}
}

// of returns the claims of a class.
func (it *paperItem) of(class result.ClaimClass) []result.Claim {
	var all []result.Claim
	for i := range it.claims {
		if it.claims[i].Of() == class {
			all = append(all, it.claims[i])
		}
	}
	return all
}

// missing returns why nothing was measured; "" if something was.
func (it *paperItem) missing() string {
	for _, v := range it.scenarios {
		if v.Missing == "" {
			return ""
		}
	}
	return it.scenarios[0].Missing
}

// verdict summarizes the outcomes of a class of claims in a few words.
func (it *paperItem) verdict(class result.ClaimClass) string {
	claims := it.of(class)
	t, n := CountClaims(claims), len(claims)
	set := 0
	exact := true
	for i := range claims {
		if claims[i].Construction {
			set++
		}
		exact = exact && claims[i].Exact
	}
	good := map[result.ClaimClass]string{result.OfPaper: "reproduced", result.OfBound: "consistent with the bound",
		result.Ours: "holds"}[class]
	if class == result.OfPaper && exact {
		good = "reproduced exactly"
	}
	switch {
	case n == 0:
		return "-"
	case it.missing() != "":
		return it.missing()
	case t[undecided]+t[open] == n:
		return "undecided"
	case !t.Good():
		return "not as stated: " + t.Short()
	case t[differs] == n:
		return "differs"
	case t[differs]+t[open] > 0:
		return t.of(n)
	case set == n:
		return "by construction"
	case set > 0:
		return fmt.Sprintf("%s, %d of %d by construction", good, set, n)
	case class == result.Ours:
		return fmt.Sprintf("%d of %d hold", t[holds], n)
	}
	return good
}

// of says how many of n statements have an outcome other than stated.
func (t ClaimCounts) of(n int) string {
	switch {
	case t[open] == 0:
		return fmt.Sprintf("differs in %d of %d", t[differs], n)
	case t[differs] == 0:
		return fmt.Sprintf("%d of %d undecided", t[open], n)
	}
	return fmt.Sprintf("differs in %d of %d, %d undecided", t[differs], n, t[open])
}

// seconds returns the duration of the item's runs; 0 if it is not known of all.
func (it *paperItem) seconds() float64 {
	sum := 0.0
	for _, v := range it.scenarios {
		if v.Seconds <= 0 {
			return 0
		}
		sum += v.Seconds
	}
	return sum
}

// picture returns the name of a picture without its extension, or "".
func (it *paperItem) picture() string {
	if len(it.figures) > 0 {
		return it.figures[0].file
	}
	for _, t := range it.tables {
		if _, ok := paperFigure(t.PaperTable); ok {
			return t.file
		}
	}
	return ""
}
