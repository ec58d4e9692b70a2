package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// mushroomValues are the values of UCI's 22 attributes, in the order of
// agaricus-lepiota.names. Each is one of the 125 inputs; "?", an unknown stalk root, is none.
func mushroomValues() []string {
	return []string{
		"bcxfks", "fgys", "nbcgrpuewy", "tf", "alcyfmnps", "adfn", "cwd", "bn", "knbhgropuewy", "et", "bcuezr",
		"fyks", "fyks", "nbcgopewy", "nbcgopewy", "pu", "nowy", "not", "ceflnpsz", "knbhrouwy", "acnsvy", "glmpuwd",
	}
}

// mushroomNames are the names of the attributes, as a heading has them.
func mushroomNames() []string {
	return strings.Fields(`cap-shape cap-surface cap-color bruises odor gill-attachment gill-spacing gill-size gill-color
		stalk-shape stalk-root stalk-surface-above-ring stalk-surface-below-ring stalk-color-above-ring
		stalk-color-below-ring veil-type veil-color ring-number ring-type spore-print-color population habitat`)
}

// lettersSeparator returns the separator of a table of letters, or 0 if raw is no such
// table.
func lettersSeparator(raw []byte) rune {
	first, _, _ := bytes.Cut(raw[:min(len(raw), 1000)], []byte("\n"))
	for _, separator := range ",;\t" {
		if bytes.Count(first, []byte(string(separator))) >= len(mushroomValues()) {
			return separator
		}
	}
	return 0
}

// parseLetters reads lines such as "p,x,s,n,...": the class and a letter for each attribute.
// A heading may name the columns. Then they may be in any order, among other columns.
func parseLetters(raw []byte, separator rune) (*Mushrooms, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = separator, -1, true
	r.TrimLeadingSpace = separator != '\t'
	values := mushroomValues()
	at := make([]int, 1+len(values)) // the columns of the class and the attributes
	for k := range at {
		at[k] = k
	}
	width := len(at)
	m := &Mushrooms{}
	for first := true; ; first = false {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for k := range cells {
			cells[k] = strings.ToLower(strings.TrimSpace(cells[k]))
		}
		if first && slices.ContainsFunc(cells, isHeading) {
			width = len(cells)
			if err := findColumns(at, cells); err != nil {
				return nil, err
			}
			continue
		}
		line, _ := r.FieldPos(0)
		if len(cells) != width {
			return nil, fmt.Errorf("line %d has %d values; want %d, the class and %d attributes", line, len(cells), width,
				len(values))
		}
		if err := m.addLetters(cells, at); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if len(m.Labels) == 0 {
		return nil, errors.New("there are no mushrooms below the heading")
	}
	return m, nil
}

// isHeading reports whether a cell is in the heading: values are single letters.
func isHeading(cell string) bool {
	return len([]rune(cell)) > 1 && cell != "edible" && cell != "poisonous"
}

// findColumns finds the columns of the class and the attributes by the names of UCI's
// documentation. If the heading has other names, the order of that documentation holds.
func findColumns(at []int, heading []string) error {
	plain := make([]string, len(heading))
	for k, name := range heading {
		plain[k] = strings.NewReplacer("_", "-", " ", "-", ".", "-", "?", "").Replace(name)
	}
	columns := make([]int, 0, len(at))
	class := []string{"class", "poisonous", "edible", "edibility", "type", "label", "target"}
	columns = append(columns, slices.IndexFunc(plain, func(name string) bool { return slices.Contains(class, name) }))
	for _, name := range mushroomNames() {
		columns = append(columns, slices.Index(plain, name))
	}
	switch {
	case !slices.Contains(columns, -1):
		copy(at, columns)
	case len(heading) != len(at):
		return fmt.Errorf("the heading has %d columns; want %d, the class and %d attributes, or the names of "+
			"agaricus-lepiota.names", len(heading), len(at), len(at)-1)
	}
	return nil
}

// addLetters adds a mushroom, whose class and attributes are in some columns.
func (m *Mushrooms) addLetters(cells []string, at []int) error {
	label := slices.Index([]string{"e", "p", "edible", "poisonous"}, cells[at[0]])
	if label < 0 {
		return fmt.Errorf("the class is %.20q; want e or p", cells[at[0]])
	}
	for a, of := range mushroomValues() {
		own, letter := make([]byte, len(of)), cells[at[a+1]]
		switch k := strings.Index(of, letter); {
		case len(letter) == 1 && k >= 0:
			own[k] = 1
		case letter != "?":
			return fmt.Errorf("attribute %d is %.20q; want one of the letters %s, or ?", a+1, letter, of)
		}
		m.Inputs = append(m.Inputs, own...)
	}
	m.Labels = append(m.Labels, byte(label%2))
	return nil
}
