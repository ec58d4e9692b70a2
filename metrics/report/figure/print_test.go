package figure

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"tallynet/metrics/report/quantity"
)

// In SVG, PDF and TikZ text stays text; the SVG parses, and the braces of TikZ match.
func TestTextIsText(t *testing.T) {
	f := Figure{Title: "50 % & <more> of α_1", Width: 246, FontSize: 9,
		Panels: []Plot{{XLabel: "payload", XUnit: &quantity.InBytes,
			YLabel: "‖∇Φ‖²", LogY: true, Levels: []float64{1e-4}, Series: []Series{{Label: `A "quoted" {name}`,
				X: []float64{1, 2e6},
				Y: []float64{1, 1e-6}, Low: []float64{0.5, 1e-7}, High: []float64{2, 1e-5}}}}}}
	var svg, pdf, tikz bytes.Buffer
	if err := f.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	if err := f.WritePDF(&pdf); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteTikZ(&tikz); err != nil {
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
	_, stream, _ := bytes.Cut(pdf.Bytes(), []byte("stream\n"))
	z, err := zlib.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"∇", "Φ", "payload", `A "quoted" {name}`, "⁻³"} {
		var inUTF16 []byte
		for _, unit := range utf16.Encode([]rune(want)) {
			inUTF16 = binary.BigEndian.AppendUint16(inUTF16, unit)
		}
		if !bytes.Contains(content, inUTF16) {
			t.Errorf("the PDF has no text %q", want)
		}
	}
	text := tikz.String()
	plain := strings.NewReplacer(`\{`, "", `\}`, "").Replace(text)
	if strings.Count(plain, "{") != strings.Count(plain, "}") || !strings.Contains(text, `50 \% \& \textless{}more`) ||
		!strings.Contains(text, `\fontsize{9.034pt}`) {
		t.Errorf("TikZ:\n%s", text)
	}
	// The band has the colour of its line, with a lower opacity.
	band := regexp.MustCompile(`\\color\[rgb\]\{0,0.447\d*,0.698\d*\}\n\\pgfsetstrokeopacity\{0.219\d*\}`)
	if !band.MatchString(text) {
		t.Errorf("the TikZ has no band:\n%s", text)
	}
}

// A figure has the requested width and font size, and its panels are stacked where they do not
// fit side by side.
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
