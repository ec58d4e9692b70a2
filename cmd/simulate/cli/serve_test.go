package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// servedProgram is simulate serve as a separate process, with its link.
type servedProgram struct {
	*exec.Cmd
	link   string
	stdin  io.WriteCloser
	stderr *strings.Builder
}

// startServe starts the program over the current folder.
func startServe(t *testing.T, args ...string) *servedProgram {
	t.Helper()
	c := exec.Command(os.Args[0], append([]string{"serve"}, args...)...)
	c.Env = append(os.Environ(), "TALLYNET_TEST_AS_PROGRAM=1")
	p := &servedProgram{Cmd: c, stderr: &strings.Builder{}}
	c.Stderr = p.stderr
	var err error
	if p.stdin, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() }) // it has ended, unless the test has failed
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, p.stderr)
	}
	p.link = strings.TrimSpace(line)
	return p
}

// The server prints its link and answers it on the loopback. It ends with an interrupt, with
// its standard input, and with its terminal, even during a study.
func TestServeEnds(t *testing.T) {
	enter(t)
	ends := []struct {
		name string
		end  func(p *servedProgram) error
		code int
	}{
		{"an interrupt", func(p *servedProgram) error { return p.Process.Signal(os.Interrupt) }, 0},
		{"the end of its input", func(p *servedProgram) error { return p.stdin.Close() }, 0},
		{"the end of its terminal", func(p *servedProgram) error { return p.Process.Signal(syscall.SIGHUP) }, 0},
	}
	if testing.Short() { // under the race detector one case suffices
		ends = ends[:1]
	}
	for _, c := range ends {
		p := startServe(t)
		link := regexp.MustCompile(`^(http://(?:127\.0\.0\.1|\[::1\]):[0-9]+/)\?token=([A-Z2-7]{26})$`)
		found := link.FindStringSubmatch(p.link)
		if found == nil {
			t.Fatalf("the link is %q", p.link)
		}
		answer, err := http.Get(p.link)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "<option>endless.yaml</option>") || answer.StatusCode != http.StatusOK {
			t.Errorf("the page lists no endless.yaml: code %d", answer.StatusCode)
		}
		begun := begin(t, found[1]+"try", found[2])
		if err := c.end(p); err != nil {
			t.Fatal(err)
		}
		err = p.Wait()
		if code := p.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: %v, code %d, want %d: %s", c.name, err, code, c.code, p.stderr)
		}
		if c.code == 0 && !strings.Contains(p.stderr.String(), "serve has ended") {
			t.Errorf("%s: it says %q", c.name, p.stderr)
		}
		_, _ = io.Copy(io.Discard, begun) // the server's end cuts it off
		_ = begun.Close()
	}
}

// begin starts an endless study, and returns when it runs.
func begin(t *testing.T, url, token string) io.ReadCloser {
	t.Helper()
	body := `{"file": "endless.yaml", "run": true, "long": true}`
	r, err := http.NewRequestWithContext(context.Background(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Tallynet-Token", token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"progress"`) {
			return answer.Body
		}
	}
	t.Fatalf("the study does not begin: %v", lines.Err())
	return nil
}

func TestServeRefuses(t *testing.T) {
	enter(t)
	for _, c := range []struct{ args, want string }{
		{"serve nowhere", "serve: there is no folder nowhere"},
		{"serve two.yaml", "serve: two.yaml is a file; give the folder that it is in"},
		{"serve . --port 70000", "serve: --port is 70000; want 0 to 65535"},
		{"serve . --workers 0", "serve: --workers is \"0\""},
		{"serve . --max-runs 0", "serve: --max-runs is \"0\""},
		{"serve a b", "one argument too many"},
	} {
		if _, errs, code := simulate(strings.Fields(c.args)...); code != codeUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d: %s", c.args, code, errs)
		}
	}
}
