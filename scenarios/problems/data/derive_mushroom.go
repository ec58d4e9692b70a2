//go:build ignore

// Derive_mushroom makes mushroom.csv.gz from the two files of Debian's package
// libfann-doc (2.2.0+ds-8):
//
//	apt-get install libfann-doc
//	go run derive_mushroom.go /usr/share/doc/libfann-dev/examples/datasets
//
// Each file starts with "samples inputs outputs" and has, for each sample, a line of 125
// inputs and a line of two outputs, "1 0" for edible. The training file comes first. The
// table has one line per sample: p or e, a comma, and the inputs as digits 0 and 1.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

const inputs = 125

var sources = []struct{ name, sha256 string }{
	{"mushroom.train", "38fa641ff1c17a5ba28c5a470b43c5a5abc05ce545d3e2189382cb20a6a17fea"},
	{"mushroom.test", "da962d6332eaa400c8b3a0a9ee70abdcfab51571f2de66aec73f2b30bd737785"},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run derive_mushroom.go FOLDER")
	}
	var table strings.Builder
	table.WriteString("class,inputs\n")
	for _, s := range sources {
		path := filepath.Join(os.Args[1], s.name)
		raw, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(raw)); got != s.sha256 {
			log.Fatalf("%s: the sha256 is %s, want %s", path, got, s.sha256)
		}
		if err := derive(&table, strings.Fields(string(raw))); err != nil {
			log.Fatalf("%s: %v", path, err)
		}
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write([]byte(table.String())); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("mushroom.csv.gz", packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mushroom.csv.gz: %d bytes\nsha256 of the table: %x\n",
		packed.Len(), sha256.Sum256([]byte(table.String())))
}

func derive(table *strings.Builder, words []string) error {
	var samples, in, out int
	if _, err := fmt.Sscan(strings.Join(words[:3], " "), &samples, &in, &out); err != nil {
		return err
	}
	words = words[3:]
	if in != inputs || out != 2 || len(words) != samples*(in+out) {
		return fmt.Errorf("%d samples of %d inputs and %d outputs in %d words; "+
			"want %d inputs and 2 outputs, one word each", samples, in, out, len(words), inputs)
	}
	for ; len(words) > 0; words = words[in+out:] {
		switch words[in] + words[in+1] {
		case "10":
			table.WriteString("e,")
		case "01":
			table.WriteString("p,")
		default:
			return fmt.Errorf("the outputs are %v; want 1 0 or 0 1", words[in:in+out])
		}
		for _, w := range words[:in] {
			if w != "0" && w != "1" {
				return fmt.Errorf("an input is %q; want 0 or 1", w)
			}
			table.WriteString(w)
		}
		table.WriteByte('\n')
	}
	return nil
}
