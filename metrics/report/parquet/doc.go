// Package parquet writes the runs and the iterations of a result as Parquet files, in which columns have types.
//
// They are for programs that would have to guess the types of a CSV file: runs.parquet has one row per run,
// iterations.parquet the rows and columns of iterations.csv. It is a package of its own so that programs that
// only read or write results need not contain the format: they are 4 MB large without it, and 11 with it.
package parquet
