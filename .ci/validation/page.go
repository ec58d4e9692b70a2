package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const head = `# Validation against SimGrid

This page is written by .ci/validation/run, which plays the same networks in the engine and in
[SimGrid](https://simgrid.org) 3.32 (model CM02 with latency and bandwidth factors 1, weight-S 0, no
cross traffic) and stops with an error if they disagree. In each round every node computes, sends a message on
each of its connections and waits for one on each that leads to it. The times are those of the last node;
the difference is the largest of any node.

Two things are not the same. SimGrid gives connections shares of a link in inverse proportion to their latency, as
TCP with small buffers does (and to one without any latency that of a latency of a second); here shares are even.
And it lets the messages of one connection share it; here they follow each other, as in TCP. In the column with even
shares SimGrid does as we do: its links have no latency, and each message waits for the latency of its route, then
for its turn. There the difference must be at most 2 ns a round, and what is calculated by hand must be met exactly.
The last column is SimGrid as it comes.

| case | what | rounds | here | SimGrid, even shares | largest difference | by hand | SimGrid, its own shares |
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
	speed(&b, rows)
	return b.String()
}

// speed writes how long the large cases took, if they were played.
func speed(b *strings.Builder, rows []row) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.timed })
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n## Speed\n\nSide by side in one run, the building of the network left out:\n\n" +
		"| case | messages | here | SimGrid |\n| --- | --- | --- | --- |\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(b, "| %s | %d | %v | %v |\n", r.name, len(r.edges)*r.rounds, r.ours.took.Round(10*time.Millisecond),
			r.asIs.took.Round(10*time.Millisecond))
	}
}
