package page

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestLibraryIsTheDocumentedOne holds the embedded file against docs/dependencies.md.
func TestLibraryIsTheDocumentedOne(t *testing.T) {
	doc, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(library))
	if digest := hex.EncodeToString(sum[:]); !strings.Contains(string(doc), "`"+digest+"`") {
		t.Errorf("docs/dependencies.md does not have the library's sha256, %s", digest)
	}
	if version := `version="6.1.0"`; !strings.Contains(string(doc), "echarts 6.1.0") || !strings.Contains(library, version) {
		t.Errorf("the version in docs/dependencies.md is not the library's")
	}
}

// TestParts holds what embedding relies on: no part may end its element early, and a
// browser turns \r into \n before it compares a script with its digest.
func TestParts(t *testing.T) {
	for name, text := range map[string]string{"library": library, "script": script} {
		if strings.Contains(strings.ToLower(text), "</script") || strings.Contains(text, "<!--") {
			t.Errorf("the %s would end its element", name)
		}
		if strings.Contains(text, "\r") {
			t.Errorf("the %s has carriage returns", name)
		}
	}
	if strings.Contains(strings.ToLower(style), "</style") {
		t.Error("the style would end its element")
	}
	for name, text := range map[string]string{"style": style, "script": script} {
		if strings.Contains(text, "http:") || strings.Contains(text, "https:") || strings.Contains(text, "url(") {
			t.Errorf("the %s refers to something outside", name)
		}
	}
}
