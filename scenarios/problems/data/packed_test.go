package data

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/scenarios/problems/budget"
)

// TestPackedForms: files compressed by bzip2 are read as published. For other formats the error names the format
// and a remedy.
func TestPackedForms(t *testing.T) {
	bz2, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWTV2rnoAAAPYAAAQQAFyECAAIhobSEMCB0EpiUZ4u5IpwoSBq7Vz0A==")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "news20")
	write := func(content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(bz2)
	s, err := ReadSVMFile(path, 1, budget.Limit{})
	if err != nil || len(s.Samples) != 2 || s.Features != 2 || s.Samples[1].Values[0] != 0.5 {
		t.Errorf("bzip2: %+v, %v", s, err)
	}
	write(bz2[:len(bz2)/2])
	if _, err := ReadSVMFile(path, 1, budget.Limit{}); err == nil {
		t.Error("half a file is read")
	}
	for form, magic := range map[string]string{"xz": "\xfd7zXZ\x00", "zstd": "\x28\xb5\x2f\xfd", "zip": "PK\x03\x04"} {
		write([]byte(magic + "some more"))
		want := "compressed by " + form + ", which is not read: unpack it, or pack it with gzip"
		_, sparse := ReadSVMFile(path, 1, budget.Limit{})
		_, mushrooms := new(Loader).MushroomsIn(path)
		_, images := new(Loader).MNIST(filepath.Dir(path))
		for what, err := range map[string]error{"svmlight": sparse, "mushrooms": mushrooms, "images": images} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", what, err, want)
			}
		}
	}
}
