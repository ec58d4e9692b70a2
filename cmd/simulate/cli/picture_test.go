package cli

import (
	"bytes"
	"image"
	"image/png"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tallynet/sim/golden"
	"tallynet/sim/slow"
)

// TestReadmePicture runs the "What if?" command of the README, opens its page in a browser and compares the first
// view, ignoring text, with the README's picture; -update redraws it. The other picture of the README is
// compared, too.
func TestReadmePicture(t *testing.T) {
	if !golden.Updating() {
		slow.Skip(t, "the picture is taken anew")
	}
	browser, err := exec.LookPath("chromium-headless-shell") // starts sooner than a browser with windows
	if err != nil {
		browser, err = exec.LookPath("chromium")
	}
	if err != nil {
		t.Skip("no Chromium in PATH; on Debian: apt-get install chromium-headless-shell")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	readme := readText(t, filepath.Join(root, "README.md"))
	_, after, ok := strings.Cut(string(readme), "\n## What if?\n")
	_, after, ok2 := strings.Cut(after, "go run ./cmd/simulate run ")
	file, _, ok3 := strings.Cut(after, " ")
	if !ok || !ok2 || !ok3 || !strings.Contains(string(readme), "](docs/report.png)") {
		t.Fatal("the README has no section What if? with a command and docs/report.png")
	}
	t.Chdir(t.TempDir())
	mustSimulateDrawn(t, "run", filepath.Join(root, file), "--out", "r", "--quiet")
	here, err := filepath.Abs("r/report.html")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--virtual-time-budget=4000",
		"--window-size=1000,1040", "--screenshot=shot.png", "file://"+here).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	samePicture(t, filepath.Join(root, "docs", "report.png"), "shot.png")
	// The first picture of the README is a figure of its first command.
	mustSimulateDrawn(t, "run", filepath.Join(root, "scenarios", "quickstart.yaml"), "--out", "q", "--quiet")
	samePicture(t, filepath.Join(root, "docs", "quickstart.png"), "q/convergence.png")
}

// samePicture compares a file with a picture of docs/, ignoring text; -update replaces the picture.
func samePicture(t *testing.T, picture, file string) {
	t.Helper()
	shot := readText(t, file)
	if golden.Updating() {
		writeFile(t, picture, string(shot))
		return
	}
	text := readText(t, picture)
	want, got := tiles(t, []byte(text)), tiles(t, []byte(shot))
	if len(want) != len(got) {
		t.Fatalf("the picture has %d tiles, %s %d", len(got), picture, len(want))
	}
	differ := 0
	for i := range want {
		if d := want[i] - got[i]; d > 0.2 || d < -0.2 {
			differ++
		}
	}
	if differ > len(want)/50 {
		t.Errorf("%d of %d parts of %s differ from what is drawn now; redraw it with -update", differ, len(want), picture)
	}
}

// tiles returns the mean brightness, from 0 to 1, of squares of 25 pixels.
func tiles(t *testing.T, text []byte) []float64 {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	const side = 25
	b := img.Bounds()
	var all []float64
	for y := b.Min.Y; y+side <= b.Max.Y; y += side {
		for x := b.Min.X; x+side <= b.Max.X; x += side {
			all = append(all, brightness(img, image.Rect(x, y, x+side, y+side)))
		}
	}
	return all
}

func brightness(img image.Image, part image.Rectangle) float64 {
	sum := 0.0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			sum += float64(r+g+b) / (3 * 0xffff)
		}
	}
	return sum / float64(part.Dx()*part.Dy())
}
