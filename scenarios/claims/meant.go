package claims

import "strings"

// meant proposes the name that is nearest to a word, or lists them.
func meant(word string, names []string, otherwise string) string {
	best, least := "", 1+max(1, len(word)/3)
	for _, n := range names {
		if d := distance(strings.ToLower(word), strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	switch {
	case best != "":
		return "did you mean " + best + "?"
	case otherwise != "" || len(names) == 0:
		return otherwise
	}
	return "it may be: " + strings.Join(names, ", ")
}

// distance counts the insertions, deletions and substitutions that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
