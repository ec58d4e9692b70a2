package topologies

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"tallynet/sim"
	"tallynet/sim/golden"
)

func drawn(t *testing.T, g *Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := g.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGoldenDrawings(t *testing.T) {
	golden.Check(t, "testdata/torus.svg", string(drawn(t, made(Torus(3, 4)))))
	star := made(Star(5, 2))
	golden.Check(t, "testdata/star.svg", string(drawn(t, star)))
	var b bytes.Buffer
	if err := made(Grid(2, 3)).WriteDOT(&b); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/grid.dot", b.String())
}

// TestLayouts checks that every family's layout is finite and reproducible, and keeps all nodes apart.
func TestLayouts(t *testing.T) {
	rng := sim.Stream(3, "graph")
	graphs := append(families(), made(Hypercube(256)), made(Tree(200, 2)), made(Path(90)),
		made(BarabasiAlbert(200, 1, rng)), made(BarabasiAlbert(700, 2, rng)), made(ErdosRenyi(200, 0.04, rng)),
		must(FromEdges(2, nil)), must(FromEdges(9, nil)))
	for _, g := range graphs {
		at := g.Layout()
		if d := cmp.Diff(at, g.Layout()); d != "" || len(at) != g.Nodes() {
			t.Errorf("%s: %d positions for %d nodes; twice:\n%s", g.Name(), len(at), g.Nodes(), d)
		}
		size, closest := 0.0, math.Inf(1)
		for i, a := range at {
			if math.IsNaN(a.X+a.Y) || math.IsInf(a.X+a.Y, 0) {
				t.Fatalf("%s: node %d at %v", g.Name(), i, a)
			}
			for _, b := range at[:i] {
				size = max(size, math.Hypot(a.X-b.X, a.Y-b.Y))
				closest = min(closest, math.Hypot(a.X-b.X, a.Y-b.Y))
			}
		}
		if g.Nodes() > 1 && closest < 1e-5*size {
			t.Errorf("%s: two nodes %g apart in a drawing of size %g", g.Name(), closest, size)
		}
	}
}

// TestStress lays out a ring that is given as plain edges. All edges must have nearly the same length.
func TestStress(t *testing.T) {
	at := must(FromEdges(24, edgesOf(made(Ring(24))))).Layout()
	longest, shortest := 0.0, math.Inf(1)
	for i := range at {
		q := at[(i+1)%24]
		length := math.Hypot(at[i].X-q.X, at[i].Y-q.Y)
		longest, shortest = max(longest, length), min(shortest, length)
	}
	if longest > 1.1*shortest {
		t.Errorf("edges of a ring are between %g and %g long", shortest, longest)
	}
}

// TestSVG parses every family's drawing: it must be well formed and have one circle and one number per node,
// inside the canvas, and one line per edge (two for an edge that wraps).
func TestSVG(t *testing.T) {
	for _, g := range families() {
		var width, height float64
		count := make(map[string]int)
		dec := xml.NewDecoder(bytes.NewReader(drawn(t, g)))
		for {
			token, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", g.Name(), err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			count[e.Name.Local]++
			num := make(map[string]float64)
			for _, a := range e.Attr {
				num[a.Name.Local], _ = strconv.ParseFloat(a.Value, 64) // other attributes are not numbers
			}
			switch e.Name.Local {
			case "svg":
				width, height = num["width"], num["height"]
			case "circle":
				x, y, r := num["cx"], num["cy"], num["r"]
				if !(x-r >= 0 && y-r >= 0 && x+r <= width && y+r <= height) {
					t.Errorf("%s: a node at (%g, %g) of %g x %g", g.Name(), x, y, width, height)
				}
			}
		}
		lines := g.Edges()
		if g.shape.wrap {
			lines += g.shape.cols + g.Nodes()/g.shape.cols
		}
		if count["circle"] != g.Nodes() || count["text"] != g.Nodes()+2 || count["line"] != lines {
			t.Errorf("%s: %v, want %d nodes and %d lines", g.Name(), count, g.Nodes(), lines)
		}
	}
}

func TestLargeDrawings(t *testing.T) {
	svg := string(drawn(t, made(Ring(1000))))
	if !strings.Contains(svg, "1000 nodes, 1000 edges, degree 2; no numbers above 200 nodes") ||
		strings.Count(svg, "<text") != 2 {
		t.Errorf("1000 nodes: %s", svg[:600])
	}
	err := made(Ring(30_000)).WriteSVG(io.Discard)
	want := "drawing: 30000 nodes and 30000 edges are too many to draw; the limits are 20000 and 200000"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestFailingWriter(t *testing.T) {
	if err := made(Ring(5)).WriteSVG(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("SVG: error %v", err)
	}
	if err := made(Ring(5)).WriteDOT(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("DOT: error %v", err)
	}
}

var errBroken = errors.New("disk full")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// TestDOT parses the file with gonum's parser.
func TestDOT(t *testing.T) {
	for _, g := range families() {
		var b bytes.Buffer
		if err := g.WriteDOT(&b); err != nil {
			t.Fatalf("%s: %v", g.Name(), err)
		}
		back := simple.NewUndirectedGraph()
		if err := dot.Unmarshal(b.Bytes(), back); err != nil {
			t.Fatalf("%s: %v\n%s", g.Name(), err, b.String())
		}
		parts := fmt.Sprint(len(topo.ConnectedComponents(back)))
		if back.Nodes().Len() != g.Nodes() || back.Edges().Len() != g.Edges() ||
			parts != fmt.Sprint(len(g.Components())) {
			t.Errorf("%s: read back %d nodes, %d edges, %s parts",
				g.Name(), back.Nodes().Len(), back.Edges().Len(), parts)
		}
	}
}
