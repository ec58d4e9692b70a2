package platform

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestZoo(t *testing.T) {
	files, _ := filepath.Glob(os.Getenv("ZOO"))
	ok := 0
	for _, f := range files {
		r, _ := os.Open(f)
		p, err := Read(f, r, GraphConfig{Latency: 1e6, Bandwidth: 1e9})
		r.Close()
		if err != nil {
			fmt.Println(f, "ERR", err)
			continue
		}
		ok++
		if os.Getenv("SHOW") != "" {
			fmt.Println(filepath.Base(f), len(p.Hosts), len(p.switches), len(p.Links), p.Components())
			for _, n := range p.Notes {
				fmt.Println("   ", n)
			}
		}
	}
	fmt.Println(ok, "of", len(files))
}
