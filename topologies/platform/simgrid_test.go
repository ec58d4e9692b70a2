package platform

import (
	"strings"
	"testing"

	"tallynet/sim"
)

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
	route := func(src, dst, more string) string {
		return `<route src="` + src + `" dst="` + dst + `" ` + more + `><link_ctn id="l"/></route>` + "\n"
	}
	for _, c := range []struct{ text, want string }{
		{zone(link + route("a", "b", "") + route("b", "a", "")),
			"line 5: there is a route from b to a already, on line 4; remove one, or write symmetrical=\"NO\" on both"},
		{zone(link + route("a", "b", "") + route("a", "b", `symmetrical="NO"`)),
			"line 5: there is a route from a to b already, on line 4"},
		{strings.Replace(zone(link+route("b", "a", `symmetrical="NO"`)+route("a", "b", "")), "Full", "Dijkstra", 1),
			"line 5: there is a route from b to a already, on line 4"},
		{strings.Replace(zone(link+route("a", "a", "")+route("a", "a", "")), "Full", "Floyd", 1),
			"line 5: there is a route from a to a already"},
		{zone(strings.Replace(link, "/>", ` sharing_policy="FATPIPE"/>`, 1) + link),
			"line 4: there are two links called l"},
		{zone(link + strings.Replace(link, "/>", ` sharing_policy="SPLITDUPLEX"/>`, 1)),
			"line 4: there are two links called l"},
		{zone(`<host id="b" speed="1Gf"/>`),
			"line 4: there are two hosts or routers called b"},
		{zone(`<zone id="y" routing="Full"/><cluster id="y" radical="0-1" bw="1" lat="0"/>`),
			"line 4: there are two zones called y"},
		{strings.Replace(zone(link+`<host_link id="a" up="l" down="l"/><host_link id="a" up="l" down="l"/>`), "Full",
			"Cluster", 1), "line 4: there are two <host_link> of a"},
		{zone(`<zone id="y" routing="Cluster"><backbone id="m" bandwidth="1"/><backbone id="n" bandwidth="1"/></zone>`),
			"line 4: the zone y has a backbone already"},
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
	oneway := `symmetrical="NO"`
	if _, err := Read("x.xml", strings.NewReader(zone(link+route("a", "b", oneway)+route("b", "a", oneway))),
		assumptions()); err != nil {
		t.Error(err)
	}
	p, err := Read("x.xml", strings.NewReader(zone(link)), assumptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Route(0, 1); err == nil || !strings.Contains(err.Error(), "there is no way from a to b") {
		t.Errorf("got %v", err)
	}
}
