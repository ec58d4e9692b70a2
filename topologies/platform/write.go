package platform

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// errNoPlaces explains why a platform cannot be written as a graph.
var errNoPlaces = errors.New("the routes of this platform are lists of links, and where those lie is not known: " +
	"a graph cannot hold it; write it as SimGrid XML")

// wire is an edge of a graph file: a link in one direction or in both.
type wire struct {
	arc
	both bool
}

// wires returns the edges of a graph file: one per arc, but one for both arcs of a link for both directions.
func (p *Platform) wires() ([]wire, error) {
	if p.arcs == nil && p.places() > 1 {
		return nil, errNoPlaces
	}
	twoWays := map[arc]bool{}
	for _, a := range p.arcs {
		twoWays[a] = true
	}
	var all []wire
	for _, a := range p.arcs {
		both := twoWays[arc{a.to, a.from, a.link}]
		if a.from == a.to || both && a.from > a.to {
			continue // a link within a region does not join two places
		}
		all = append(all, wire{a, both})
	}
	return all, nil
}

// WriteGraphML writes the platform as GraphML that Read reads: hosts and switches, and links with latency,
// bandwidth and sharing. It does not write routes, which become the shortest ones.
func (p *Platform) WriteGraphML(w io.Writer) error {
	wires, err := p.wires()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprint(b, xml.Header+`<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="label" for="node" attr.name="label" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="group" for="node" attr.name="group" attr.type="int"/>
  <key id="link" for="edge" attr.name="link" attr.type="string"/>
  <key id="latency" for="edge" attr.name="latency" attr.type="string"/>
  <key id="bandwidth" for="edge" attr.name="bandwidth" attr.type="string"/>
  <key id="sharing" for="edge" attr.name="sharing" attr.type="string"/>
  <graph edgedefault="directed">
`)
	for i := range p.places() {
		kind, group := "switch", ""
		if i < len(p.Hosts) {
			kind, group = "host", fmt.Sprintf(`<data key="group">%d</data>`, p.Hosts[i].Group)
		}
		fmt.Fprintf(b, "    <node id=\"n%d\"><data key=\"label\">%s</data><data key=\"kind\">%s</data>%s</node>\n", i,
			escaped(p.place(i)), kind, group)
	}
	for _, x := range wires {
		l := p.Links[x.link]
		fmt.Fprintf(b, "    <edge source=\"n%d\" target=\"n%d\" directed=\"%t\"><data key=\"link\">%s</data>"+
			"<data key=\"latency\">%s</data><data key=\"bandwidth\">%s</data><data key=\"sharing\">%s</data></edge>\n",
			x.from, x.to, !x.both, escaped(l.Name), l.Latency, rateText(l.Bandwidth), l.Sharing)
	}
	fmt.Fprint(b, "  </graph>\n</graphml>\n")
	return b.Flush()
}

// escaped escapes a text for XML.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// WriteDOT writes the platform in the DOT language of Graphviz, as WriteGraphML does.
func (p *Platform) WriteDOT(w io.Writer) error {
	wires, err := p.wires()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph %s {\n", dotQuoted(p.Name))
	for i := range p.places() {
		if i < len(p.Hosts) {
			fmt.Fprintf(b, "  n%d [label=%s, kind=host, group=%d];\n", i, dotQuoted(p.place(i)), p.Hosts[i].Group)
		} else {
			fmt.Fprintf(b, "  n%d [label=%s, kind=switch, shape=box];\n", i, dotQuoted(p.place(i)))
		}
	}
	for _, x := range wires {
		l := p.Links[x.link]
		both := ""
		if x.both {
			both = ", dir=both"
		}
		fmt.Fprintf(b, "  n%d -> n%d [link=%s, latency=\"%s\", bandwidth=\"%s\", sharing=\"%s\"%s];\n", x.from, x.to,
			dotQuoted(l.Name), l.Latency, rateText(l.Bandwidth), l.Sharing, both)
	}
	fmt.Fprint(b, "}\n")
	return b.Flush()
}

func dotQuoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// maxPairs bounds the routes that WriteSimGrid writes, one for each pair of hosts.
const maxPairs = 1_000_000

// WriteSimGrid writes the platform as SimGrid XML of version 4.1: the links, and the route of each pair of
// hosts, so that SimGrid runs the same network. Hosts have the given speed in FLOP/s, which SimGrid requires.
// Unlimited links have 1 EB/s; a medium is a link that all share.
func (p *Platform) WriteSimGrid(w io.Writer, speed float64) error {
	if n := len(p.Hosts); n*(n-1) > maxPairs {
		return fmt.Errorf("%d hosts have %d routes, and the limit is %d: write GraphML, or a smaller platform", n, n*(n-1),
			maxPairs)
	}
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"+
		"<platform version=\"4.1\">\n  <zone id=\"platform\" routing=\"Full\">\n")
	for _, h := range p.Hosts {
		fmt.Fprintf(b, "    <host id=\"%s\" speed=\"%sf\"/>\n", escaped(h.Name), strconv.FormatFloat(speed, 'f', -1, 64))
	}
	for _, l := range p.Links {
		rate := "1EBps"
		if l.Bandwidth > 0 {
			rate = strconv.FormatFloat(l.Bandwidth, 'f', -1, 64) + "bps"
		}
		fmt.Fprintf(b, "    <link id=\"%s\" bandwidth=\"%s\" latency=\"%dns\">"+
			"<prop id=\"sharing\" value=\"%s\"/></link>\n", escaped(l.Name), rate, int64(l.Latency), l.Sharing)
	}
	for i := range p.Hosts {
		for j := range p.Hosts {
			if err := p.writeRoute(b, i, j); err != nil {
				return err
			}
		}
	}
	fmt.Fprint(b, "  </zone>\n</platform>\n")
	return b.Flush()
}

// writeRoute writes a route. It skips a route that does not exist, and the way back of a symmetrical one.
func (p *Platform) writeRoute(b *bufio.Writer, i, j int) error {
	if i == j {
		return nil
	}
	there, err := p.Route(i, j)
	if err != nil {
		return nil // SimGrid asks only for routes that are used
	}
	back, err := p.Route(j, i)
	slices.Reverse(back)
	symmetrical := err == nil && slices.Equal(there, back)
	if symmetrical && i > j {
		return nil
	}
	fmt.Fprintf(b, "    <route src=\"%s\" dst=\"%s\" symmetrical=\"%s\">", escaped(p.Hosts[i].Name),
		escaped(p.Hosts[j].Name), map[bool]string{true: "YES", false: "NO"}[symmetrical])
	for _, l := range there {
		fmt.Fprintf(b, "<link_ctn id=\"%s\"/>", escaped(p.Links[l].Name))
	}
	_, err = fmt.Fprint(b, "</route>\n")
	return err
}
