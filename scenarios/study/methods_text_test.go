package study

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/scenariotest"
)

// The text of a method stands in the catalog and at its type. Both name the same authors,
// and both say or neither that something differs from the paper.
func TestMethodTextsAgree(t *testing.T) {
	docs := methodDocs(t)
	for _, e := range catalog.Algorithms() {
		m := methodOf(t, scenariotest.Catalog(), e.Name, variants(e, nil)[0])()
		kind := strings.TrimPrefix(fmt.Sprintf("%T", m), "algorithms.")
		doc, ok := docs[kind]
		if !ok {
			t.Errorf("%s: type %s has no doc comment", e.Name, kind)
			continue
		}
		authors, _, _ := strings.Cut(e.Source, ":")
		if !strings.Contains(wordsOf(doc), wordsOf(authors)) {
			t.Errorf("%s: the catalog's source is %q; the comment of %s does not name these authors", e.Name, authors, kind)
		}
		if strings.Contains(doc, "Departure:") != (e.Departures != "") {
			t.Errorf("%s: either the catalog or the comment of %s states a departure, not both", e.Name, kind)
		}
	}
}

// methodDocs returns the doc comments of the types of package algorithms.
func methodDocs(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../algorithms/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	docs := map[string]string{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && g.Doc != nil {
				docs[g.Specs[0].(*ast.TypeSpec).Name.Name] = g.Doc.Text()
			}
		}
	}
	return docs
}

// wordsOf is the words of a text, without what lies between them.
func wordsOf(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.ToLower(strings.Join(words, " "))
}
