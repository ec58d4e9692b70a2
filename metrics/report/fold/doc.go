// Package fold computes the statistics of a study.
//
//	run ─► Fold.Add ─► a few numbers per run ─► Summary ─► tables, sentences, JSON
//
// Runs come one at a time. Of each run a Fold keeps its status, its final metrics, its totals and its costs to each
// target. A [Summary] is plain data. It has
//
//   - for each method at each grid point the mean of every outcome over the seeds or,
//     if runs did not get there, the median, with an interval, and how many runs ended how;
//   - differences and ratios between methods over common seeds;
//   - Pareto fronts, slopes over numeric keys, and which key matters most.
//
// A run that diverged, stalled or failed never gets there: it counts as infinite. One that ended by its limit, or that
// the user interrupted, is censored at its cost. There is no number if fewer than half of the runs got there. One seed
// gives values without intervals. The numbers come from metrics/report/stats, and each one states its number of runs
// and the method of its interval.
package fold
