package data

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
		want[c] = true
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
	cols := im.Cols / pool
	pixels := im.Pixels[i*im.Rows*im.Cols : (i+1)*im.Rows*im.Cols]
	scale := 1 / (255 * float64(pool*pool))
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
