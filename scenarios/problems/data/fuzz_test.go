package data

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tallynet/scenarios/problems/budget"
)

// wantNumberUpTo fails if an error names a place, such as "line 7", beyond the last.
func wantNumberUpTo(t *testing.T, what string, last int, err error) {
	t.Helper()
	found := regexp.MustCompile(what + ` (\d+)`).FindStringSubmatch(err.Error())
	if found == nil {
		return
	}
	if n, _ := strconv.Atoi(found[1]); n > last {
		t.Errorf("%v: beyond %s %d", err, what, last)
	}
}

// written returns samples in svmlight's format, with indices from a base.
func written(s *SparseSet, base int) string {
	var b strings.Builder
	for _, sample := range s.Samples {
		fmt.Fprint(&b, s.Labels[sample.Class])
		for k, j := range sample.Features {
			fmt.Fprintf(&b, " %d:%v", int(j)+base, sample.Values[k])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// FuzzReadSVM: accepted samples are ordered, within the limit, and read the same after
// writing. Errors have a line of the file.
func FuzzReadSVM(f *testing.F) {
	for _, text := range []string{
		"# two classes\n+1 1:0.5 3:-2e1 # a comment\n\n-1\n1.0 2:0 7:1\r\n", "", "1 1:2\nx 1:2", "1.5 1:2", "nan 1:2",
		"1 0:2", "1 2:1 2:1", "1 2", "1 2:inf", "1 qid:3 2:1", "1 99999999999:1", "1 1:1 # c\n2 1:x",
		"2147483648 1073741824:1e-320\n-2147483648 1:-0", "1 1:0x1p-3", "1e3 1_0:1",
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, one bool) {
		base := 0
		if one {
			base = 1
		}
		limit := budget.Limit{Bytes: 20_000}
		s, err := readSVM(strings.NewReader(text), base, limit)
		if err != nil {
			wantNumberUpTo(t, "line", 1+strings.Count(text, "\n"), err)
			return
		}
		nonzeros := 0
		for i, sample := range s.Samples {
			n := len(sample.Features)
			nonzeros += n
			if len(sample.Values) != n || sample.Class < 0 || sample.Class >= len(s.Labels) {
				t.Fatalf("sample %d: %+v", i, sample)
			}
			for k, j := range sample.Features {
				if k > 0 && j <= sample.Features[k-1] || j < 0 || int(j) >= s.Features || sample.Values[k] == 0 {
					t.Fatalf("sample %d: %+v, of %d features", i, sample, s.Features)
				}
			}
		}
		if held := 72*len(s.Samples) + 12*nonzeros; float64(held) > limit.Bytes {
			t.Errorf("the samples take %d bytes; the limit is %v", held, limit.Bytes)
		}
		again, err := readSVM(strings.NewReader(written(s, base)), base, limit)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := written(again, base), written(s, base); got != want || !slices.Equal(again.Labels, s.Labels) {
			t.Errorf("it reads back as\n%s\nwant\n%s", got, want)
		}
	})
}

// FuzzParseIdxArray: an array has the elements of its shape, and they fill the file.
func FuzzParseIdxArray(f *testing.F) {
	good := []byte{0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9}
	f.Add(good)
	f.Add(good[:6])
	f.Add(good[:10])
	f.Add([]byte{0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4})
	f.Add([]byte{0, 0, 8, 3, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255})
	f.Add([]byte{0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 2})
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := parseIdxArray(raw)
		if err != nil {
			return
		}
		n := a.shape[0] * a.width()
		if elements := len(raw) - 4 - 4*len(a.shape); elements < n || n > 0 && elements%n != 0 {
			t.Fatalf("shape %v with %d bytes of elements", a.shape, elements)
		}
		if n > 0 {
			a.number(n - 1)
		}
	})
}

// FuzzMushroomFile: a user's file, compressed or not, is an error or gives samples of 0s and 1s with at most two
// classes. Compression does not change them.
func FuzzMushroomFile(f *testing.F) {
	line := "p,x,s,n,t,p,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u\n"
	for _, text := range []string{line, "class,a\n" + line, line + "e" + line[1:], strings.Replace(line, "x", "?", 1),
		strings.Replace(line, "x", "xs", 1), line[2:], "1 1:1\n2 2:1\n", "1 0:1\n0 1:1", "1 1:2\n2 1:1", "", "\x1f\x8b",
		"class," + line} {
		f.Add([]byte(text))
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte) {
		read := func(name string, content []byte) (*Mushrooms, error) {
			path := filepath.Join(folder, fmt.Sprintf("%d-%s", os.Getpid(), name))
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			return readMushroomFile(path)
		}
		m, err := read("plain", raw)
		if err != nil {
			wantNumberUpTo(t, "line", 1+bytes.Count(raw, []byte("\n")), err)
			return
		}
		if len(m.Labels) == 0 || len(m.Inputs) != len(m.Labels)*m.Features() {
			t.Fatalf("%d labels, %d inputs", len(m.Labels), len(m.Inputs))
		}
		for _, v := range slices.Concat(m.Inputs, m.Labels) {
			if v > 1 {
				t.Fatalf("a value of %d", v)
			}
		}
		if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
			return
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		packed, err := read("packed", b.Bytes())
		if err != nil || !bytes.Equal(packed.Inputs, m.Inputs) || !bytes.Equal(packed.Labels, m.Labels) {
			t.Errorf("packed, it is %v, %v", packed, err)
		}
	})
}
