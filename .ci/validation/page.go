package main

import (
	"fmt"
	"strings"
)

const head = `# Validation against SimGrid and ns-3

This page is written by .ci/validation/run, which plays the same networks in the engine, in
[SimGrid](https://simgrid.org) 3.32 (model CM02 with latency and bandwidth factors 1, weight-S 0, no
cross traffic) and, packet by packet, in [ns-3](https://www.nsnam.org) 3.37, and stops with an error if they disagree.
In each round every node computes, sends a message on each of its connections and waits for one on each that leads to
it. The times are those of the last node; the difference is the largest of any node.

## SimGrid

Two things differ. SimGrid gives connections shares of a link in inverse proportion to their latency, as TCP with
small buffers does (a connection without latency counts as one with a latency of a second); here shares are even. And
it lets the messages of one connection share it; here they follow each other, as in TCP. In the column with even
shares SimGrid is made to do the same: its links have no latency, and each message waits for the latency of its route,
then for its turn. There the difference must be at most 2 ns per round, and a time calculated by hand must be met
exactly. The last column is SimGrid as it comes.

| case | what | rounds | here | SimGrid, even shares | largest difference | by hand | SimGrid, its own shares |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

const packetHead = `
## ns-3

Here a message is a flow of bits over all links of its route at one rate. In ns-3 it is packets of 1000 bytes without
headers; each is stored at every link until it is complete, behind those that came before: a queue serves packets in
order of arrival, whoever sent them, and a sender puts the packets of its messages into its first link in turn. Two
differences follow.

- A packet is delayed on each link but the last by its own length and by the packets queued before it: a delay that
  does not grow with the size of the messages. The fourth column bounds it by one packet of each connection on each
  link of the longest route, in each round. If this is the only difference, the last node must end within the bound,
  or the script fails; on one link nothing differs.
- Queues in order of arrival share a link in proportion to what arrives, not max-min fairly: a connection that another
  link holds back leaves its packets' places to others, and one that arrives in a burst takes many. If several
  connections meet on unequal routes, messages end earlier or later than here; those cases have no bound. TCP lies
  between: it finds roughly max-min fair rates, after some round trips.

| case | here | ns-3 | bound of storing and forwarding | ns-3 ends later by |
| --- | --- | --- | --- | --- |
`

const energyHead = `
## Energy

Machines draw idle and busy power, links some joules per byte, as the scenario's tariffs say; in SimGrid the plug-ins
host_energy and link_energy do this, where a full link draws the joules of the bytes that it carries. The differences
are the largest of any machine and any link, relative to its energy; machines must agree to 1e-6, and so must links
with a steady rate. If rates change under way, link_energy applies the load of the link at the start or end of a
message to all the time since the previous such moment, and so does not count exactly the bytes that were sent. Here a
link's energy is that of its bytes, whatever the rates.

| case | idle | busy | a byte | of machines, here | difference | of links, here | difference |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

// document returns the page.
func document(rows []row) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range rows {
		r := &rows[i]
		hand := "-"
		if r.byHand > 0 {
			hand = r.byHand.String()
		}
		even, difference := "-", "-"
		if r.even != nil {
			even, difference = seconds(r.even.last()), fmt.Sprintf("%.2f ns", r.difference())
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %s |\n", r.name, r.about, r.rounds, seconds(r.ours.last()),
			even, difference, hand, seconds(r.asIs.last()))
	}
	packets(&b, rows)
	energy(&b, rows)
	b.WriteString("\n## Speed\n\nHow long each of them takes is in [performance](performance.md#networks).\n")
	return b.String()
}

// packets writes the comparison with ns-3.
func packets(b *strings.Builder, rows []row) {
	b.WriteString(packetHead)
	for i := range rows {
		r := &rows[i]
		if r.packets == nil {
			continue
		}
		bound := "-"
		if r.setup.packets {
			bound = fmt.Sprintf("%.3f ms", r.forwarding()/1e6)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %+.3f ms |\n", r.name, seconds(r.ours.last()), seconds(r.packets.last()),
			bound,
			r.late()/1e6)
	}
}

// energy writes the comparison of energies.
func energy(b *strings.Builder, rows []row) {
	b.WriteString(energyHead)
	for i := range rows {
		r := &rows[i]
		if r.power == nil || r.even == nil {
			continue
		}
		var machines, links float64
		for i, x := range r.ours.joules {
			if i < r.nodes {
				machines += x
			} else {
				links += x
			}
		}
		machine, link := r.energyApart()
		fmt.Fprintf(b, "| %s | %g W | %g W | %g nJ | %.6g J | %.1e | %.6g J | %.1e |\n", r.name, r.power.idle, r.power.busy,
			r.power.joulesPerByte*1e9, machines, machine, links, link)
	}
}
