// Simulate runs scenarios of decentralized optimization and tallies what they cost.
// See the package cli for its commands, or run it with --help.
package main

import (
	"os"

	"tallynet/cmd/simulate/cli"
	"tallynet/scenarios/catalog"
)

func main() { os.Exit(cli.Main(catalog.New())) }
