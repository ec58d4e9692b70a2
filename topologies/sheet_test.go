package topologies

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"tallynet/sim/golden"
)

func sheet(t *testing.T, graphs ...*Graph) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSheet(&b, graphs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldenSheet(t *testing.T) {
	golden.Check(t, "testdata/sheet.svg", sheet(t, made(Ring(5)), made(Star(4, 0)), made(Grid(2, 3))))
}

// TestSheet parses a sheet of all families. Each graph must have a panel inside the sheet that overlaps no
// other, with all nodes inside the panel's frame.
func TestSheet(t *testing.T) {
	graphs := families()
	type panel struct{ x, y, width, height, circles float64 }
	var width, height float64
	var panels []panel
	var frame []float64 // the viewBox of the panel
	depth := 0
	dec := xml.NewDecoder(strings.NewReader(sheet(t, graphs...)))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.EndElement); ok && e.Name.Local == "svg" {
			depth--
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		num := make(map[string]float64)
		for _, a := range e.Attr {
			num[a.Name.Local], _ = strconv.ParseFloat(a.Value, 64) // other attributes are not numbers
			if a.Name.Local == "viewBox" {
				frame = nil
				for _, s := range strings.Fields(a.Value) {
					frame = append(frame, must(strconv.ParseFloat(s, 64)))
				}
			}
		}
		switch {
		case e.Name.Local == "svg" && depth == 0:
			width, height = num["width"], num["height"]
			depth++
		case e.Name.Local == "svg":
			panels = append(panels, panel{num["x"], num["y"], num["width"], num["height"], 0})
			depth++
		case e.Name.Local == "circle":
			panels[len(panels)-1].circles++
			x, y, r := num["cx"], num["cy"], num["r"]
			if !(x-r >= frame[0] && y-r >= frame[1] && x+r <= frame[0]+frame[2]+0.1 && y+r <= frame[1]+frame[3]+0.1) {
				t.Errorf("panel %d: a node at (%g, %g) outside %v", len(panels)-1, x, y, frame)
			}
		}
	}
	if len(panels) != len(graphs) {
		t.Fatalf("%d panels for %d graphs", len(panels), len(graphs))
	}
	for i, p := range panels {
		if int(p.circles) != graphs[i].Nodes() {
			t.Errorf("panel %d: %g nodes, want those of %s", i, p.circles, graphs[i].Name())
		}
		if p.x < 0 || p.y < 0 || p.x+p.width > width || p.y+p.height > height {
			t.Errorf("panel %d sticks out: %+v of %g x %g", i, p, width, height)
		}
		for j, q := range panels[:i] {
			if math.Abs(p.x-q.x) < p.width && math.Abs(p.y-q.y) < p.height {
				t.Errorf("panels %d and %d overlap", j, i)
			}
		}
	}
}

func TestSheetNumbers(t *testing.T) {
	s := sheet(t, made(Ring(6)), made(Ring(150)))
	if !strings.Contains(s, "6 nodes, 6 edges, degree 2<") ||
		!strings.Contains(s, "150 nodes, 150 edges, degree 2; not numbered<") {
		t.Errorf("the lines below the titles: %.900s", s)
	}
	if n := strings.Count(s, "<text"); n != 2*2+6 {
		t.Errorf("%d texts, want two titles, two lines and six numbers", n)
	}
}

func TestSheetLimits(t *testing.T) {
	if one := sheet(t, made(Ring(5))); one != string(drawn(t, made(Ring(5)))) {
		t.Error("a single graph is not drawn as by WriteSVG")
	}
	if err := WriteSheet(io.Discard, nil); err == nil {
		t.Error("no error without a graph")
	}
	err := WriteSheet(io.Discard, []*Graph{made(Ring(5)), made(Ring(30_000))})
	want := "ring n=30000: drawing: 30000 nodes and 30000 edges are too many to draw; the limits are 20000 and 200000"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if err := WriteSheet(broken{}, families()); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}
