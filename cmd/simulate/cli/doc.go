// Package cli is the command line of Tallynet: flags, files, exit codes, progress.
//
//	scenario file ─► run ─► result folder ─► compare
//	                 │        result.json, *.csv, tables, plots
//	                 └─► tables on standard output
//
// It computes nothing: it shows what the packages below it compute. A program that adds
// methods, problems or graphs has its own main, which is as short as this one's:
//
//	func main() {
//		all := catalog.New()
//		all.Algorithms = append(all.Algorithms, mine())
//		os.Exit(cli.Main(all))
//	}
//
// Results go to standard output, everything else to standard error, so that a table
// can be piped. Nothing on disk is replaced unannounced: see Folder in docs/cli.md.
package cli
