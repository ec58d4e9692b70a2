package data

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// array is an array of numbers, rows first.
type array struct {
	shape  []int
	number func(k int) float64 // the k-th element in row-major order
	scale  float64             // of numbers that become features
}

// width returns the number of elements of a row.
func (a *array) width() int {
	w := 1
	for _, n := range a.shape[1:] {
		w *= n
	}
	return w
}

// largestArray is the most that a file of arrays may unpack to, in bytes.
const largestArray = 16 << 30

const npyMagic = "\x93NUMPY"

var (
	npyType  = regexp.MustCompile(`'descr'\s*:\s*'([<>|=]?)([a-zA-Z])([0-9]+)'`)
	npyOrder = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	npyShape = regexp.MustCompile(`'shape'\s*:\s*\(([0-9, L]*)\)`)
)

// parseNPY reads an array in NumPy's format, versions 1 to 3.
func parseNPY(raw []byte) (*array, error) {
	if len(raw) < 12 || string(raw[:6]) != npyMagic {
		return nil, errors.New("not an npy file: it does not begin with NumPy's magic bytes")
	}
	from, size := 10, int(binary.LittleEndian.Uint16(raw[8:]))
	if raw[6] >= 2 {
		from, size = 12, int(binary.LittleEndian.Uint32(raw[8:]))
	}
	if raw[6] < 1 || raw[6] > 3 || size < 0 || size > len(raw)-from {
		return nil, fmt.Errorf("the header of %d bytes of version %d does not fit the file", size, raw[6])
	}
	header, body := string(raw[from:from+size]), raw[from+size:]
	kind, order, dims := npyType.FindStringSubmatch(header), npyOrder.FindStringSubmatch(header),
		npyShape.FindStringSubmatch(header)
	if kind == nil || order == nil || dims == nil {
		return nil, fmt.Errorf("want an array of numbers, got one with the header %.100q; save it with "+
			"np.save(file, a.astype(float))", strings.TrimSpace(header))
	}
	a := &array{scale: 1}
	for _, text := range strings.Split(dims[1], ",") {
		if text = strings.Trim(text, " L"); text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("the shape is (%s)", dims[1])
		}
		a.shape = append(a.shape, n)
	}
	if len(a.shape) == 0 {
		return nil, errors.New("the array is a single number; want one row for each sample")
	}
	width, err := strconv.Atoi(kind[3])
	if err != nil {
		return nil, fmt.Errorf("the type is %s%s", kind[2], kind[3])
	}
	read := elements(kind[2], width, kind[1] == ">")
	if read == nil {
		return nil, fmt.Errorf("want an array of numbers, got one of type %s%s; save it with np.save(file, a.astype(float))",
			kind[2], kind[3])
	}
	if err := a.fits(len(body), width); err != nil {
		return nil, err
	}
	a.number = func(k int) float64 { return read(body[k*width:]) }
	if order[1] == "True" && len(a.shape) > 1 {
		a.number = func(k int) float64 { return read(body[a.fortran(k)*width:]) }
	}
	return a, nil
}

// fits returns an error unless the elements of the shape are there.
func (a *array) fits(bytes, width int) error {
	total := float64(width)
	for _, n := range a.shape {
		total *= float64(n)
	}
	if total != float64(bytes) {
		return fmt.Errorf("an array of shape %v has %.0f bytes of elements, and the file has %d", a.shape, total, bytes)
	}
	return nil
}

// fortran returns where the k-th element in row-major order is in column-major order.
func (a *array) fortran(k int) int {
	index, stride := 0, 1
	for _, n := range a.shape {
		stride *= n
	}
	for d := len(a.shape) - 1; d >= 0; d-- {
		stride /= a.shape[d]
		index += k % a.shape[d] * stride
		k /= a.shape[d]
	}
	return index
}

// elements returns the reader of one element of NumPy's kinds; nil for anything that is not a number.
func elements(kind string, width int, big bool) func([]byte) float64 {
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	switch fmt.Sprint(kind, width) {
	case "f8":
		return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	case "i8":
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }
	case "i4":
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }
	case "i2":
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case "u8":
		return func(b []byte) float64 { return float64(order.Uint64(b)) }
	case "u4":
		return func(b []byte) float64 { return float64(order.Uint32(b)) }
	case "u2":
		return func(b []byte) float64 { return float64(order.Uint16(b)) }
	case "u1", "b1":
		return func(b []byte) float64 { return float64(b[0]) }
	}
	return nil
}

