package problems

import (
	"fmt"
	"slices"
)

// Divided is implemented by problems that divide samples among the nodes.
type Divided interface {
	// Holdings returns the samples of each node.
	Holdings() []Holding
}

// Holding counts the samples of a node.
type Holding struct {
	Train, Val int // samples
	// Labels counts training and validation samples by class, with wrong labels as they are.
	// It omits classes without samples. It is nil if targets are numbers.
	Labels []LabelCount
}

// LabelCount is a class and how many samples have it.
type LabelCount struct {
	Label string
	Count int
}

// Holdings returns the samples of each node.
func (d *dealt) Holdings() []Holding {
	all := make([]Holding, d.nodes)
	for i := range all {
		train, val := d.nodeTrain(i), d.nodeVal(i)
		all[i] = Holding{Train: train.len(), Val: val.len(), Labels: d.labels(train, val)}
	}
	return all
}

func (d *dealt) labels(parts ...samples) []LabelCount {
	if d.classes == 0 {
		return nil
	}
	counts := make([]LabelCount, d.classes)
	for k := range counts {
		counts[k].Label = d.className(k)
	}
	for _, s := range parts {
		for _, t := range s.t {
			if d.signs {
				t = (t + 1) / 2
			}
			counts[int(t)].Count++
		}
	}
	return slices.DeleteFunc(counts, func(c LabelCount) bool { return c.Count == 0 })
}

func (d *dealt) className(k int) string {
	switch {
	case d.names != nil:
		return d.names[k]
	case d.signs:
		return fmt.Sprint(2*k - 1)
	}
	return fmt.Sprint(k)
}

// counts describes the samples of a node, such as "40 training and 20 validation samples".
func (d *dealt) counts() string {
	trainLo, trainHi, valLo, valHi := d.train.len(), 0, d.val.len(), 0
	for i := range d.nodes {
		train, val := d.nodeTrain(i).len(), d.nodeVal(i).len()
		trainLo, trainHi = min(trainLo, train), max(trainHi, train)
		valLo, valHi = min(valLo, val), max(valHi, val)
	}
	span := func(lo, hi int) string {
		if lo == hi {
			return fmt.Sprint(lo)
		}
		return fmt.Sprintf("%d to %d", lo, hi)
	}
	if valHi == 0 {
		return span(trainLo, trainHi) + " samples"
	}
	return fmt.Sprintf("%s training and %s validation samples", span(trainLo, trainHi), span(valLo, valHi))
}
