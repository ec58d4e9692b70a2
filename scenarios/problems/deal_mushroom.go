package problems

import (
	"fmt"
	"slices"

	"tallynet/scenarios/problems/data"
)

// Mushroom describes mushrooms as samples with features of 0 or 1, 125 in this program's
// table. Poisonous ones are +1 or class 1, edible ones -1 or class 0. All samples that no
// node gets are test samples.
type Mushroom struct {
	Data      *data.Mushrooms // see data.Loader
	Partition data.Partition
}

func (c TaskConfig) dealMushroom(t target) (*dealt, error) {
	m := c.Mushroom.Data
	all := make([]int, len(m.Labels))
	for i := range all {
		all[i] = i
	}
	parts, err := c.partition(c.Mushroom.Partition, all, m.Labels)
	if err != nil {
		return nil, fmt.Errorf("mushroom: %w", err)
	}
	dealtOut := make([]bool, len(all))
	for _, i := range slices.Concat(parts...) {
		dealtOut[i] = true
	}
	rest := slices.DeleteFunc(all, func(i int) bool { return dealtOut[i] })
	if len(rest) == 0 {
		return nil, fmt.Errorf("samples: the nodes take all %d mushrooms, which leaves none for testing; take fewer",
			len(m.Labels))
	}
	d := m.Features()
	out := c.newDealt(d)
	out.classes, out.signs = 2, t != targetClass
	out.names = []string{"edible", "poisonous"}
	out.about = "mushrooms, " + partitionAbout(c.Mushroom.Partition)
	read := reader{
		func(dst []float64, i int) {
			for j, v := range m.Inputs[i*d : (i+1)*d] {
				dst[j] = float64(v)
			}
		},
		func(i int) float64 {
			if t == targetClass {
				return float64(m.Labels[i])
			}
			return 2*float64(m.Labels[i]) - 1
		},
	}
	c.readParts(out, parts, read)
	c.readTest(out, d, rest, read)
	return out, nil
}
