package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs the program on a terminal of 80 columns and returns the lines that the screen shows at the end, with
// those that have scrolled away.
func onTerminal(t *testing.T, args ...string) []string {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	defer control.Close()
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 25, Col: 80}); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "TALLYNET_TEST_AS_PROGRAM=1")
	c.Stdout, c.Stderr = screen, screen
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = screen.Close()
	written, _ := io.ReadAll(control) // ends with an error when the program has closed the terminal
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, written)
	}
	return shownOn(t, string(written))
}

// code matches the codes that move the cursor up or erase a line.
var code = regexp.MustCompile(`^\x1b\[(\d*)([AK])`)

// shownOn returns the lines that text shows on a terminal of 80 columns.
func shownOn(t *testing.T, text string) []string {
	lines, row, column := [][]rune{{}}, 0, 0
	down := func() {
		if row++; row == len(lines) {
			lines = append(lines, nil)
		}
	}
	for text != "" {
		if m := code.FindStringSubmatch(text); m != nil {
			text = text[len(m[0]):]
			if n, _ := strconv.Atoi(m[1]); m[2] == "A" {
				row = max(0, row-max(1, n))
			} else {
				lines[row] = lines[row][:min(len(lines[row]), column)]
			}
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch r {
		case '\r':
			column = 0
		case '\n':
			down()
		case '\x1b':
			t.Fatalf("another code: %q", text[:min(20, len(text))])
		default:
			if column == 80 {
				column = 0
				down()
			}
			for len(lines[row]) <= column {
				lines[row] = append(lines[row], ' ')
			}
			lines[row][column] = r
			column++
		}
	}
	var out []string
	for _, line := range lines {
		out = append(out, strings.TrimRight(string(line), " "))
	}
	return out
}

// TestOnATerminal: after a run, and after the same one again, the screen has the answer, one table and the path of the
// page, and nothing of the progress.
func TestOnATerminal(t *testing.T) {
	enter(t)
	for _, args := range [][]string{{"run", "whatif.yaml"}, {"run", "whatif.yaml"}, {"report", "results/whatif"}} {
		lines := onTerminal(t, args...)
		all := strings.Join(lines, "\n")
		end := []string{"Page: results/whatif/report.html", ""} // and the cursor
		if len(lines) > 25 || !slices.Equal(lines[max(0, len(lines)-2):], end) {
			t.Errorf("%v: %d lines:\n%s", args, len(lines), all)
		}
		for _, word := range []string{"[", "left", "result.json", "plots"} {
			if strings.Contains(all, word) {
				t.Errorf("%v: %q remains:\n%s", args, word, all)
			}
		}
		if strings.Count(all, "───\n") != 1 {
			t.Errorf("%v: not one table:\n%s", args, all)
		}
	}
	if lines := onTerminal(t, "report", "results/whatif", "--details"); !slices.Contains(lines, "Parameters") {
		t.Errorf("--details does not print all tables:\n%s", strings.Join(lines, "\n"))
	}
}
