package platform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRead checks that no file makes the readers panic, and that every route of an accepted file is an error or
// leads to its host.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"zoo.graphml", "zoo.gml", "zoo.dot", "small.xml"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, string(text))
	}
	f.Add("x.gml", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 bw 1e3 delay_us 3 ] ]")
	f.Add("x.dot", "digraph { a -> {b c} [bandwidth=unlimited, rtt=3, dir=both] }")
	f.Fuzz(func(t *testing.T, name, text string) {
		p, err := Read(name, strings.NewReader(text), assumptions())
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a word")
			}
			return
		}
		for a := range min(len(p.Hosts), 5) {
			for b := range min(len(p.Hosts), 5) {
				r, err := p.Route(a, b)
				for _, l := range r {
					if err != nil || l < 0 || l >= len(p.Links) {
						t.Fatalf("from %d to %d: %v, %v", a, b, r, err)
					}
				}
			}
		}
		for _, l := range p.Links {
			if l.Latency < 0 || !(l.Bandwidth >= 0) {
				t.Fatalf("got %+v", l)
			}
		}
	})
}
