package data

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the table
	"fmt"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// MushroomInputs is the number of inputs of a mushroom: 0 or 1, one for each value
// of each attribute. 21 or 22 of them are 1.
const MushroomInputs = 125

// mushroomSHA256 is that of the uncompressed table.
const mushroomSHA256 = "e0504fa9b6c8a6dbeb435066aa24a1bba5939f40ca910dcdd3d7fe79d2a382da"

// docs/data.md says how the table is made.
//
//go:embed mushroom.csv.gz
var mushroomPacked []byte

// Mushrooms is UCI's Mushroom data set: 8,124 descriptions of gilled mushrooms, 4,208
// edible and 3,916 poisonous, with one-hot inputs. From G. Lincoff, The Audubon
// Society Field Guide to North American Mushrooms, 1981, given to the UCI Machine
// Learning Repository by J. Schlimmer, doi 10.24432/C5959T; licence CC BY 4.0.
type Mushrooms struct {
	Inputs []byte // one sample after the other, 0 or 1 each; MushroomInputs in this program's
	Labels []byte // 0 edible, 1 poisonous
}

// Features returns the number of inputs of a mushroom.
func (m *Mushrooms) Features() int { return len(m.Inputs) / len(m.Labels) }

// Mushrooms returns the data set, which is embedded in the program. It is shared and must
// not be changed.
func (l *Loader) Mushrooms() (*Mushrooms, error) {
	return l.mushrooms.get("", func() (*Mushrooms, error) { return readMushrooms(mushroomPacked) })
}

func readMushrooms(packed []byte) (*Mushrooms, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("mushroom: %w", err)
	}
	var table bytes.Buffer
	if _, err := table.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("mushroom: after %d uncompressed bytes: %w", table.Len(), err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(table.Bytes())); got != mushroomSHA256 {
		return nil, fmt.Errorf("mushroom: the table's sha256 is %s, want %s: "+
			"this program was built from a damaged file; build it from a clean checkout", got, mushroomSHA256)
	}
	lines := strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n")[1:] // below the heading
	m := &Mushrooms{Inputs: make([]byte, 0, len(lines)*MushroomInputs), Labels: make([]byte, 0, len(lines))}
	for _, line := range lines {
		class, inputs, _ := strings.Cut(line, ",")
		label := byte(0)
		if class == "p" {
			label = 1
		}
		m.Labels = append(m.Labels, label)
		for _, c := range []byte(inputs) {
			m.Inputs = append(m.Inputs, c-'0')
		}
	}
	return m, nil
}
