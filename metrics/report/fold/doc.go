// Package fold says what the runs of a study amount to.
//
//	run ─► Collector.Add ─► a few numbers per run ─► Summary ─► tables, sentences, JSON
//
// Runs come one at a time and are not kept: of each stay its status, its final
// metrics, its totals and what it cost to reach each target. A [Summary] is plain
// data. It has
//
//   - for each method at each grid point the mean of every outcome over the seeds,
//     with an interval, and how many runs ended how;
//   - what it cost to reach an accuracy, where runs that did not get there are
//     counted as censored and never averaged;
//   - differences and ratios between methods over common seeds;
//   - Pareto fronts, slopes over numeric keys, and which key matters most.
//
// Only runs that were completed or reached their target enter a number: one that
// diverged, stalled or failed, or was interrupted, is counted, nothing else. One
// seed gives values without intervals. The numbers are those of metrics/report/stats, and
// every one says over how many runs it is and by which method its interval was made.
package fold
