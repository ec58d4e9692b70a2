package data

import (
	"encoding/binary"
	"fmt"
)

// The idx format (LeCun, Cortes, Burges): two zero bytes, the element type, the
// number of dimensions, each dimension as a big-endian 32-bit number, the elements.
const idxUint8 = 0x08

// Images is a set of labelled grey images of one size.
type Images struct {
	Pixels []byte // one image after the other, rows top to bottom, 0 = background, 255 = ink
	Labels []byte
	Rows   int
	Cols   int
}

// Len returns the number of images.
func (im *Images) Len() int { return len(im.Labels) }

// Select returns the ascending indices of the images whose label is one of classes.
func (im *Images) Select(classes []int) []int {
	var want [256]bool
	for _, c := range classes {
		if c >= 0 && c < len(want) {
			want[c] = true
		}
	}
	var out []int
	for i, l := range im.Labels {
		if want[l] {
			out = append(out, i)
		}
	}
	return out
}

// Features writes image i to dst, scaled to [0, 1] and averaged over squares of
// pool x pool pixels. dst has Rows/pool · Cols/pool elements; pool divides both.
func (im *Images) Features(dst []float64, i, pool int) {
	if pool < 1 || im.Rows%pool != 0 || im.Cols%pool != 0 {
		panic(fmt.Sprintf("data: pool %d does not divide %d x %d", pool, im.Rows, im.Cols))
	}
	cols := im.Cols / pool
	if len(dst) != im.Rows/pool*cols {
		panic(fmt.Sprintf("data: dst has length %d, want %d features", len(dst), im.Rows/pool*cols))
	}
	pixels := im.Pixels[i*im.Rows*im.Cols : (i+1)*im.Rows*im.Cols]
	scale := 1 / (255 * float64(pool*pool))
	if pool == 1 {
		for k, v := range pixels {
			dst[k] = float64(v) * scale
		}
		return
	}
	for k := range dst {
		top, left := k/cols*pool, k%cols*pool
		sum := 0
		for r := top; r < top+pool; r++ {
			for _, v := range pixels[r*im.Cols+left : r*im.Cols+left+pool] {
				sum += int(v)
			}
		}
		dst[k] = float64(sum) * scale
	}
}

// parseIdx reads an idx file of unsigned bytes with dims dimensions. The elements alias raw.
func parseIdx(name string, raw []byte, dims int) (shape []int, elements []byte, err error) {
	header := 4 + 4*dims
	if len(raw) < header {
		return nil, nil, fmt.Errorf("%s: byte %d: the file ends inside its header of %d bytes", name, len(raw), header)
	}
	if raw[0] != 0 || raw[1] != 0 {
		return nil, nil, fmt.Errorf("%s: byte 0: not an idx file: it begins with % x, want two zero bytes",
			name, raw[:4])
	}
	if raw[2] != idxUint8 {
		return nil, nil, fmt.Errorf("%s: byte 2: element type 0x%02x, want 0x%02x (unsigned bytes)",
			name, raw[2], idxUint8)
	}
	if int(raw[3]) != dims {
		return nil, nil, fmt.Errorf("%s: byte 3: %d dimensions, want %d", name, raw[3], dims)
	}
	size := uint64(1)
	for k := range dims {
		n := binary.BigEndian.Uint32(raw[4+4*k:])
		if n == 0 || n > 1<<24 {
			return nil, nil, fmt.Errorf("%s: byte %d: dimension %d is %d, want 1 to %d", name, 4+4*k, k, n, 1<<24)
		}
		shape = append(shape, int(n))
		if size *= uint64(n); size > 1<<32 {
			return nil, nil, fmt.Errorf("%s: byte %d: dimensions %v need more than 4 GiB", name, 4+4*k, shape)
		}
	}
	elements = raw[header:]
	if have := uint64(len(elements)); have != size {
		return nil, nil, fmt.Errorf("%s: byte %d: the file has %d elements, but dimensions %v need %d",
			name, len(raw), have, shape, size)
	}
	return shape, elements, nil
}

// parseImages joins an image file and its label file.
func parseImages(imagesName string, imagesRaw []byte, labelsName string, labelsRaw []byte) (*Images, error) {
	shape, pixels, err := parseIdx(imagesName, imagesRaw, 3)
	if err != nil {
		return nil, err
	}
	_, labels, err := parseIdx(labelsName, labelsRaw, 1)
	if err != nil {
		return nil, err
	}
	if len(labels) != shape[0] {
		return nil, fmt.Errorf("%s has %d images, %s has %d labels", imagesName, shape[0], labelsName, len(labels))
	}
	return &Images{Pixels: pixels, Labels: labels, Rows: shape[1], Cols: shape[2]}, nil
}
