package channel

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tallynet/sim"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// golden compares with a file in testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole := gocmp.Comparer(func(a, b string) bool { return a == b }) // lines differ as a whole
	if d := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n"), whole); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// flow is a message that is put on a link.
type flow struct {
	link           int
	ready          sim.Time
	bytes          int64
	first, arrives sim.Time // where there are NICs: its first bit at the downlink; its end
}

// play sends flows, in the order of their times, and delivers them.
func play(f *Fabric, flows ...flow) []flow {
	for i := range flows {
		x := &flows[i]
		x.first = f.Send(x.link, x.ready, x.bytes)
		x.arrives = x.first
	}
	if f.TwoStage() {
		byFirst := make([]*flow, len(flows))
		for i := range flows {
			byFirst[i] = &flows[i]
		}
		slices.SortStableFunc(byFirst, func(a, b *flow) int { return cmp.Compare(a.first, b.first) })
		for _, x := range byFirst {
			x.arrives = f.Deliver(x.link, x.first, x.bytes)
		}
	}
	return flows
}

// transcript says what became of flows, by time.
func transcript(f *Fabric, about string, flows []flow) string {
	type line struct {
		at   sim.Time
		text string
	}
	var lines []line
	for i, x := range flows {
		l := f.Link(x.link)
		say := func(at sim.Time, what string) {
			lines = append(lines, line{at, fmt.Sprintf("message %d, %d to %d, %s", i, l.From, l.To, what)})
		}
		say(x.ready, fmt.Sprintf("is ready: %d bytes", x.bytes))
		if f.TwoStage() {
			say(x.first, "reaches the downlink with its first bit")
		}
		say(x.arrives, "has arrived")
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	for about := range strings.Lines(strings.TrimSpace(about)) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimSpace(about))
	}
	for _, l := range lines {
		fmt.Fprintf(&b, "%12v  %s\n", l.at, l.text)
	}
	return b.String()
}

// TestTranscripts compares what links do to messages with golden files. 8000 bytes take 64 us
// at 1 Gbit/s; the times in a scene's words are calculated by hand.
func TestTranscripts(t *testing.T) {
	const inf = Unlimited
	for _, c := range []struct {
		name, about string
		config      FabricConfig
		flows       []flow
	}{{
		name: "queue",
		about: `
			Two messages at once on a link of 1 Gbit/s and 1 ms, and a third at 100 us, when the link is taken until
			128 us: 1.064, 1.128 and 1.192 ms. They queue for their 64 us each, not for the latency. The opposite
			direction is a link of its own, and at 5 ms everything is idle again. Half a message takes half as long.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, 1e9}, {1, 0, ms, 1e9}}},
		flows: []flow{
			{link: 0, bytes: 8000}, {link: 0, bytes: 8000}, {link: 1, bytes: 8000},
			{link: 0, ready: 100 * us, bytes: 8000},
			{link: 0, ready: 5 * ms, bytes: 8000}, {link: 0, ready: 10 * ms, bytes: 4000},
		},
	}, {
		name: "pipeline",
		about: `
			Latency pipelines: a message each 64 us on a link of 1 Gbit/s and 10 ms keeps the link busy, and each takes
			10.064 ms.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, 10 * ms, 1e9}}},
		flows:  []flow{{bytes: 8000}, {ready: 64 * us, bytes: 8000}, {ready: 128 * us, bytes: 8000}},
	}, {
		name:   "uplink",
		about:  `An uplink of 1 Gbit/s feeds two fast links of 1 ms: 64 us each, one after the other.`,
		config: FabricConfig{Nodes: 3, Links: []Link{{0, 1, ms, inf}, {0, 2, ms, inf}}, NICs: []NIC{{1e9, inf}}},
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name:   "downlink",
		about:  `Two fast links of 1 ms feed one downlink of 1 Gbit/s: 64 us each, one after the other.`,
		config: FabricConfig{Nodes: 3, Links: []Link{{1, 0, ms, inf}, {2, 0, ms, inf}}, NICs: []NIC{{inf, 1e9}}},
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "cut_through",
		about: `
			A link of 100 Mbit/s, 640 us for each message, and a fast one feed a downlink of 1 Gbit/s. The slow one's
			message takes the downlink for 64 us only: the fast one's is through at 1.128 ms, between its bits.`,
		config: FabricConfig{Nodes: 3, Links: []Link{{1, 0, ms, 1e8}, {2, 0, ms, inf}}, NICs: []NIC{{inf, 1e9}}},
		flows:  []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "interfaces",
		about: `
			Node 0 has an uplink of 1 Gbit/s and a downlink of 2 Gbit/s, and node 1 is fast: 64 us one way, 32 us the
			other.`,
		config: FabricConfig{
			Nodes: 2, Links: []Link{{0, 1, ms, inf}, {1, 0, ms, inf}}, NICs: []NIC{{1e9, 2e9}, {inf, inf}},
		},
		flows: []flow{{link: 0, bytes: 8000}, {link: 1, bytes: 8000}},
	}, {
		name: "order",
		about: `
			A message of 80,000 bytes, 6.4 ms on a link of 100 Mbit/s, and a short one of 8 bytes behind it, 640 ns on
			the same link, which never overtakes it: 7.4 ms and 7.40064 ms.`,
		config: FabricConfig{Nodes: 2, Links: []Link{{0, 1, ms, 1e8}}, NICs: []NIC{{1e9, 1e9}}},
		flows:  []flow{{bytes: 80_000}, {bytes: 8}},
	}, {
		name: "jitter",
		about: `
			Uniform jitter of 0 to 1 ms beside the latency of 1 ms, with a message each 100 us: sent at t, one would be
			there between t + 1.064 and t + 2.064 ms. None is there earlier than 64 us after the one ahead of it.`,
		config: FabricConfig{
			Nodes: 2, Links: []Link{{0, 1, ms, 1e9}}, Seed: 7, Jitter: Jitter{Kind: Uniform, Mean: ms / 2},
		},
		flows: []flow{
			{bytes: 8000}, {ready: 100 * us, bytes: 8000}, {ready: 200 * us, bytes: 8000},
			{ready: 300 * us, bytes: 8000},
		},
	}} {
		f := fabric(t, c.config)
		golden(t, c.name+".txt", transcript(f, c.about, play(f, c.flows...)))
	}
}
