package claims

import (
	"strings"

	"tallynet/scenarios/keys"
)

// meant returns a hint that proposes the nearest name, or else lists the names.
func meant(word string, names []string, otherwise string) string {
	switch best := keys.Nearest(word, names); {
	case best != "":
		return "did you mean " + best + "?"
	case otherwise != "" || len(names) == 0:
		return otherwise
	}
	return "it may be: " + strings.Join(names, ", ")
}
