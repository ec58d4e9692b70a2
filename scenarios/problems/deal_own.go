package problems

import (
	"fmt"
	"math"
	"slices"

	"tallynet/scenarios/keys"
	"tallynet/scenarios/problems/data"
	"tallynet/sim"
)

// Own describes samples of the user's own files. They are dealt to the nodes. Then each
// node's samples are split into test samples, which no node keeps, validation samples and
// training samples.
type Own struct {
	Table *data.Table // see data.Loader
	// Test holds the test samples. If it is nil, the share Split.Test of each node's samples is for testing.
	Test *data.Table
	// Classes are the classes used, in their order; nil: all, in ascending order. A loss with
	// targets -1 and +1 takes two. Samples of other classes are left out.
	Classes []string
	// Standardize shifts and scales each feature to mean 0 and variance 1 over the training
	// samples of all nodes. A constant feature becomes 0.
	Standardize bool
	Split       Split
	Partition   data.Partition
	// Sizes are the samples of each node; a single one is that of every node; nil: all
	// samples, as equally as possible.
	Sizes []int
	// ByGroup deals by Table.Groups instead: node i gets the samples of the i-th group.
	ByGroup bool
}

// Split are the shares of a node's samples, in proportion. A problem without an inner level
// has Val 0. Where the targets are numbers, or there is a Test table, Test is not used.
type Split struct{ Train, Val, Test float64 }

// parts returns the numbers of test and validation samples among n; the others are for
// training. Each kind with a share has one sample at least, if there are enough.
func (s Split) parts(n int) (test, val int) {
	total := s.Train + s.Val + s.Test
	count := func(share float64) int {
		if share == 0 {
			return 0
		}
		return max(1, int(math.Round(float64(n)*share/total)))
	}
	val = count(s.Val)
	if test = count(s.Test); n-test-val < 1 {
		test = max(0, n-val-1)
	}
	return test, min(val, n-test-1)
}

func (c TaskConfig) dealOwn(t target) (*dealt, error) {
	o := *c.Own
	if c.single() {
		o.Split.Train, o.Split.Val = o.Split.Train+o.Split.Val, 0
	}
	if t == targetNumber || o.Test != nil {
		o.Split.Test = 0
	}
	target, names, err := o.targets(o.Table, t)
	if err != nil {
		return nil, err
	}
	parts, err := c.partsOwn(o, t, target)
	if err != nil {
		return nil, err
	}
	out := &dealt{nodes: c.Nodes, trainAt: []int{0}, valAt: []int{0}, classes: len(names), signs: t == targetSign,
		names: names}
	var train, val, test []int
	for i, part := range parts {
		nTest, nVal := o.Split.parts(len(part))
		if o.Split.Val > 0 && nVal < 1 {
			return nil, fmt.Errorf("node %d gets %s of %s; want at least one for training and one for validation: take fewer "+
				"nodes or another partition", i, rowsText(len(part)), o.Table.Name)
		}
		test = append(test, part[:nTest]...)
		val = append(val, part[nTest:nTest+nVal]...)
		train = append(train, part[nTest+nVal:]...)
		out.trainAt, out.valAt = append(out.trainAt, len(train)), append(out.valAt, len(val))
	}
	d := len(o.Table.Features)
	out.train, out.val, out.test = newSamples(len(train), c.width(d)), newSamples(len(val), c.width(d)), newSamples(0,
		c.width(d))
	from := func(table *data.Table, target []float64) reader {
		return reader{func(dst []float64, i int) { copy(dst, table.Row(i)) }, func(i int) float64 { return target[i] }}
	}
	c.read(out.train, train, from(o.Table, target))
	c.read(out.val, val, from(o.Table, target))
	if t != targetNumber {
		table := o.Table
		if o.Test != nil {
			if table = o.Test; !slices.Equal(table.Features, o.Table.Features) {
				return nil, keys.Wrong("data.test_file", "%s has the features %s, and %s has %s; want the same", table.Name,
					some(table.Features), o.Table.Name, some(o.Table.Features))
			}
			if err := o.checkTest(table, names); table.Labels != nil && err != nil {
				return nil, err
			}
			o.Classes = names
			if target, _, err = o.targets(table, t); err != nil {
				return nil, err
			}
			test = used(target)
		}
		out.test = newSamples(len(test), c.width(d))
		c.read(out.test, test, from(table, target))
	}
	if o.Standardize {
		c.standardize(out)
	}
	out.about = o.about(c)
	return out, nil
}

