package data

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The facts that UCI states: 8,124 samples, 4,208 edible, 3,916 poisonous; every
// attribute has a value, except stalk-root, which is unknown for 2,480 samples.
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

// letters writes this program's table as UCI does.
func letters(m *Mushrooms) string {
	var b strings.Builder
	for i, label := range m.Labels {
		b.WriteByte("ep"[label])
		at := i * m.Features()
		for _, of := range mushroomValues() {
			letter := byte('?')
			for k := range len(of) {
				if m.Inputs[at+k] == 1 {
					letter = of[k]
				}
			}
			at += len(of)
			b.WriteString("," + string(letter))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// moved returns the table in another form: numbered rows, the class last, another separator.
func moved(text string) string {
	b := strings.Builder{}
	b.WriteString(";" + strings.ReplaceAll(strings.Join(mushroomNames(), ";"), "-", "_") + ";poisonous\n")
	n := 0
	for line := range strings.Lines(text) {
		class, rest, _ := strings.Cut(strings.TrimSpace(line), ",")
		fmt.Fprintf(&b, "%d;%s;%s\n", n, strings.ReplaceAll(rest, ",", ";"), class)
		n++
	}
	return b.String()
}

// TestMushroomsOfUsers: UCI's file gives this program's table under any name, and so does
// svmlight's form.
func TestMushroomsOfUsers(t *testing.T) {
	table, err := new(Loader).Mushrooms()
	if err != nil {
		t.Fatal(err)
	}
	text := letters(table)
	// Facts of UCI's documentation, by attribute and value.
	columns := make([]map[string]int, 23)
	for line := range strings.Lines(text) {
		for column, value := range strings.Split(strings.TrimSpace(line), ",") {
			if columns[column] == nil {
				columns[column] = map[string]int{}
			}
			columns[column][value]++
		}
	}
	for want, count := range map[[2]string]int{
		{"5", "n"}: 3528, {"4", "t"}: 3376, {"8", "b"}: 5612, {"11", "?"}: 2480, {"16", "p"}: 8124, {"18", "o"}: 7488,
		{"20", "r"}: 72, {"22", "d"}: 3148, {"1", "c"}: 4, {"9", "b"}: 1728, {"3", "n"}: 2284, {"21", "v"}: 4040,
		{"19", "p"}: 3968,
		{"17", "w"}: 7924, {"13", "k"}: 2304, {"14", "w"}: 4464, {"2", "g"}: 4, {"10", "t"}: 4608, {"6", "f"}: 7914,
		{"7", "c"}: 6812,
	} {
		column, err := strconv.Atoi(want[0])
		if err != nil {
			t.Fatal(err)
		}
		if have := columns[column][want[1]]; have != count {
			t.Errorf("attribute %s is %s in %d mushrooms, want %d", want[0], want[1], have, count)
		}
	}
	const some = 2000 // mushrooms, for all forms
	table = &Mushrooms{table.Inputs[:some*MushroomInputs], table.Labels[:some]}
	text = letters(table)
	var sparse strings.Builder
	for i, label := range table.Labels {
		fmt.Fprint(&sparse, label)
		for j, v := range table.Inputs[i*MushroomInputs : (i+1)*MushroomInputs] {
			if v == 1 {
				fmt.Fprintf(&sparse, " %d:1", j+1)
			}
		}
		sparse.WriteByte('\n')
	}
	for form, content := range map[string][]byte{
		"letters": []byte(text), "packed": gzipped(t, []byte(text)),
		"heading":  []byte("kind" + strings.Repeat(",x", 22) + "\n" + text),
		"mark":     []byte("\ufeffclass" + strings.Repeat(",x", 22) + "\n" + text),
		"names":    []byte("class," + strings.Join(mushroomNames(), ",") + "\n" + text),
		"quoted":   []byte(`"` + strings.NewReplacer(",", `","`, "\n", "\"\r\n\"").Replace(strings.TrimSpace(text)) + `"`),
		"spaces":   []byte(strings.ReplaceAll(text, ",", ", ")),
		"tabs":     []byte(strings.ReplaceAll(text, ",", "\t")),
		"capitals": []byte(strings.ToUpper(text)),
		"words":    []byte(strings.NewReplacer("\np,", "\nPOISONOUS,", "\ne,", "\nedible,").Replace(text)),
		"moved":    []byte(moved(text)),
		"svmlight": []byte(sparse.String()),
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "Mine.TXT")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{dir, path} {
			m, err := new(Loader).MushroomsIn(at)
			if err != nil {
				t.Errorf("%s: %v", form, err)
				continue
			}
			// A last input that is never 1 is not a feature of svmlight's form.
			if !bytes.Equal(m.Labels, table.Labels) || m.Features() != MushroomInputs || !bytes.Equal(m.Inputs, table.Inputs) {
				t.Errorf("%s: %d mushrooms with %d inputs are not those of this program", form, len(m.Labels), m.Features())
			}
		}
	}
}

func TestMushroomsOfUsersErrors(t *testing.T) {
	for content, want := range map[string]string{
		"":                                     "mine: neither UCI's letters nor svmlight's format",
		"x" + strings.Repeat(",x", 22):         `line 1: the class is "x"; want e or p`,
		"e" + strings.Repeat(",x", 22):         `line 1: attribute 2 is "x"; want one of the letters fgys, or ?`,
		"e" + strings.Repeat(",?", 22) + "\np": "line 2 has 1 values; want 23",
		"class" + strings.Repeat(",x", 23):     "the heading has 24 columns; want 23, the class and 22 attributes",
		strings.Repeat("y", 2000):              "the label is \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"; want",
		"1 1:1\n1 2:1\n":                       "the labels are [1]; want two",
		"1 1:1\n2 2:0.5\n":                     "sample 2: feature 2 is 0.5; want 0 or 1",
		"1 1:1\n2 2000000:1\n":                 "there are 2000000 features; want 1 to 10000",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "mine"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := new(Loader).MushroomsIn(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: error %v, want %q", content, err, want)
		}
	}
}
