package figure

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"testing"
)

// TestRowsAreAPicture: what is written is read again by others, in rows that are alike and that are not.
func TestRowsAreAPicture(t *testing.T) {
	const width, height = 7, 21
	want := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range want.Pix {
		want.Pix[i] = uint8(i * i >> 3)
		if i%4 == 3 {
			want.Pix[i] = 0xff
		}
	}
	copy(want.Pix[want.PixOffset(0, 5):], want.Pix[want.PixOffset(0, 4):want.PixOffset(0, 5)])
	written := func(w io.Writer) error {
		rows, err := newPNGRows(w, width, height)
		if err != nil {
			return err
		}
		for _, r := range []image.Rectangle{image.Rect(0, 0, width, 16), image.Rect(0, 16, width, height)} {
			if err := rows.write(want.SubImage(r).(*image.RGBA)); err != nil {
				return err
			}
		}
		return rows.close()
	}
	var b bytes.Buffer
	if err := written(&b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	got, err := png.Decode(&b)
	if err != nil || b.Len() > 0 {
		t.Fatalf("%v, and %d bytes after the picture", err, b.Len())
	}
	if got.Bounds() != want.Rect {
		t.Fatalf("the picture is %v, want %v", got.Bounds(), want.Rect)
	}
	for y := range height {
		for x := range width {
			if g := color.RGBAModel.Convert(got.At(x, y)); g != want.At(x, y) {
				t.Errorf("dot %d, %d is %v, want %v", x, y, g, want.At(x, y))
			}
		}
	}
	full := errors.New("no space left")
	for room := range file { // in the middle of every part
		if err := written(&small{room, full}); !errors.Is(err, full) {
			t.Errorf("with room for %d of %d bytes: %v", room, len(file), err)
		}
	}
	sides := [][2]int{{0, 5}, {5, 0}, {-1, 5}}
	if math.MaxInt > pngSide { // not on processors of 32 bits
		sides = append(sides, [2]int{5, math.MaxInt}, [2]int{math.MaxInt, 5})
	}
	for _, side := range sides {
		if _, err := newPNGRows(io.Discard, side[0], side[1]); err == nil {
			t.Errorf("a picture of %d × %d dots was begun", side[0], side[1])
		}
	}
}

// small takes some bytes and no more.
type small struct {
	room int
	full error
}

func (s *small) Write(p []byte) (int, error) {
	if len(p) > s.room {
		return s.room, s.full
	}
	s.room -= len(p)
	return len(p), nil
}
