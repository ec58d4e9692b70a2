package views

import (
	"strings"
	"testing"
)

// Letters that pictures cannot show are named once, with a format that shows them; other figures have no such note.
func TestUnwrittenLettersAreNamed(t *testing.T) {
	for name, s := range printed(t) {
		_, notes, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		var about []string
		for _, n := range notes {
			if strings.Contains(n, "cannot show") {
				about = append(about, n)
			}
		}
		switch want := strings.HasPrefix(name, "names"); {
		case want != (len(about) == 1):
			t.Errorf("%s: the notes are %q", name, notes)
		case want && (!strings.Contains(about[0], "日本") || !strings.Contains(about[0], "the SVG")):
			t.Errorf("%s: the note is %q", name, about[0])
		}
	}
}
