// Package cli is the command line of Tallynet: flags, files, exit codes, progress.
//
//	scenario file ─► run ─► result folder ─► compare
//	                 │        result.json, *.csv, tables, plots
//	                 └─► tables on standard output
//
// It computes nothing and shows what the packages below it compute. A program that adds methods,
// problems or graphs has its own main, which is just as short:
//
//	func main() {
//		all := catalog.New()
//		all.Algorithms = append(all.Algorithms, mine())
//		os.Exit(cli.Main(all))
//	}
//
// Results go to standard output and everything else to standard error, so that tables can be
// piped. Nothing on disk is replaced without notice: see Folder in docs/cli.md.
package cli
