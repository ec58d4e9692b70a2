package platform

import (
	"math"
	"strings"
	"testing"
)

// Every link of a platform is on exactly one line of its sketch, between the places that its routes join.
func TestSketchHasEveryLink(t *testing.T) {
	azure, err := AzureRegions()
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func() (*Platform, error){
		"switch":   func() (*Platform, error) { return Switch(SwitchConfig{Hosts: 5}) },
		"racks":    func() (*Platform, error) { return Racks(RacksConfig{Racks: 3, Hosts: 4}) },
		"fat tree": func() (*Platform, error) { return FatTree(FatTreeConfig{K: 4, Oversubscription: 1}) },
		"regions":  func() (*Platform, error) { return Regions(RegionsConfig{Latencies: azure, Hosts: 2}) },
		"cells": func() (*Platform, error) {
			return Wireless(WirelessConfig{Positions: [][]float64{{0, 0}, {10, 0}, {11, 0}}, Range: 5,
				Access: [][]float64{{1, 0}, {9, 0}}})
		},
		"file": func() (*Platform, error) {
			return Read("x.dot", strings.NewReader("graph { a -- b -- c -- a; c -- d }"), GraphConfig{})
		},
	} {
		p, err := make()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := p.Sketch()
		lines := map[int]int{} // lines per link
		for _, l := range s.Lines {
			lines[l.There]++
			if l.Back >= 0 && l.Back != l.There {
				lines[l.Back]++
			}
		}
		for i, l := range p.Links {
			if n := lines[i]; n != 1 && (l.Sharing != Medium || n < 1) {
				t.Errorf("%s: link %s is on %d lines", name, l.Name, n)
			}
		}
		hosts := 0
		for i, place := range s.Places {
			if place.Name != p.place(i) {
				t.Errorf("%s: place %d is called %s, want %s", name, i, place.Name, p.place(i))
			}
			if place.Host {
				hosts++
			}
		}
		if hosts != len(p.Hosts) || s.Laid != (name != "file") {
			t.Errorf("%s: %d hosts, laid %v", name, hosts, s.Laid)
		}
		if s.Laid {
			checkApart(t, name, s)
		}
		// A route follows lines from place to place.
		route, err := p.Route(0, len(p.Hosts)-1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		at := 0
		for _, link := range route {
			at = across(s, at, link)
		}
		if at != len(p.Hosts)-1 && p.Links[0].Sharing != Medium { // a medium leads to several places
			t.Errorf("%s: the route leads to place %d", name, at)
		}
	}
}

// across returns the place at the other end of a link; -1 if the link does not begin here.
func across(s *Sketch, at, link int) int {
	for _, l := range s.Lines {
		switch {
		case l.A == at && l.There == link:
			return l.B
		case l.B == at && l.Back == link:
			return l.A
		}
	}
	return -1
}

// checkApart checks that no two places of a sketch coincide.
func checkApart(t *testing.T, name string, s *Sketch) {
	t.Helper()
	for i, a := range s.Places {
		for _, b := range s.Places[:i] {
			if math.Hypot(a.X-b.X, a.Y-b.Y) < 0.05 {
				t.Errorf("%s: %s and %s are at one point", name, a.Name, b.Name)
			}
		}
	}
}

// Racks lie beside their own hosts, the core is in the middle, and stations have their positions.
func TestSketchPlaces(t *testing.T) {
	p, err := Racks(RacksConfig{Racks: 2, Hosts: 8})
	if err != nil {
		t.Fatal(err)
	}
	s := p.Sketch()
	if core := s.Places[18]; core.Name != "core" || core.X != 0 || core.Y != 0 {
		t.Errorf("the core is %+v", core)
	}
	for i := range 16 {
		own, other := s.Places[16+i/8], s.Places[17-i/8]
		h := s.Places[i]
		if !(math.Hypot(h.X-own.X, h.Y-own.Y) < math.Hypot(h.X-other.X, h.Y-other.Y)) {
			t.Errorf("%s lies nearer to %s than to %s", h.Name, other.Name, own.Name)
		}
	}
	at := [][]float64{{0, 0}, {3, 4}}
	if p, err = Wireless(WirelessConfig{Positions: at, Range: 10}); err != nil {
		t.Fatal(err)
	}
	if s = p.Sketch(); s.Places[1].X != 3 || s.Places[1].Y != -4 {
		t.Errorf("station 1 is at %g, %g", s.Places[1].X, s.Places[1].Y)
	}
	if s := (&Platform{Hosts: p.Hosts}).Sketch(); s != nil {
		t.Error("links of unknown places have a sketch")
	}
}
