package spec

import (
	_ "embed"
	"strings"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/keys"
)

//go:embed template.txt
var template string

// Template returns a commented scenario that runs in about a second. It lists the names of the catalog.
func Template(cat *catalog.Catalog) []byte {
	list := func(entries []keys.Entry) string {
		var b strings.Builder
		column := 0
		for i, name := range keys.EntryNames(entries) {
			if i > 0 && column+len(name) > 70 {
				b.WriteString("\n  #   ")
				column = 0
			} else if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(name)
			column += len(name) + 1
		}
		return b.String()
	}
	return []byte(strings.NewReplacer(
		"{topologies}", list(catalog.Entries(cat.Topologies)), "{weights}", list(catalog.Entries(cat.Weights)),
		"{problems}", list(catalog.Entries(cat.Problems)), "{algorithms}", list(catalog.Entries(cat.Algorithms)),
	).Replace(template))
}
