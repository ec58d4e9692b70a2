// Package fold computes the statistics of a study.
//
//	run ─► Fold.Add ─► a few numbers per run ─► Summary ─► tables, sentences, JSON
//
// Runs come one at a time. Of each run a Fold keeps its status, its final metrics, its totals and its costs to each
// target. A [Summary] is plain data. It has
//
//   - for each method at each grid point the mean of every outcome over the seeds,
//     with an interval, and how many runs ended how;
//   - the costs to reach an accuracy, where runs that did not reach it are
//     censored and never averaged;
//   - differences and ratios between methods over common seeds;
//   - Pareto fronts, slopes over numeric keys, and which key matters most.
//
// Only runs that were completed or reached their target contribute to numbers. Runs that diverged, stalled, failed or
// were interrupted are only counted. One seed gives values without intervals. The numbers come from
// metrics/report/stats, and each one states its number of runs and the method of its interval.
package fold
