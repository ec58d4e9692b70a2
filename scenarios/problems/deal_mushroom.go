package problems

import (
	"fmt"

	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// Mushroom describes mushrooms as samples with 125 features of 0 or 1: poisonous is
// +1, or class 1, edible is -1, or class 0. The test samples are all that no node gets.
type Mushroom struct {
	Data      *data.Mushrooms // see data.Loader
	Partition data.Partition
}

func (c source) dealMushroom(t target) (*dealt, error) {
	m := c.mushroom.Data
	if m == nil {
		return nil, wrong("data", "mushroom has no samples; load them with data.Loader")
	}
	all := make([]int, len(m.Labels))
	for i := range all {
		all[i] = i
	}
	parts, err := c.mushroom.Partition.Deal(all, m.Labels, c.nodes, c.train+c.val, sim.Stream(c.seed, "partition"))
	if err != nil {
		return nil, fmt.Errorf("mushroom: %w", err)
	}
	left := len(all) - c.nodes*(c.train+c.val)
	if left == 0 {
		return nil, wrong("samples", "the nodes take all %d mushrooms, which leaves none for testing; take fewer", len(all))
	}
	width := c.width(data.MushroomInputs)
	out := &dealt{
		nodes: c.nodes, train: newSamples(c.nodes*c.train, width), val: newSamples(c.nodes*c.val, width), test: newSamples(left, width),
		classes: 2, signs: t != targetClass, about: "mushrooms, " + partitionAbout(c.mushroom.Partition),
	}
	dealtOut := make([]bool, len(all))
	take := func(dst samples, k, i int) {
		dealtOut[i] = true
		features := c.split(dst.row(k))
		for j, v := range m.Inputs[i*data.MushroomInputs : (i+1)*data.MushroomInputs] {
			features[j] = float64(v)
		}
		dst.t[k] = float64(m.Labels[i])
		if t != targetClass {
			dst.t[k] = 2*dst.t[k] - 1
		}
	}
	for i, part := range parts {
		for k, s := range part[:c.train] {
			take(out.nodeTrain(i), k, s)
		}
		for k, s := range part[c.train:] {
			take(out.nodeVal(i), k, s)
		}
	}
	k := 0
	for i := range all {
		if !dealtOut[i] {
			take(out.test, k, i)
			k++
		}
	}
	return out, nil
}
