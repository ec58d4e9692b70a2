package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"
)

// pngRows writes an opaque picture as PNG, as its rows of dots come, so that no more than some of
// them are in memory (image/png wants all). See the W3C's recommendation "Portable Network
// Graphics (PNG) Specification, Third Edition", for the sections named below.
type pngRows struct {
	w          io.Writer
	compressed bytes.Buffer
	compressor *zlib.Writer
	above      []byte // the last row, with four bytes for each dot
	filtered   []byte // a row as it is compressed: the filter's number, and three bytes for each dot
}

// pngSide is the greatest width and height that the format allows.
const pngSide = math.MaxInt32

// newPNGRows begins a picture.
func newPNGRows(w io.Writer, width, height int) (*pngRows, error) {
	if width < 1 || height < 1 || width > pngSide || height > pngSide {
		return nil, fmt.Errorf("a picture of %d × %d dots cannot be written as PNG", width, height)
	}
	r := &pngRows{w: w, above: make([]byte, 4*width), filtered: make([]byte, 1+3*width)}
	// The best compression takes twice as long and saves a fiftieth.
	r.compressor, _ = zlib.NewWriterLevel(&r.compressed, zlib.BestSpeed) // it knows that level
	if _, err := io.WriteString(w, "\x89PNG\r\n\x1a\n"); err != nil {    // 5.2
		return nil, err
	}
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	const bits, trueColor, deflate, adaptive, inOrder = 8, 2, 0, 0, 0
	return r, r.chunk("IHDR", append(head, bits, trueColor, deflate, adaptive, inOrder)) // 11.2.1
}

// write adds the rows of a picture.
func (r *pngRows) write(rows *image.RGBA) error {
	bounds := rows.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		r.filter(rows.Pix[rows.PixOffset(bounds.Min.X, y):][:4*bounds.Dx()])
		if _, err := r.compressor.Write(r.filtered); err != nil {
			return err
		}
	}
	return nil
}

// filter makes a row easier to compress (9.2), by the difference from the row above: they are alike where
// nothing but vertical lines are.
func (r *pngRows) filter(row []byte) {
	const up = 2
	r.filtered[0] = up
	differences := r.filtered[1:]
	if bytes.Equal(row, r.above) {
		clear(differences)
		return
	}
	above := r.above[:len(row)]
	for i, j := 0, 0; i+2 < len(row) && j+2 < len(differences); i, j = i+4, j+3 {
		differences[j] = row[i] - above[i]
		differences[j+1] = row[i+1] - above[i+1]
		differences[j+2] = row[i+2] - above[i+2]
	}
	copy(r.above, row)
}

// close ends the picture.
func (r *pngRows) close() error {
	if err := r.compressor.Close(); err != nil {
		return err
	}
	if err := r.chunk("IDAT", r.compressed.Bytes()); err != nil {
		return err
	}
	return r.chunk("IEND", nil)
}

// chunk writes a part of the file (5.3).
func (r *pngRows) chunk(kind string, data []byte) error {
	head := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), kind...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	for _, part := range [][]byte{head, data, binary.BigEndian.AppendUint32(nil, sum)} {
		if _, err := r.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
