// Package catalog has the tables of what a scenario file can name: algorithms, problems,
// topologies and mixing matrices, each with its parameters and its constructor.
//
// A Catalog is an explicit value. A program with a method of its own appends an entry:
//
//	all := catalog.New()
//	all.Algorithms = append(all.Algorithms, catalog.Method(Mine{}))
//	os.Exit(cli.Main(all))
package catalog
