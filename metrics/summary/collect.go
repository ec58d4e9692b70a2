package summary

import "tallynet/metrics"

// Options tell a Collector what to look for.
type Options struct {
	// Targets are the accuracies of interest. If there are none, they are those that each
	// run states as its own, one by one.
	Targets []Target
	// More names the metrics of which more is better.
	More []string
	// Number reads a swept value as a number, as "10ms"; nil reads plain numbers only.
	Number func(metrics.Setting) (x float64, ok bool)
	// Seed keys the resampling of bootstrap intervals.
	Seed uint64
}

// Collector takes runs one at a time. It keeps a few numbers of each.
type Collector struct{ options Options }

// New returns an empty collector.
func New(o Options) *Collector { return &Collector{options: o} }

// Add takes what is to be known of a run; r may be used for something else afterwards.
// Targets need the run's samples, unless the run states the same target itself.
func (c *Collector) Add(r *metrics.Run) error { return nil }

// Summary sums up the runs that were added. More may be added afterwards.
func (c *Collector) Summary() *Summary { return &Summary{Schema: Schema} }
