package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A PDF's table of objects leads to them, and its page draws each curve.
func TestPDF(t *testing.T) {
	for name, f := range pictures() {
		var b bytes.Buffer
		if _, err := f.WritePDF(&b); err != nil {
			t.Fatal(err)
		}
		start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(b.Bytes())
		if start == nil {
			t.Fatalf("%s: it ends with %q", name, b.Bytes()[b.Len()-30:])
		}
		at, _ := strconv.Atoi(string(start[1]))
		table := strings.Split(string(b.Bytes()[at:]), "\n")
		if table[0] != "xref" {
			t.Fatalf("%s: at %d is %q", name, at, table[0])
		}
		for i := 1; i <= 4; i++ {
			offset, _ := strconv.Atoi(table[2+i][:10])
			if want := fmt.Sprintf("%d 0 obj\n", i); !bytes.HasPrefix(b.Bytes()[offset:], []byte(want)) {
				t.Errorf("%s: object %d is not at %d", name, i, offset)
			}
		}
		_, stream, _ := bytes.Cut(b.Bytes(), []byte("stream\n"))
		z, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(content), " S\n")+strings.Count(string(content), "S\n") == 0 ||
			strings.Contains(string(content), "NaN") {
			t.Errorf("%s: the page draws %.80q", name, content)
		}
	}
}

// In SVG and TikZ text is text; the SVG parses, and the braces of TikZ match.
func TestTextIsText(t *testing.T) {
	f := Figure{Title: "50 % & <more> of α_1", Width: 246, FontSize: 9,
		Panels: []Plot{{XLabel: "payload", XUnit: ByteUnit,
			YLabel: "‖∇Φ‖²", LogY: true, Levels: []float64{1e-4}, Series: []Series{{Label: `A "quoted" {name}`,
				X: []float64{1, 2e6},
				Y: []float64{1, 1e-6}, Low: []float64{0.5, 1e-7}, High: []float64{2, 1e-5}}}}}}
	var svg, tikz bytes.Buffer
	if _, err := f.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteTikZ(&tikz); err != nil {
		t.Fatal(err)
	}
	var texts []string
	d := xml.NewDecoder(&svg)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if ok && e.Name.Local == "svg" {
			if got := e.Attr[2].Value; got != "246pt" {
				t.Errorf("the width is %s", got)
			}
		}
		if ok && e.Name.Local == "text" {
			var s string
			if err := d.DecodeElement(&s, &e); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, s)
		}
	}
	all := strings.Join(texts, "|")
	for _, want := range []string{f.Title, "‖∇Φ‖²", "payload (MB)", `A "quoted" {name}`, "10⁻³"} {
		if !strings.Contains(all, want) {
			t.Errorf("no text %q among %s", want, all)
		}
	}
	text := tikz.String()
	plain := strings.NewReplacer(`\{`, "", `\}`, "").Replace(text)
	if strings.Count(plain, "{") != strings.Count(plain, "}") || !strings.Contains(text, `50 \% \& \textless{}more`) ||
		!strings.Contains(text, `\fontsize{9}{10.8}`) || !strings.Contains(text, "\\pgfsetfillopacity{0.22}") {
		t.Errorf("TikZ:\n%s", text)
	}
	// The two marks and that of the legend are opaque, and so is all text behind the band.
	if n := strings.Count(text, "\\pgfusepath{fill,stroke}"); n != 3 || strings.Count(text, "fillopacity") != 3 {
		t.Errorf("TikZ fills and strokes %d paths, want 3:\n%s", n, text)
	}
}

// A figure is as wide as wanted, its letters as large, and its panels go below each other where
// they do not fit side by side.
func TestFigureSizes(t *testing.T) {
	f := pictures()["convergence"]
	for _, c := range []struct {
		width, font float64
		columns     int
	}{{0, 0, 3}, {516, 8, 3}, {246, 8, 1}, {345, 9, 2}, {246, 6, 2}} {
		f.Width, f.FontSize = c.width, c.font
		l, err := f.layout()
		if err != nil {
			t.Fatal(err)
		}
		if c.width > 0 && !(math.Abs(float64(l.width*l.scale)-c.width) <= 1e-9) {
			t.Errorf("%v: the figure is %v wide", c, l.width*l.scale)
		}
		columns := 0
		for _, p := range l.panels {
			if p.frame.Min.Y == l.panels[0].frame.Min.Y {
				columns++
			}
			if p.frame.Max.X > l.width || p.frame.Max.X-p.frame.Min.X < 50 {
				t.Errorf("%v: a panel from %v to %v", c, p.frame.Min.X, p.frame.Max.X)
			}
		}
		if columns != c.columns {
			t.Errorf("%v: %d panels side by side", c, columns)
		}
	}
}

func TestFigureCSV(t *testing.T) {
	f := Figure{Panels: []Plot{{XLabel: "bytes", YLabel: "g", Series: []Series{{Label: "A", X: []float64{1, 2},
		Y: []float64{3, math.NaN()}, Low: []float64{2.5, 1}, High: []float64{3.5, 2}}}}}}
	var b strings.Builder
	if err := f.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if want := "panel,x_axis,y_axis,curve,x,y,low,high\n1,bytes,g,A,1,3,2.5,3.5\n1,bytes,g,A,2,,1," +
		"2\n"; b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
