package claims

import (
	"strings"

	"tallynet/scenarios/keys"
)

// meant proposes the name that is nearest to a word, or lists them.
func meant(word string, names []string, otherwise string) string {
	switch best := keys.Nearest(word, names); {
	case best != "":
		return "did you mean " + best + "?"
	case otherwise != "" || len(names) == 0:
		return otherwise
	}
	return "it may be: " + strings.Join(names, ", ")
}
