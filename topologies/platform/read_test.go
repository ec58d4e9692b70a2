package platform

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tallynet/sim"
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

// TestZooStyle reads a network as collections of them have it, in three formats.
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

// TestDirections tells copies of undirected edges from parallel ones, and one-way edges from
// both.
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
	// Two ways from s to t with the latency 2: over x with two links, over a and b with three.
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
		{"x.gml", "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", "line 3: an edge names the node 2"},
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

// TestOddFilesSayWhatWasAssumed reads files that mean something, if not what one would think.
func TestOddFilesSayWhatWasAssumed(t *testing.T) {
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

// zeros is a file that never ends.
type zeros struct{ n *int64 }

func (z zeros) Read(b []byte) (int, error) { *z.n += int64(len(b)); return len(b), nil }

func TestLargeFilesAreNotReadWhole(t *testing.T) {
	var read int64
	_, err := Read("x.graphml", zeros{&read}, assumptions())
	if err == nil || !strings.Contains(err.Error(), "more than 32 MB") || read > 3*maxFile {
		t.Errorf("got %v after %d bytes", err, read)
	}
	full := gmlReader{pending: make([]pendingEdge, maxEdges), text: []byte("source 1 target 1 ]"), draft: &draft{}}
	if err := full.edge(1, 7); err == nil || !strings.HasPrefix(err.Error(),
		"line 7: the file has more than 1000000 edges") {
		t.Errorf("got %v", err)
	}
}

// TestRoundTrips writes platforms and reads them again.
func TestRoundTrips(t *testing.T) {
	all := append(kinds(), readFile(t, "zoo.graphml", assumptions()), readFile(t, "small.xml", assumptions()))
	for _, p := range all {
		for format, write := range map[string]func(io.Writer) error{
			"x.graphml": p.WriteGraphML, "x.dot": p.WriteDOT,
			"x.xml": func(w io.Writer) error { return p.WriteSimGrid(w, 1e9) },
		} {
			var text bytes.Buffer
			if err := write(&text); err != nil {
				if p.Name != "small.xml" || format == "x.xml" {
					t.Errorf("%s as %s: %v", p.Name, format, err)
				}
				continue
			}
			q, err := Read(format, &text, GraphConfig{})
			if err != nil {
				t.Errorf("%s as %s: %v", p.Name, format, err)
				continue
			}
			compare(t, p, q, format)
		}
	}
}

// compare checks hosts, links and what routes take. The formats of graphs leave out links that
// lie within one place.
func compare(t *testing.T, p, q *Platform, format string) {
	t.Helper()
	if !slices.EqualFunc(p.Hosts, q.Hosts, func(a, b Host) bool { return a.Name == b.Name }) {
		t.Errorf("%s as %s: hosts %v became %v", p.Name, format, p.Hosts, q.Hosts)
	}
	byName := map[string]PhysicalLink{}
	for _, l := range p.Links {
		byName[l.Name] = l
	}
	for _, l := range q.Links {
		if byName[l.Name] != l {
			t.Errorf("%s as %s: link %+v became %+v", p.Name, format, byName[l.Name], l)
		}
	}
	for a := range p.Hosts {
		for b := range p.Hosts {
			r, errR := p.Route(a, b)
			s, errS := q.Route(a, b)
			if (errR == nil) != (errS == nil) || len(r) != len(s) && !strings.Contains(p.Name, "regions") ||
				format == "x.xml" && p.along(r) != q.along(s) {
				t.Errorf("%s as %s: the route from %d to %d, %s, became %s", p.Name, format, a, b, p.along(r), q.along(s))
			}
		}
	}
}

// along names the links of a route.
func (p *Platform) along(r Route) string {
	var names []string
	for _, l := range r {
		names = append(names, p.Links[l].Name)
	}
	return strings.Join(names, " ")
}

func TestSimGrid(t *testing.T) {
	p := readFile(t, "small.xml", assumptions())
	for _, c := range []struct{ a, b, want string }{
		{"Tremblay", "Jupiter", "9"},
		{"Jupiter", "Tremblay", "9"},
		{"Tremblay", "node-1.grid", "9 gate c_backbone c_link_1_DOWN"},
		{"node-0.grid", "node-3.grid", "c_link_0_UP c_backbone c_link_3_DOWN"},
		{"node-0.grid", "Tremblay", "c_link_0_UP c_backbone gate 9"},
		{"deep", "Jupiter", "d1 d2 far"},
		{"Jupiter", "deep", "far d2 d1"},
		{"left", "right", "duo_UP"},
		{"right", "left", "duo_DOWN"},
	} {
		if got := p.routeNames(t, p.Host(c.a), p.Host(c.b)); got != c.want {
			t.Errorf("from %s to %s: got %q, want %q", c.a, c.b, got, c.want)
		}
	}
	if l := p.link(t, "9"); l.Bandwidth != 7.20975e6*8 || l.Latency != sim.Time(1461517) || l.Sharing != HalfDuplex {
		t.Errorf("got %+v", l)
	}
	if l := p.link(t, "c_link_0_UP"); l.Bandwidth != 1e9 || l.Latency != 50*us || l.Sharing != Shared {
		t.Errorf("got %+v", l)
	}
	wantNote(t, p, "<config> changes nothing here (line 3)")
}

func TestSimGridRefuses(t *testing.T) {
	zone := func(body string) string {
		return "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n" +
			"<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n" + body + "\n</zone></platform>"
	}
	link := `<link id="l" bandwidth="1GBps" latency="1ms"/>`
	for _, c := range []struct{ text, want string }{
		{zone(link + "\n<route src=\"a\" dst=\"b\">\n<link_ctn id=\"m\"/></route>"),
			"line 6: the route from a to b goes over the link m"},
		{zone(link + `<route src="a" dst="q"><link_ctn id="l"/></route>`),
			"line 4: the route from a to q: there is no q"},
		{zone(link + link),
			"line 4: there are two links called l"},
		{zone(`<link id="l" bandwidth="1 stone" latency="1ms"/>`),
			"line 4: the link l: \"stone\" is not a unit"},
		{zone(`<link id="l" bandwidth="1GBps" latency="-1ms"/>`),
			"line 4: the link l: the latency -1ms is negative"},
		{zone(`<link id="l" bandwidth="1GBps" latency="1ms" state_file="x"/>`),
			"line 4: state_file of <link> is not understood"},
		{zone(`<link id="l" bandwidth="1GBps" sharing_policy="WIFI"/>`),
			"line 4: the link l has the sharing policy WIFI"},
		{zone(`<link id="l" bandwidth="1GBps" sharing_policy="FATPIPE"/><route src="a" dst="b"><link_ctn id="l"/></route>`),
			"whose sharing policy FATPIPE is not understood"},
		{zone(`<peer id="p"/>`),
			"line 4: <peer> is not understood"},
		{zone(`<bypassRoute src="a" dst="b"/>`),
			"line 4: <bypassRoute> is not understood"},
		{`<platform version="4.1"><zone id="z" routing="Vivaldi"/></platform>`,
			"line 1: the zone z has the routing \"Vivaldi\""},
		{`<platform version="4.1"><cluster id="c" radical="0-3" topology="TORUS"/></platform>`,
			"the cluster c has the topology TORUS"},
		{`<platform version="4.1"><cluster id="c" radical="0-999999999" bw="1" lat="0"/></platform>`,
			"more than 100000 hosts"},
		{`<platform version="1"/>`,
			"version 1 of the format has other units"},
		{`<platform version="4.1">`,
			"line 1: the file ends inside <platform>: it is cut off"},
		{`<platform version="4.1"/>`,
			"the file has no hosts"},
	} {
		_, err := Read("x.xml", strings.NewReader(c.text), assumptions())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n\tgot %v, want %q", c.text, err, c.want)
		}
	}
	p, err := Read("x.xml", strings.NewReader(zone(link)), assumptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Route(0, 1); err == nil || !strings.Contains(err.Error(), "there is no way from a to b") {
		t.Errorf("got %v", err)
	}
}
