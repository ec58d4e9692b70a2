// Package golden compares what tests make with files in their testdata. It is for tests: a test binary that
// imports it has the flag -update, which rewrites the files instead.
package golden
