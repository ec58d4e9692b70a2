// Package study runs a scenario over its grid and its seeds.
//
//	Scenario ─► New ─► Study ─► Run ─► []result.Run ─► Report
//	                     │       ├─ tuning first: trials of each grid point, the best becomes the run
//	                     │       ├─ methods that do not depend on a swept key run once for its points
//	                     │       └─ finished runs are stored under a key, shared between processes
//	                     └─ every instance is built once, so that what is wrong shows before the first run
//
// The result does not depend on the number of workers, or on which process did which run.
package study
