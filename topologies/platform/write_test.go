package platform

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

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

// compare checks hosts, links and routes. Graph formats omit links within one place.
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
