// Package parquet writes the runs and the iterations of a result as Parquet files, whose columns have types.
//
// The files are for programs that would have to guess the types of a CSV file. runs.parquet has one row per run,
// iterations.parquet the rows and columns of iterations.csv. The package is separate so that programs that only read
// or write results do not contain the format: they have 4 MB without it, and 11 MB with it.
package parquet
