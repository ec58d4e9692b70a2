package figure

import (
	"reflect"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestLettersThatTheFontLacks: names of one length in a script that the font lacks look different, and joiners
// take no room.
func TestLettersThatTheFontLacks(t *testing.T) {
	l := lettering{face: bold(), size: 10}
	a, b := l.outlines("中文", vg.Point{}, left), l.outlines("文中", vg.Point{}, left)
	if len(a) == 0 || reflect.DeepEqual(a, b) {
		t.Errorf("中文 and 文中 have the same outlines of %d segments", len(a))
	}
	if wide := l.width("中"); wide < 5 || wide > 10 || l.width("中\ufe0f\u200d") != wide || l.width("😀") <= wide {
		t.Errorf("中 is %v wide, with a variant %v, 😀 %v", wide, l.width("中\ufe0f\u200d"), l.width("😀"))
	}
}