// parseIdxArray reads an array in the idx format with elements of any type. Unsigned bytes
// are grey values.
func parseIdxArray(raw []byte) (*array, error) {
	if len(raw) < 4 || raw[0] != 0 || raw[1] != 0 || raw[3] == 0 || len(raw) < 4+4*int(raw[3]) {
		return nil, errors.New("not an idx file: want two zero bytes, the type and the number of dimensions")
	}
	a := &array{scale: 1}
	for k := range int(raw[3]) {
		a.shape = append(a.shape, int(binary.BigEndian.Uint32(raw[4+4*k:])))
	}
	types := map[byte]struct {
		kind  string
		width int
	}{idxUint8: {"u", 1}, 0x09: {"i", 1}, 0x0B: {"i", 2}, 0x0C: {"i", 4}, 0x0D: {"f", 4}, 0x0E: {"f", 8}}
	of, ok := types[raw[2]]
	if !ok {
		return nil, fmt.Errorf("byte 2: the element type is 0x%02x, which idx does not have", raw[2])
	}
	if raw[2] == idxUint8 {
		a.scale = 1.0 / 255
	}
	body, read := raw[4+4*int(raw[3]):], elements(of.kind, of.width, true)
	if err := a.fits(len(body), of.width); err != nil {
		return nil, err
	}
	a.number = func(k int) float64 { return read(body[k*of.width:]) }
	return a, nil
}

func readNPY(path string, o TableOptions, b *tableBuilder) error {
	return readArrays(path, o, b, parseNPY)
}

func readIdxTable(path string, o TableOptions, b *tableBuilder) error {
	if o.Labels == "" {
		return errors.New("idx files have images and labels in two files; name the other one with labels")
	}
	return readArrays(path, o, b, parseIdxArray)
}

// readArrays reads an array whose targets are in a file of their own or in one of its columns.
func readArrays(path string, o TableOptions, b *tableBuilder, parse func([]byte) (*array, error)) error {
	x, err := readArray(path, b, parse)
	if err != nil || o.Labels == "" {
		return b.addArray(x, nil, o, err)
	}
	y, err := readArray(o.Labels, b, parse)
	if err != nil {
		return fmt.Errorf("labels: %s: %w", filepath.Base(o.Labels), err)
	}
	return b.addArray(x, y, o, nil)
}

func readArray(path string, b *tableBuilder, parse func([]byte) (*array, error)) (*array, error) {
	most := int64(largestArray)
	if bytes := b.limit.Bytes; bytes > 0 && bytes < float64(most) {
		most = int64(bytes)
	}
	raw, _, err := readUnpacked(path, most)
	if err != nil {
		return nil, err
	}
	return parse(raw)
}

// readNPZ reads the arrays X and y, or those of the given names, of an npz file.
func readNPZ(path string, o TableOptions, b *tableBuilder) error {
	file, err := openRegular(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return fmt.Errorf("not an npz file: %w", err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	get := func(key, name, standard string) (*array, error) {
		if name == "" {
			name = standard
		}
		i := slices.Index(names, name)
		if i < 0 {
			if len(names) == 0 {
				return nil, fmt.Errorf("%s: there is no array %q; the file has no arrays", key, name)
			}
			return nil, fmt.Errorf("%s: there is no array %q; the arrays are %s", key, name, Some(names, 12))
		}
		f, err := z.File[i].Open()
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", name, err)
		}
		content, err := io.ReadAll(&limited{f, largestArray, largestArray, "the array has"})
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("array %s: %w", name, err)
		}
		a, err := parseNPY(content)
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", name, err)
		}
		return a, nil
	}
	x, err := get("array", o.Array, "X")
	if err != nil {
		return err
	}
	y, err := get("target", o.Target, "y")
	return b.addArray(x, y, o, err)
}

// addArray adds the rows of x with the targets y; without y one of its columns has them.
func (b *tableBuilder) addArray(x, y *array, o TableOptions, err error) error {
	if err != nil {
		return err
	}
	rows, width := x.shape[0], x.width()
	target := -1
	switch {
	case y != nil && (y.shape[0] != rows || y.width() != 1):
		return fmt.Errorf("there are %d samples of shape %v, and targets of shape %v; want one target for each sample", rows,
			x.shape[1:], y.shape)
	case y == nil && len(x.shape) != 2:
		return fmt.Errorf("the array has the shape %v; want rows and columns, or the targets in a file of their own with "+
			"labels",
			x.shape)
	case y == nil:
		target = width - 1
		if o.Target != "" {
			k, err := strconv.Atoi(o.Target)
			if err != nil || k < 1 || k > width {
				return fmt.Errorf("target: the column is %q; want a number, 1 to %d", o.Target, width)
			}
			target = k - 1
		}
	}
	used := make([]int, 0, width)
	for k := range width {
		if k != target {
			used = append(used, k)
			b.features = append(b.features, strconv.Itoa(k+1))
		}
	}
	if err := b.check(rows); err != nil {
		return err
	}
	b.x = make([]float64, 0, rows*len(used))
	for i := range rows {
		for _, k := range used {
			v := x.number(i*width + k)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d, column %d: want a finite number, got %v", i+1, k+1, v)
			}
			b.x = append(b.x, v*x.scale)
		}
		t := 0.0
		if y != nil {
			t = y.number(i)
		} else {
			t = x.number(i*width + target)
		}
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return fmt.Errorf("row %d: want a finite target, got %v", i+1, t)
		}
		b.addTarget(strconv.FormatFloat(t, 'g', -1, 64), fmt.Sprintf("row %d", i+1))
	}
	return nil
}
