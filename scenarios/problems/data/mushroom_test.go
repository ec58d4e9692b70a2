package data

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// The facts that UCI states: 8,124 samples, 4,208 edible, 3,916 poisonous; every
// attribute has one value, except stalk-root, unknown for 2,480 samples.
func TestMushrooms(t *testing.T) {
	var l Loader
	m, err := l.Mushrooms()
	if err != nil {
		t.Fatal(err)
	}
	poisonous, unknown := 0, 0
	for i, label := range m.Labels {
		poisonous += int(label)
		ones := 0
		for _, v := range m.Inputs[i*MushroomInputs : (i+1)*MushroomInputs] {
			ones += int(v)
		}
		switch ones {
		case 22:
		case 21:
			unknown++
		default:
			t.Fatalf("sample %d has %d ones", i, ones)
		}
	}
	if len(m.Labels) != 8124 || poisonous != 3916 || unknown != 2480 {
		t.Errorf("%d samples, %d poisonous, %d with an unknown attribute", len(m.Labels), poisonous, unknown)
	}
	if again, _ := l.Mushrooms(); again != m {
		t.Error("read twice")
	}
	var other bytes.Buffer
	w := gzip.NewWriter(&other)
	if _, err := w.Write([]byte("class,inputs\ne,0\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for what, packed := range map[string][]byte{"the table's sha256 is": other.Bytes(),
		"mushroom: gzip": []byte("no gzip at all"), "unexpected EOF": mushroomPacked[:1000]} {
		if _, err := readMushrooms(packed); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want %q", err, what)
		}
	}
}
