package node

import (
	"strings"
	"testing"

	"tallynet/channel"
)

// TestPanicSite: a panic's error names the place in the algorithm's code, although a
// program runs on its own stack, and nothing about the machine.
func TestPanicSite(t *testing.T) {
	net := build(t, Config{Peers: ringPeers(3)}, func(p *Proc) {
		p.Exchange("x", one(1))
		if p.ID() == 1 {
			var none []float64
			none[3] = 1
		}
	})
	check(t, net, "index out of range")
	net, err := New(Config{Peers: ringPeers(3), Link: lan}, func(int) Handler { return broken{} })
	if err != nil {
		t.Fatal(err)
	}
	check(t, net, "a handler's bug")
}

func check(t *testing.T, net *Network, what string) {
	t.Helper()
	defer func() {
		p, ok := recover().(*Panic)
		if !ok {
			t.Fatal("no Panic")
		}
		s := p.Error()
		if !strings.Contains(s, "(panic_test.go:") || !strings.Contains(s, "node.") || !strings.Contains(s, what) ||
			strings.ContainsAny(s, "\n") || strings.Contains(s, "/node/") {
			t.Error(s)
		}
	}()
	net.Run(background, Limits{})
}

type broken struct{}

func (broken) Start(c *Context)                   { c.After(1, 0) }
func (broken) Receive(*Context, *channel.Message) {}
func (broken) Wake(*Context, int)                 { panic("a handler's bug") }
