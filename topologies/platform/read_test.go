package platform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func assumptions() GraphConfig { return GraphConfig{Latency: ms, Bandwidth: 1e9} }

func readFile(t *testing.T, name string, c GraphConfig) *Platform {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Read(name, f, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// link returns the link with a name.
func (p *Platform) link(t *testing.T, name string) PhysicalLink {
	t.Helper()
	i := slices.IndexFunc(p.Links, func(l PhysicalLink) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("%s has no link %s", p.Name, name)
	}
	return p.Links[i]
}

func wantNote(t *testing.T, p *Platform, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(p.Notes, "\n"), part) {
		t.Errorf("%s: no note says %q:\n%s", p.Name, part, strings.Join(p.Notes, "\n"))
	}
}

// TestZooStyle reads a network as topology collections have them, in three formats.
func TestZooStyle(t *testing.T) {
	for _, name := range []string{"zoo.graphml", "zoo.gml", "zoo.dot"} {
		p := readFile(t, name, assumptions())
		if len(p.Hosts) != 5 || p.Components() != 2 || p.Host("Köln") < 0 || p.Host("Zürich & Bern") < 0 {
			t.Errorf("%s: got %v in %d parts", name, p.Hosts, p.Components())
		}
		l := p.link(t, "Köln->North")
		if l.Bandwidth != 12.5e9 || l.Latency < 2*ms || l.Latency > 3*ms || l.Sharing != Shared {
			t.Errorf("%s: parallel edges are %+v", name, l)
		}
		if l := p.link(t, "North->Zürich & Bern"); l.Bandwidth != 155e6 || l.Latency != ms {
			t.Errorf("%s: got %+v", name, l)
		}
		if l := p.link(t, "Zürich & Bern->Köln"); l.Bandwidth != 1e9 {
			t.Errorf("%s: got %+v", name, l)
		}
		for _, part := range []string{"1 edge joins a node to itself", "has parallel edges", "1 edge has no speed: 1Gbit/s",
			"1ms assumed", "does not reach Alone", "/ 200,000 km/s", "smallest number (< 2.5 Gbps)", "the id is added " +
				"(North)"} {
			wantNote(t, p, part)
		}
		if _, err := p.Route(p.Host("Alone"), 0); err == nil || !strings.Contains(err.Error(), "from Alone to ") {
			t.Errorf("%s: got the error %v", name, err)
		}
		c := assumptions()
		c.Largest = true
		if p := readFile(t, name, c); len(p.Hosts) != 4 || p.Components() != 1 || p.Host("Alone") >= 0 {
			t.Errorf("%s: the largest part has %v", name, p.Hosts)
		}
		c = assumptions()
		c.HalfDuplex = true
		if l := readFile(t, name, c).link(t, "Köln--North"); l.Sharing != HalfDuplex || l.Bandwidth != 12.5e9 {
			t.Errorf("%s: half duplex: got %+v", name, l)
		}
	}
}

// TestDirections distinguishes copies of undirected edges from parallel edges, and one-way edges from two-way
// edges.
func TestDirections(t *testing.T) {
	edges := func(kind string, pairs ...string) string {
		var b strings.Builder
		b.WriteString("graph [ directed " + kind + "\n")
		for _, id := range "abc" {
			b.WriteString("node [ id " + string(id) + " ]\n")
		}
		for _, p := range pairs {
			b.WriteString("edge [ source " + p[:1] + " target " + p[1:2] + " bandwidth \"1Gbit/s\" latency \"1ms\" ]\n")
		}
		return b.String() + "]"
	}
	read := func(text string, c GraphConfig) *Platform {
		p, err := Read("x.gml", strings.NewReader(text), c)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	copies := read(edges("0", "ab", "bc", "ba", "cb"), assumptions())
	if l := copies.link(t, "a->b"); l.Bandwidth != 1e9 || len(copies.Links) != 4 {
		t.Errorf("copies: got %+v", copies.Links)
	}
	wantNote(t, copies, "twice, once from each end")
	if l := read(edges("0", "ab", "bc", "ba"), assumptions()).link(t, "a->b"); l.Bandwidth != 2e9 {
		t.Errorf("parallel: got %+v", l)
	}
	if p := read(edges("1", "ab", "bc", "ba", "cb"), assumptions()); len(p.Links) != 4 || p.Links[0].Bandwidth != 1e9 {
		t.Errorf("directed pairs: got %+v", p.Links)
	}
	oneway := read(edges("1", "ab", "bc"), assumptions())
	wantNote(t, oneway, "2 links are one way")
	if _, err := oneway.Route(1, 0); err == nil {
		t.Error("a one-way link leads back")
	}
	c := assumptions()
	c.BothWays = true
	if p := read(edges("1", "ab", "bc", "ba"), c); len(p.Links) != 4 {
		t.Errorf("both ways: got %+v", p.Links)
	}
}

func TestShortestRoutes(t *testing.T) {
	// Two paths from s to t have latency 2: over x with two links, and over a and b with three.
	text := `graph { s--x [latency="1ms"]; x--t [latency="1ms"]; s--b [latency="1ms"]; b--a [latency="0"];
		a--t [latency="1ms"]; s--y [latency="1ms"]; y--t [latency="1ms"]; s--t [latency="5ms"] }`
	p, err := Read("x.dot", strings.NewReader(text), assumptions())
	if err != nil {
		t.Fatal(err)
	}
	if got := p.routeNames(t, p.Host("s"), p.Host("t")); got != "s->x x->t" {
		t.Errorf("got %s", got)
	}
	if got := p.routeNames(t, p.Host("t"), p.Host("b")); got != "t->a a->b" {
		t.Errorf("got %s", got)
	}
}

func TestAttributes(t *testing.T) {
	for attrs, want := range map[string]PhysicalLink{
		`bandwidth=10, latency=2`:                   {Latency: 2 * ms, Bandwidth: 10e6},
		`capacity=1000000000, delay="5us"`:          {Latency: 5 * us, Bandwidth: 1e9},
		`bw="2.5 Gbps", delay_ms=3`:                 {Latency: 3 * ms, Bandwidth: 2.5e9},
		`"Bandwidth (Mbps)"=40, rtt="10ms"`:         {Latency: 5 * ms, Bandwidth: 40e6},
		`LinkSpeed=10, LinkSpeedUnits=G, dist=200`:  {Latency: ms, Bandwidth: 10e9},
		`LinkSpeedRaw="155000000.0", length="20km"`: {Latency: 100 * us, Bandwidth: 155e6},
		`label="STM-4x2", latency="0"`:              {Latency: 0, Bandwidth: 2 * 4 * 155.52e6},
		`bandwidth=unlimited, latency="1s"`:         {Latency: 1000 * ms, Bandwidth: 0},
		`bandwidth="< 10 Gbps", latency="1s"`:       {Latency: 1000 * ms, Bandwidth: 10e9},
	} {
		p, err := Read("x.dot", strings.NewReader("graph { a -- b ["+attrs+"] }"), assumptions())
		if err != nil {
			t.Errorf("%s: %v", attrs, err)
			continue
		}
		if want.Name = "a->b"; p.Links[0] != want {
			t.Errorf("%s: got %+v, want %+v", attrs, p.Links[0], want)
		}
	}
}

func TestBrokenFiles(t *testing.T) {
	graphml := func(body string) string { return "<graphml>\n<graph>\n" + body + "\n</graph></graphml>" }
	key := `<key id="b" for="edge" attr.name="bandwidth"/><key id="l" for="edge" attr.name="latency"/>`
	deep := "<graphml>" + strings.Repeat("<graph>", 5000)
	for _, c := range []struct{ name, text, want string }{
		{"x.graphml", "<graphml>\n<graph>\n<node id=\"a\"", "line 3: the file ends inside <graph>: it is cut off"},
		{"x.graphml", graphml(`<node id="a"/><edge source="a" target="z"/>`), `line 3: an edge names the node "z"`},
		{"x.graphml", graphml(`<node id="a"/><node id="a"/>`), "line 3: there are two nodes with the id a"},
		{"x.graphml", graphml(`<hyperedge/>`), "line 3: a <hyperedge> is not understood"},
		{"x.graphml", graphml(""), "the file has no nodes"},
		{"x.graphml", graphml(key + `<node id="a"/><node id="b"/>` + "\n" +
			`<edge source="a" target="b"><data key="b">10 parsecs</data></edge>`),
			`line 4: the edge from a to b: "parsecs" is not a unit`},
		{"x.graphml", graphml(key + `<node id="a"/><node id="b"/>` +
			`<edge source="a" target="b"><data key="l">-1ms</data></edge>`),
			"the latency -1ms is negative"},
		{"x.graphml", "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n" +
			"<graphml><graph><node id=\"&b;\"/></graph></graphml>",
			"line 2: invalid character entity &b;"},
		{"x.graphml", deep, "nest deeper than 100"},
		{"x.graphml", "graph [ ]", "is not XML"},
		{"x.graphml", `<?xml version="1.0" encoding="klingon"?><graphml/>`, "line 1: the encoding klingon is not known"},
		{"x.xml", "<foo/>", "neither GraphML"},
		{"x.gml", "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", "line 3: an edge names the node \"2\""},
		{"x.gml", "graph [\n node [ id 1", "the file ends inside the list of line 2: it is cut off"},
		{"x.gml", "graph [ node [ id 1 label \"a", "a text begins that does not end"},
		{"x.gml", "graph [ node [ label 1 ] ]", "the node has no id"},
		{"x.gml", "graph " + strings.Repeat("[ a ", 500), "nest deeper than 100"},
		{"x.dot", "graph { a -- ", "DOT"},
		{"x.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 LinkSpeedRaw -5 ] ]",
			"the bandwidth -5 must be a number above 0"},
		{"x.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 LinkSpeedRaw 1e999 ] ]",
			"the bandwidth 1e999 must be a number above 0"},
		{"x.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 LinkSpeedRaw 1e300 ] ]",
			"the bandwidth 1e300 is too large; want at most 9000000Tbit/s"},
		{"x.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 LinkSpeedRaw 0.25 ] ]",
			"the bandwidth 0.25 is less than 1 bit/s"},
		{"x.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 length -3 ] ]",
			"the length -3 is negative"},
		{"x.dot", "graph { a -- b [latency=\"-2ms\"] }", "the edge from a to b: the latency -2ms is negative"},
		{"x.dot", "graph { " + strings.Repeat("{ ", 300) + "a" + strings.Repeat(" }", 300) + " }", "deeper than 100"},
		{"x.csv", "a,b", "kind: regions reads those"},
		{"x", "hello", "format of the file is not known"},
		{"x.gml", "", "the file is empty"},
	} {
		_, err := Read(c.name, strings.NewReader(c.text), assumptions())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: got %v, want %q", c.text, err, c.want)
		}
	}
}

// TestAmbiguousFilesNoteAssumptions reads ambiguous files; their assumptions must be noted.
func TestAmbiguousFilesNoteAssumptions(t *testing.T) {
	for _, c := range []struct {
		name, text, note string
		links            int
		rate             float64
	}{
		{"x.gml", "graph [ node [ id 1 Latitude 95 Longitude 500 ] node [ id 2 Latitude 1 Longitude 1 ] " +
			"edge [ source 1 target 2 ] ]", "1 node has a place that is not on the globe: left out (95, 500)", 2, 1e9},
		{"x.gml", "graph [ node [ id 1 lat \"north\" lon \"west\" ] node [ id 2 lat 1 lon 1 ] " +
			"edge [ source 1 target 2 ] ]", "1 node has a place that is not on the globe: left out (north, west)", 2, 1e9},
		{"x.dot", "strict graph { a -- b; b -- a [bandwidth=\"5Gbit/s\"]; a -- b }", "1 edge has neither a latency", 2, 5e9},
		{"x.dot", "strict digraph { a -> b; b -> a; a -> b }", "2 edges have neither a latency", 2, 1e9},
		{"x.dot", "graph { a -- b; b -- a; a -- b }", "1 pair of places has parallel edges, merged", 2, 3e9},
		{"x.xml", "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"h0\" speed=\"1Gf\"/>" +
			"<host id=\"h1\" speed=\"1Gf\"/><host id=\"h2\" speed=\"1Gf\"/></zone></platform>",
			"2 hosts have no route from h0 (first: h1)", 0, 0},
	} {
		p, err := Read(c.name, strings.NewReader(c.text), assumptions())
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, c.note) }) {
			t.Errorf("%s: the notes are %q, want %q", c.text, p.Notes, c.note)
		}
		if len(p.Links) != c.links || c.links > 0 && p.Links[0].Bandwidth != c.rate {
			t.Errorf("%s: got %+v, want %d links of %g bit/s", c.text, p.Links, c.links, c.rate)
		}
	}
}

// zeros is an endless file.
type zeros struct{ n *int64 }

func (z zeros) Read(b []byte) (int, error) { *z.n += int64(len(b)); return len(b), nil }

func TestLargeFilesAreNotReadWhole(t *testing.T) {
	var read int64
	_, err := Read("x.graphml", zeros{&read}, assumptions())
	if err == nil || !strings.Contains(err.Error(), "more than 32 MB") || read > 3*maxFile {
		t.Errorf("got %v after %d bytes", err, read)
	}
	full := draft{edges: make([]draftEdge, maxEdges)}
	if err := full.edge(draftEdge{line: 7}); err == nil || !strings.HasPrefix(err.Error(),
		"line 7: the file has more than 1000000 edges") {
		t.Errorf("got %v", err)
	}
}

// along returns the names of a route's links.
func (p *Platform) along(r Route) string {
	var names []string
	for _, l := range r {
		names = append(names, p.Links[l].Name)
	}
	return strings.Join(names, " ")
}