// checkTest returns an error if test has classes that the training samples lack, unless Classes excludes them.
func (o *Own) checkTest(test *data.Table, names []string) error {
	known := false
	for _, name := range test.Classes {
		switch {
		case slices.Contains(names, name):
			known = true
		case o.Classes == nil:
			return keys.Wrong("data.test_file", "%s has the class %q, which %s has not: its classes are %s; write the "+
				"classes of both alike, or name those to keep with data.classes", test.Name, name, o.Table.Name, some(names))
		}
	}
	if !known {
		return keys.Wrong("data.test_file", "%s has no sample of the classes %s; its classes are %s", test.Name, some(names),
			some(test.Classes))
	}
	return nil
}

// used returns the samples that have a target.
func used(target []float64) []int {
	var pool []int
	for i, t := range target {
		if !math.IsNaN(t) {
			pool = append(pool, i)
		}
	}
	return pool
}

// targets returns the target of each sample, NaN where its class is not used, and the
// classes; none if the targets are numbers.
func (o *Own) targets(table *data.Table, t target) (target []float64, names []string, err error) {
	if t == targetNumber {
		if table.Numbers == nil {
			return nil, nil, keys.Wrong("data.target", "%s: %s; this problem needs numbers", table.Name, table.NotNumber)
		}
		return table.Numbers, nil, nil
	}
	if table.Labels == nil {
		return nil, nil, keys.Wrong("data.target",
			"%s: the targets have so many different values that they are not classes; take a "+
				"problem with squared loss", table.Name)
	}
	value := make([]float64, len(table.Classes))
	for k := range value {
		value[k] = math.NaN()
	}
	names = o.Classes
	if names == nil {
		names = table.Classes
	}
	for k, name := range names {
		at := slices.Index(table.Classes, name)
		switch {
		case slices.Contains(names[:k], name):
			return nil, nil, keys.Wrong("data.classes", "the class %q is given twice", name)
		case at < 0 && table == o.Table:
			return nil, nil, keys.Wrong("data.classes", "%s has no class %q; its classes are %s", table.Name, name,
				some(table.Classes))
		case at < 0: // test samples need not have all classes
		case t == targetSign:
			value[at] = float64(2*k - 1)
		default:
			value[at] = float64(k)
		}
	}
	if n := len(names); t == targetSign && n != 2 {
		return nil, nil, keys.Wrong("data.classes",
			"%s has %s, and this problem tells two apart: write data.classes: "+
				"[%s, ...] with two of them, or take a problem for several classes", table.Name, classesText(names), names[0])
	} else if n < 2 {
		return nil, nil, keys.Wrong("data.target", "%s has one class only, %s; want at least two", table.Name, some(names))
	}
	target = make([]float64, len(table.Labels))
	for i, k := range table.Labels {
		target[i] = value[k]
	}
	return target, names, nil
}

// some lists names, at most eight of them.
func some(names []string) string { return data.Some(names, 8) }

