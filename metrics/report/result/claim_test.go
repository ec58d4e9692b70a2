package result_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tallynet/metrics/report/result"
)

// TestClaim: one process has a claim until it releases it or ends.
func TestClaim(t *testing.T) {
	dir := t.TempDir()
	a, err := result.OpenRunStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := result.OpenRunStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	claim := func(s *result.RunStore, want bool) func() error {
		t.Helper()
		release, claimed, err := s.Claim("key")
		if err != nil || claimed != want {
			t.Fatalf("claimed: %v, %v; want %v", claimed, err, want)
		}
		return release
	}
	release := claim(a, true)
	claim(b, false)
	if n, err := b.Claims(); n != 1 || err != nil {
		t.Errorf("%d claims, %v", n, err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	release = claim(b, true)
	claim(a, false)
	names, err := filepath.Glob(filepath.Join(dir, "*.claim"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	old := time.Now().Add(-time.Hour) // its process has ended
	if err := os.Chtimes(names[0], old, old); err != nil {
		t.Fatal(err)
	}
	if n, err := a.Claims(); n != 0 || err != nil {
		t.Errorf("%d claims, %v", n, err)
	}
	again := claim(a, true)
	if err := again(); err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil { // there is nothing left to release
		t.Fatal(err)
	}
}
