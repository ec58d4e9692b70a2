// Simulate runs scenarios of decentralized optimization and tallies what they cost.
// See the package cli for its commands, or run it with --help.
package main

import (
	"os"

	"tallynet/cmd/simulate/cli"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/python"
)

func main() { os.Exit(cli.Main(python.Add(catalog.New()))) }
