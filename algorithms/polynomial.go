package algorithms

import (
	"fmt"
	"slices"
	"strings"
)

// polynomial is a sum of monomials in the variables of a cost.
type polynomial []monomial

// monomial is a coefficient and the exponents of the variables.
type monomial struct {
	exponents   []int
	coefficient float64
}

// costVariable is a dimension, or a field of a method.
type costVariable struct {
	name  string
	field bool
}

// at returns the value at a point.
func (p polynomial) at(point []int) (sum float64) {
	for _, m := range p {
		term := m.coefficient
		for i, e := range m.exponents {
			for range e {
				term *= float64(point[i])
			}
		}
		sum += term
	}
	return sum
}

// has reports whether a variable occurs.
func (p polynomial) has(variable int) bool {
	return slices.ContainsFunc(p, func(m monomial) bool { return m.exponents[variable] > 0 })
}

// text writes the polynomial with fields as coefficients of the dimensions, p + (inner + neumann) q, and
// returns the number of its terms.
func (p polynomial) text(variables []costVariable) (text string, terms int) {
	p = slices.SortedStableFunc(slices.Values(p), func(a, b monomial) int {
		return slices.Compare(a.rank(variables), b.rank(variables))
	})
	for len(p) > 0 {
		head := p[0].product(variables, false)
		n := slices.IndexFunc(p, func(m monomial) bool { return m.product(variables, false) != head })
		if n < 0 {
			n = len(p)
		}
		coefficient := ""
		for _, m := range p[:n] {
			coefficient = plus(coefficient, m.times(variables, head == "" || n > 1))
		}
		switch {
		case head == "":
			terms += n - 1
		case n > 1:
			coefficient = "(" + coefficient + ")"
		}
		text, terms, p = plus(text, strings.TrimSpace(coefficient+" "+head)), terms+1, p[n:]
	}
	return text, terms
}

// plus adds a term to a sum.
func plus(sum, term string) string {
	rest, negative := strings.CutPrefix(term, "-")
	switch {
	case sum == "":
		return term
	case negative:
		return sum + " - " + rest
	}
	return sum + " + " + term
}

// rank orders monomials for reading: by their degree in the dimensions, then p before q, then products of
// fields before constants. Monomials without dimensions, and those that are subtracted from others, come
// last.
func (m monomial) rank(variables []costVariable) []int {
	last, degree, fields, dims := 0, 0, 0, []int{}
	for i, v := range variables {
		if v.field {
			fields += m.exponents[i]
			continue
		}
		degree += m.exponents[i]
		dims = append(dims, -m.exponents[i])
	}
	if degree == 0 || fields == 0 && m.coefficient < 0 {
		last = 1
	}
	return slices.Concat([]int{last, degree}, dims, []int{-fields})
}

// product returns the product of the fields, or of the dimensions.
func (m monomial) product(variables []costVariable, fields bool) string {
	var all []string
	for i, e := range m.exponents {
		if e > 0 && variables[i].field == fields {
			all = append(all, variables[i].name+strings.Repeat("²", e-1))
		}
	}
	return strings.Join(all, " ")
}

// times returns the coefficient and the fields; a 1 alone only if it is wanted.
func (m monomial) times(variables []costVariable, one bool) string {
	fields := m.product(variables, true)
	switch {
	case m.coefficient == 1 && (fields != "" || !one):
		return fields
	case m.coefficient == -1 && fields != "":
		return "-" + fields
	}
	return strings.TrimSpace(fmt.Sprintf("%v %s", m.coefficient, fields))
}