func rowsText(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// partsOwn returns the samples of each node, in random order.
func (c TaskConfig) partsOwn(o Own, t target, target []float64) ([][]int, error) {
	pool, rng := used(target), sim.Stream(c.Seed, "partition")
	if o.ByGroup {
		groups := o.Table.GroupNames
		if len(groups) != c.Nodes {
			return nil, keys.Wrong("data.node_column",
				"the column has %d different values, %s, and %d nodes hold data; want one value "+
					"for each node", len(groups), some(groups), c.Nodes)
		}
		parts := make([][]int, c.Nodes)
		for _, i := range pool {
			parts[o.Table.Groups[i]] = append(parts[o.Table.Groups[i]], i)
		}
		for i, part := range parts {
			if len(part) == 0 {
				return nil, keys.Wrong("data.node_column", "the node %q has no row of the classes used", groups[i])
			}
			rng.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		}
		return parts, nil
	}
	if c.Nodes > len(pool) {
		return nil, fmt.Errorf("%s has %s of the classes used, and %d nodes hold data; want at least one row for each",
			o.Table.Name, rowsText(len(pool)), c.Nodes)
	}
	sizes := slices.Clone(o.Sizes)
	switch len(sizes) {
	case c.Nodes:
	case 0:
		for i := range c.Nodes {
			sizes = append(sizes, (i+1)*len(pool)/c.Nodes-i*len(pool)/c.Nodes)
		}
	case 1:
		sizes = slices.Repeat(sizes, c.Nodes)
	default:
		return nil, keys.Wrong("sizes", "there are %d sizes, and %d nodes hold data; want one for each, or a single one",
			len(sizes),
			c.Nodes)
	}
	if kind := o.Partition.Kind; t == targetNumber && kind != "" && kind != "iid" {
		return nil, keys.Wrong("partition", "partition %s deals by classes, and the targets of this problem are numbers; "+
			"take iid, sizes or column", kind)
	}
	labels := make([]int, len(target)) // of samples that are not used: any
	for _, i := range pool {
		switch {
		case t == targetNumber:
		case t == targetSign:
			labels[i] = int(target[i]+1) / 2
		default:
			labels[i] = int(target[i])
		}
	}
	parts, err := o.Partition.DealSizes(pool, labels, sizes, rng)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Table.Name, err)
	}
	return parts, nil
}

// standardize shifts and scales each feature by its mean and deviation over the training samples. A feature that is
// constant there becomes 0: the rounding of its mean is no deviation.
func (c TaskConfig) standardize(d *dealt) {
	columns := d.train.x.Cols
	if c.Bias {
		columns--
	}
	m := float64(d.train.len())
	for j := range columns {
		mean, square, constant := 0.0, 0.0, true
		for i := range d.train.len() {
			mean += d.train.row(i)[j] / m
			constant = constant && d.train.row(i)[j] == d.train.row(0)[j]
		}
		for i := range d.train.len() {
			v := d.train.row(i)[j] - mean
			square += v * v / m
		}
		scale := 0.0
		if square > 0 && !constant {
			scale = 1 / math.Sqrt(square)
		}
		for _, s := range []samples{d.train, d.val, d.test} {
			for i := range s.len() {
				s.row(i)[j] = (s.row(i)[j] - mean) * scale
			}
		}
	}
}

func (o *Own) about(c TaskConfig) string {
	kind := partitionAbout(o.Partition)
	switch {
	case o.ByGroup:
		kind = "by column"
	case len(o.Sizes) > 0:
		kind += ", sizes given"
	}
	text := fmt.Sprintf("%s, %d rows of %d features, %s", o.Table.Name, o.Table.Len(), len(o.Table.Features), kind)
	if o.Standardize {
		text += ", standardized"
	}
	return text
}

// size returns the number of features, classes and test samples of a file.
func (o *Own) size(t target) (d, classes, test float64) {
	d, classes = float64(len(o.Table.Features)), 1
	if t == targetClass {
		classes = float64(len(o.Classes))
		if o.Classes == nil {
			classes = float64(len(o.Table.Classes))
		}
	}
	if o.Test != nil {
		test = float64(o.Test.Len())
	}
	return d, classes, test
}

// classesText returns the number of classes and the names of some.
func classesText(names []string) string {
	if len(names) == 1 {
		return "1 class, " + names[0]
	}
	return fmt.Sprintf("%d classes, %s", len(names), some(names))
}
