package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
	"tallynet/sim/golden"
)

// TestBroken loads every broken scenario and compares the message with the golden file beside it.
func TestBroken(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil || len(files) < 45 {
		t.Fatalf("%d broken scenarios, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Parse(name+".yaml", src, builtin(), nil)
			if err == nil {
				t.Fatal("it loads")
			}
			checkPositions(t, err)
			golden.Check(t, strings.TrimSuffix(file, ".yaml")+".txt", err.Error()+"\n")
		})
	}
}

// checkPositions fails unless every error in err has a position and a message.
func checkPositions(t *testing.T, err error) {
	t.Helper()
	var list keys.FileErrors
	switch err := err.(type) {
	case *keys.FileError:
		list = keys.FileErrors{err}
	case keys.FileErrors:
		list = err
	default:
		t.Fatalf("the error is a %T", err)
	}
	if len(list) == 0 || len(list) > keys.MaxErrors {
		t.Fatalf("%d errors", len(list))
	}
	for _, e := range list {
		if e.File == "" || e.Set == "" && (e.Line < 1 || e.Column < 1) || e.Message == "" {
			t.Errorf("no place or no message: %+v", e)
		}
	}
}
