package main

import (
	"fmt"
	"strings"
	"time"
)

const head = `# Validation against SimGrid

This page is written by .ci/validation/run, which plays the same networks in the engine and in
[SimGrid](https://simgrid.org) 3.32 (model CM02 with latency and bandwidth factors 1, weight-S 0, no
cross traffic) and stops with an error if they disagree. In each round every node computes, sends a message on
each of its connections and waits for one on each that leads to it. The times are those of the last node;
the difference is the largest of any node. Where the model is the same it must be at most 2 ns a round; what is
calculated by hand must be met exactly.

| case | what | rounds | here | SimGrid | largest difference | by hand |
| --- | --- | --- | --- | --- | --- | --- |
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
		difference := fmt.Sprintf("%.2f ns", r.difference())
		if r.differs != "" {
			difference = r.differs
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s |\n", r.name, r.about, r.rounds, seconds(r.ours.last()),
			seconds(r.theirs.last()), difference, hand)
	}
	b.WriteString("\n## Speed\n\nSide by side in one run, the building of the network left out:\n\n" +
		"| case | messages | here | SimGrid |\n| --- | --- | --- | --- |\n")
	for i := range rows {
		if r := &rows[i]; r.timed {
			fmt.Fprintf(&b, "| %s | %d | %v | %v |\n", r.name, len(r.edges)*r.rounds, r.ours.took.Round(10*time.Millisecond),
				r.theirs.took.Round(10*time.Millisecond))
		}
	}
	return b.String()
}
