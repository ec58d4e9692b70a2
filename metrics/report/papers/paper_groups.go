package papers

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// paperGroup is a numbered table or figure of a paper, with its panels and the other items about it. All statements
// with proofs form one group, and so do all sections.
type paperGroup struct {
	whole *paperItem   // all that its parts have
	parts []*paperItem // those whose sources name it first
	also  []*paperItem // those of other groups, which name it too
}

// reference is a numbered item in a source, without the letters of panels.
type reference struct{ kind, number string }

func (r reference) String() string { return r.kind + " " + r.number }

// drawn reports whether the item is a group of its own.
func (r reference) drawn() bool { return r.kind == "Table" || r.kind == "Figure" }

// proved reports whether the item is a statement with a proof.
func (r reference) proved() bool {
	return slices.Contains([]string{"Theorem", "Corollary", "Lemma", "Proposition", "Remark"}, r.kind)
}

const numberPattern = `(?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z]?\b|[IVX]+\b`

var (
	referencePattern = regexp.MustCompile(`\b(Table|Figure|Theorem|Corollar|Lemma|Proposition|Remark|Algorithm|Secti` +
		`on|Appendix)` +
		`(?:s|y|ies)? ((?:` + numberPattern + `)(?:(?:,? and |, | to )(?:` + numberPattern + `|[a-z]\b))*)`)
	numberList = regexp.MustCompile(`to (\d+)|(` + numberPattern + `)`)
)

// references returns the references in the name of an item, in order and without duplicates: "Figures 1a, 1b and 3"
// refers to Figure 1 and Figure 3.
func references(name string) []reference {
	var all []reference
	for _, m := range referencePattern.FindAllStringSubmatch(name, -1) {
		kind := strings.Replace(m[1], "Corollar", "Corollary", 1)
		add := func(number string) {
			if r := (reference{kind, number}); !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
		last := 0
		for _, n := range numberList.FindAllStringSubmatch(m[2], -1) {
			if end, err := strconv.Atoi(n[1]); err == nil { // a range
				for k := last + 1; k <= end; k++ {
					add(strconv.Itoa(k))
				}
				continue
			}
			number := strings.TrimRight(n[2], "abcdefghijklmnopqrstuvwxyz")
			last, _ = strconv.Atoi(number)
			add(number)
		}
	}
	return all
}

// stated is the temporary name of the group of theorems.
const stated = "stated"

// home returns the name of the group of an item: a table or a figure, or stated; "" for the rest.
func home(name string) string {
	all := references(name)
	switch {
	case len(all) == 0:
		return ""
	case all[0].drawn():
		return all[0].String()
	case all[0].proved():
		return stated
	}
	return ""
}

// groupsOf divides items, which are in order, into groups.
func groupsOf(items []*paperItem) []*paperGroup {
	var groups []*paperGroup
	of := func(paper, name string) *paperGroup {
		i := slices.IndexFunc(groups, func(g *paperGroup) bool { return g.whole.paper == paper && g.whole.name == name })
		if i < 0 {
			i, groups = len(groups), append(groups, &paperGroup{whole: &paperItem{paper: paper, name: name}})
		}
		return groups[i]
	}
	for _, it := range items {
		g := of(it.paper, home(it.name))
		g.parts = append(g.parts, it)
		g.whole.add(it)
	}
	for _, it := range items {
		own := home(it.name)
		for _, r := range references(it.name) {
			if name := r.String(); r.drawn() && name != own {
				g := of(it.paper, name)
				g.also = append(g.also, it)
				g.whole.add(it)
			}
		}
	}
	for _, g := range groups {
		if name := g.whole.name; name == "" || name == stated {
			g.whole.name = bundleName(g.parts)
		}
		whole := func(it *paperItem) bool { return it.name == g.whole.name }
		if i := slices.IndexFunc(g.parts, whole); i > 0 { // it comes first
			part := g.parts[i]
			g.parts = slices.Insert(slices.Delete(g.parts, i, i+1), 0, part)
		}
	}
	slices.SortStableFunc(groups, func(a, b *paperGroup) int { return compareItems(a.whole, b.whole) })
	return groups
}

// add adds the contents of an item.
func (it *paperItem) add(part *paperItem) {
	it.claims = append(it.claims, part.claims...)
	it.tables = append(it.tables, part.tables...)
	it.figures = append(it.figures, part.figures...)
	for _, v := range part.scenarios {
		if !slices.Contains(it.scenarios, v) {
			it.scenarios = append(it.scenarios, v)
		}
	}
}

// bundleName lists the references of the parts by kind: "Theorems 1, 2; Corollary 8".
func bundleName(parts []*paperItem) string {
	var kinds []string
	numbers := map[string][]string{}
	add := func(kind, number string) {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		if number != "" && !slices.Contains(numbers[kind], number) {
			numbers[kind] = append(numbers[kind], number)
		}
	}
	for _, it := range parts {
		all := references(it.name)
		for _, r := range all {
			if !r.drawn() {
				add(r.kind, r.number)
			}
		}
		if len(all) == 0 && it.name != "" {
			add(it.name, "")
		}
	}
	var names []string
	for _, kind := range kinds {
		list := numbers[kind]
		slices.SortFunc(list, func(a, b string) int { return strings.Compare(numbered(a), numbered(b)) })
		switch len(list) {
		case 0:
			names = append(names, kind)
		case 1:
			names = append(names, kind+" "+list[0])
		default:
			names = append(names, fmt.Sprintf("%s %s", plurals(kind), strings.Join(list, ", ")))
		}
	}
	return strings.Join(names, "; ")
}

// plurals returns the plural of a kind of reference.
func plurals(kind string) string {
	switch kind {
	case "Corollary":
		return "Corollaries"
	case "Appendix":
		return "Appendices"
	}
	return kind + "s"
}
