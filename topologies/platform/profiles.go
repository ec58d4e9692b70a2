package platform

import (
	"bytes"
	_ "embed"
)

//go:embed profiles/azure-regions.csv
var azureRegions []byte

// AzureRegions returns a table of round trips between 13 regions of a cloud. The file states its source.
func AzureRegions() (*Matrix, error) { return ReadLatencies(bytes.NewReader(azureRegions), "ms") }

// FatTreeFor returns the k of the smallest fat tree with at least the given number of hosts.
func FatTreeFor(hosts int) int {
	k := 2
	for k*k*k/4 < hosts {
		k += 2
	}
	return k
}
