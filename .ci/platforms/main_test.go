package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFaults checks a module with one fault of each kind, each on one platform of two.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string // what each fault says, one after the other
	}{
		"none": {files: map[string]string{"a.go": "package a\n\nimport \"fmt\"\n\nfunc A() { fmt.Println(1 << 20) }\n"}},
		"a name of one system": {files: map[string]string{"a.go": "package a\n\nvar A = here\n",
			"a_linux.go": "package a\n\nvar here = 1\n"},
			want: []string{"windows/amd64: a.go:3:9: undefined: here"}},
		"a test of one system": {files: map[string]string{"a.go": "package a\n",
			"a_windows_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Log(b) }\n"},
			want: []string{"windows/amd64: a_windows_test.go:5:34: undefined: b"}},
		"a test beside the package": {files: map[string]string{"a.go": "package a\n",
			"own_test.go":       "package a\n\nvar Own = 1\n",
			"a_windows_test.go": "package a_test\n\nimport \"a\"\n\nvar _, _ = a.Own, a.Other\n"},
			want: []string{"windows/amd64: a_windows_test.go:5:21: undefined: a.Other"}},
		"an int of 32 bits": {files: map[string]string{"a.go": "package a\n\nvar A = 1 << 40\n"},
			want: []string{"linux/386: a.go:3:9: cannot use 1 << 40 (untyped int constant 1099511627776) as int value in " +
				"variable declaration (overflows)"}},
		"a shift by 32 bits": {files: map[string]string{"a.go": "package a\n\nfunc A(n int) int { return n >> 40 }\n"},
			want: []string{"linux/386: a.go:3:28: n (32 bits) too small for shift of 40"}},
		"a format": {files: map[string]string{"a.go": "package a\n", "b/b.go": "package b\n\nimport \"fmt\"\n\n" +
			"func F(format string, args ...any) { fmt.Printf(format, args...) }\n",
			"a_windows.go": "package a\n\nimport \"a/b\"\n\nfunc init() { b.F(\"%d\", \"x\") }\n"},
			want: []string{"windows/amd64: a_windows.go:5:20: a/b.F format %d has arg \"x\" of wrong type string"}},
		"no body": {files: map[string]string{"a.go": "package a\n\nfunc A()\n", "a_386.s": "TEXT ·A(SB),$0-0\n\tRET\n"},
			want: []string{"windows/amd64: a.go:3:1: function A has no body"}},
		"arguments of assembly": {files: map[string]string{"a_386.go": "package a\n\nfunc A(n int32)\n",
			"a.go": "package a\n", "a_386.s": "TEXT ·A(SB),$0-8\n\tRET\n"},
			want: []string{"linux/386: a_386.s:1:1: [386] A: wrong argument size 8; expected $...-4"}},
		"a package that is not there": {files: map[string]string{"a.go": "package a\n",
			"a_windows.go": "package a\n\nimport \"a/c\"\n\nvar C = c.C\n"},
			want: []string{"could not import a/c", "package a/c is not in std"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.files["go.mod"] = "module a\n\ngo 1.26\n"
			for file, text := range c.files {
				file = filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			faults, err := check(dir, []string{"windows/amd64", "linux/386"})
			if err != nil {
				t.Fatal(err)
			}
			if len(faults) != len(c.want) {
				t.Fatalf("got %d faults, want %d:\n%s", len(faults), len(c.want), strings.Join(faults, "\n"))
			}
			for i, want := range c.want {
				if got := strings.ReplaceAll(faults[i], dir+string(filepath.Separator), ""); !strings.Contains(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	for _, platform := range []string{"linux", "linux/none"} {
		if _, err := check(".", []string{platform}); err == nil {
			t.Errorf("%s is taken for a platform", platform)
		}
	}
	if faults, err := check(t.TempDir(), []string{"linux/386"}); err == nil && len(faults) == 0 {
		t.Error("a folder without packages is not wrong")
	}
}
