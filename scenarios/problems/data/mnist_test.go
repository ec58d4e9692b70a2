package data

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var loader Loader // shared by the tests, as a caller would share it

func mnist(t *testing.T) *MNIST {
	t.Helper()
	m, err := loader.MNIST("")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Counts from the page of the data set.
func TestMNISTFacts(t *testing.T) {
	m := mnist(t)
	if m.Train.Len() != 60000 || m.Test.Len() != 10000 {
		t.Errorf("%d + %d images, want 60000 + 10000", m.Train.Len(), m.Test.Len())
	}
	if m.Train.Rows != 28 || m.Train.Cols != 28 {
		t.Errorf("images of %d x %d, want 28 x 28", m.Train.Rows, m.Train.Cols)
	}
	for _, c := range []struct {
		images      *Images
		label, want int
	}{{m.Train, 0, 5923}, {m.Train, 1, 6742}, {m.Test, 0, 980}, {m.Test, 1, 1135}} {
		if got := len(c.images.Select([]int{c.label})); got != c.want {
			t.Errorf("digit %d: %d images, want %d", c.label, got, c.want)
		}
	}
	if got := len(m.Test.Select([]int{0, 1})); got != 980+1135 {
		t.Errorf("Select(0, 1) gives %d images, want %d", got, 980+1135)
	}
}

// Samples keep the order of the file, whose first labels are well known.
func TestMNISTFirstLabels(t *testing.T) {
	want := []byte{5, 0, 4, 1, 9, 2, 1, 3, 1, 4}
	if got := mnist(t).Train.Labels[:10]; !bytes.Equal(got, want) {
		t.Errorf("first labels %v, want %v", got, want)
	}
}

func TestLoaderReadsOnce(t *testing.T) {
	var wg sync.WaitGroup
	var got [4]*MNIST
	for i := range got {
		wg.Go(func() { got[i], _ = loader.MNIST("") })
	}
	wg.Wait()
	for i := range got {
		if got[i] == nil || got[i] != got[0] {
			t.Errorf("load %d is %p, load 0 is %p", i, got[i], got[0])
		}
	}
}

func TestFeatures(t *testing.T) {
	im := &Images{Rows: 2, Cols: 4, Labels: []byte{0, 1}, Pixels: []byte{
		9, 9, 9, 9, 9, 9, 9, 9,
		0, 255, 51, 51,
		255, 0, 51, 51,
	}}
	dst := make([]float64, 2)
	im.Features(dst, 1, 2)
	if math.Abs(dst[0]-0.5) > 1e-15 || math.Abs(dst[1]-0.2) > 1e-15 {
		t.Errorf("pooled %v, want [0.5 0.2]", dst)
	}
	full := make([]float64, 8)
	im.Features(full, 1, 1)
	if full[1] != 1 || full[0] != 0 || full[7] != 51*(1.0/255) {
		t.Errorf("unpooled %v", full)
	}
}

func TestParseIdxErrors(t *testing.T) {
	good := append([]byte{0, 0, 8, 1, 0, 0, 0, 3}, 7, 8, 9)
	if _, e, err := parseIdx("labels", good, 1); err != nil || !bytes.Equal(e, []byte{7, 8, 9}) {
		t.Fatalf("good file: %v, %v", e, err)
	}
	change := func(at int, to byte) []byte {
		b := bytes.Clone(good)
		b[at] = to
		return b
	}
	for _, c := range []struct {
		raw  []byte
		want string
	}{
		{good[:6], "labels: byte 6: the file ends inside its header"},
		{good[:10], "labels: byte 10: the file has 2 elements, but dimensions [3] need 3"},
		{append(bytes.Clone(good), 1), "byte 12: the file has 4 elements"},
		{change(0, 1), "byte 0"},
		{change(2, 0x0d), "byte 2: element type 0x0d"},
		{change(3, 3), "byte 3: 3 dimensions, want 1"},
		{change(7, 0), "byte 4: dimension 0 is 0"},
		{change(4, 0xff), "byte 4: dimension 0"},
	} {
		if _, _, err := parseIdx("labels", c.raw, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("% x: error %v, want %q", c.raw, err, c.want)
		}
	}
}

// copyFiles puts real MNIST files into a new folder.
func copyFiles(t *testing.T) string {
	t.Helper()
	from, err := findMNIST("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := copyMNIST(dir, from.Dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestDamagedFolder(t *testing.T) {
	dir := copyFiles(t)
	if err := checkMNIST(dir); err != nil {
		t.Fatalf("an exact copy: %v", err)
	}
	name := filepath.Join(dir, "t10k-labels-idx1-ubyte.gz")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(raw)
	flipped[len(flipped)/2] ^= 1
	for _, c := range []struct {
		what    string
		content []byte
	}{{"truncated", raw[:len(raw)/2]}, {"one bit flipped", flipped}, {"empty", nil}} {
		if err := os.WriteFile(name, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := new(Loader).MNIST(dir)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "sha256") {
			t.Errorf("%s: error %v", c.what, err)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if _, err := findMNIST(dir); err == nil || !strings.Contains(err.Error(), "t10k-labels-idx1-ubyte.gz is missing") {
		t.Errorf("missing file: error %v", err)
	}
}

// A folder may hold the unpacked files.
func TestPlainFiles(t *testing.T) {
	dir := copyFiles(t)
	name := filepath.Join(dir, "t10k-labels-idx1-ubyte")
	packed, err := os.Open(name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	if n := binary.BigEndian.Uint32(plain.Bytes()[4:]); n != 10000 {
		t.Fatalf("%d labels", n)
	}
	if err := os.WriteFile(name, plain.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name + ".gz"); err != nil {
		t.Fatal(err)
	}
	if err := checkMNIST(dir); err != nil {
		t.Error(err)
	}
	if got, err := mnistFiles[3].read(dir); err != nil || !bytes.Equal(got, plain.Bytes()) {
		t.Errorf("read: %d bytes, %v", len(got), err)
	}
}

func TestFindOrder(t *testing.T) {
	good, empty := copyFiles(t), t.TempDir()
	module := filepath.Join(t.TempDir(), "m")
	if err := copyMNIST(filepath.Join(module, "data"), good); err != nil {
		t.Fatal(err)
	}
	absent := func(...string) ([]byte, error) { return nil, errors.New("no go command here") }
	answers := func(verb, answer string) func(...string) ([]byte, error) {
		return func(args ...string) ([]byte, error) {
			if args[0] == verb {
				return []byte(answer), nil
			}
			return nil, errors.New("go " + args[0] + " fails")
		}
	}
	for _, c := range []struct {
		name string
		f    finder
		want string
	}{
		{"cache first", finder{cache: good, modules: filepath.Join(module, "data"), goCommand: absent}, "user cache"},
		{"usual place", finder{cache: empty, modules: good, goCommand: absent}, "module cache"},
		{"go list", finder{cache: empty, modules: empty, goCommand: answers("list", module+"\n")}, "module cache"},
		{"download", finder{cache: empty, goCommand: answers("mod", `{"Dir": "`+module+`"}`)}, "module download"},
	} {
		if got, err := c.f.find(); err != nil || got.Origin != c.want {
			t.Errorf("%s: %+v, %v; want %s", c.name, got, err, c.want)
		}
	}
	_, err := finder{cache: empty, goCommand: absent}.find()
	if err == nil || !strings.Contains(err.Error(), empty) || !strings.Contains(err.Error(), "no go command here") {
		t.Errorf("nowhere: error %v", err)
	}
	failing := func(...string) ([]byte, error) { return nil, errors.New("go: one\ngo: two") }
	_, err = finder{cache: empty, goCommand: failing}.find()
	lines := strings.Split(fmt.Sprint(err), "\n")
	if !strings.HasPrefix(lines[0], "mnist: not found: install Go") || len(lines) != 7 || lines[1] != "  looked in:" {
		t.Errorf("the remedy does not come first:\n%v", err)
	}
	for _, detail := range lines[2:] {
		if !strings.HasPrefix(detail, "    ") {
			t.Errorf("a detail is not indented: %q", detail)
		}
	}
	if s, err := findMNIST(good); err != nil || s.Origin != "given" {
		t.Errorf("given: %+v, %v", s, err)
	}
}

func TestFillCache(t *testing.T) {
	out, err := runGo("env", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", strings.TrimSpace(string(out))) // it may lie in the home that is left
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // the cache folder of other systems lies under it
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "tallynet", "mnist")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the cache exists before FillCache: %v", err)
	}
	s, err := FillCache()
	if err != nil || s.Dir != dir || s.Origin != "user cache" {
		t.Fatalf("FillCache: %+v, %v", s, err)
	}
	// FillCache repairs a damaged file.
	name := filepath.Join(dir, "t10k-labels-idx1-ubyte.gz")
	if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if st := Status(); st[0].Origin != "user cache" || st[0].Err == nil {
		t.Errorf("status of a damaged cache: %+v", st[0])
	}
	if _, err := FillCache(); err != nil {
		t.Fatal(err)
	}
	if st := Status(); st[0].Err != nil {
		t.Errorf("status of a repaired cache: %v", st[0].Err)
	}
}

// writeIdx writes a data set of n training and n test images in idx form, unpacked.
func writeIdx(t *testing.T, dir string, n int) (sums [4]string) {
	t.Helper()
	for k, f := range fashionFiles {
		raw := []byte{0, 0, idxUint8, 1, 0, 0, 0, byte(n)}
		size := n
		if strings.Contains(f.name, "images") {
			raw = []byte{0, 0, idxUint8, 3, 0, 0, 0, byte(n), 0, 0, 0, 28, 0, 0, 0, 28}
			size = n * 28 * 28
		}
		for i := range size {
			raw = append(raw, byte(i%10))
		}
		sums[k] = fmt.Sprintf("%x", sha256.Sum256(raw))
		if err := os.WriteFile(filepath.Join(dir, f.name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return sums
}

// Another data set in MNIST's format is checked against its own checksums.
func TestFashionMNIST(t *testing.T) {
	dir := t.TempDir()
	sums := writeIdx(t, dir, 3)
	var l Loader
	_, err := l.FashionMNIST(dir)
	if want := "the sha256 is " + sums[0] + ", want " + fashionFiles[0].plain; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	files := fashionFiles
	for k := range files {
		files[k].plain = sums[k]
	}
	m, err := readMNIST(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	if m.Train.Len() != 3 || m.Test.Labels[2] != 2 {
		t.Errorf("%d images, last label %d", m.Train.Len(), m.Test.Labels[2])
	}
	// Compressed files are checked after decompression.
	packed := t.TempDir()
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(dir, f.name))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(packed, f.name+".gz"), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readMNIST(packed, files); err != nil {
		t.Error(err)
	}
	if _, err := readMNIST(packed, fashionFiles); err == nil ||
		!strings.Contains(err.Error(), "want "+fashionFiles[0].plain) {
		t.Errorf("packed: error %v", err)
	}
	if _, err := l.FashionMNIST(""); err == nil ||
		!strings.Contains(err.Error(), "fashion-mnist: the folder is missing") {
		t.Errorf("no folder: error %v", err)
	}
}
