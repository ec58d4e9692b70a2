package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tallynet/metrics/report/result"
	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
)

const small = `# A small scenario.
version: 1
name: small
about: What does DAGM send on a small graph?
topology: {kind: ring, nodes: 6, weights: lazy-metropolis}
network: {latency: 1ms, bandwidth: 1Gbit/s}
problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.2}
algorithms:
  - {name: dagm, outer: 20, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
  - {name: ma-dbo, outer: 20, inner: 2, higp: 3, alpha: 0.02, eta_y: 0.04, gamma: 0.04, theta: 0.5}
`

// endless is a scenario with an endless run.
const endless = `version: 1
name: endless
topology: {kind: ring, nodes: 4}
problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.2}
algorithms:
  - {name: dagm, outer: 100000000, inner: 1, neumann: 1, alpha: 0.0001, beta: 0.05}
record: {every: 100}
stop: {grad_norm2: 1e-30}
`

const swept = `version: 1
name: swept
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.2}
algorithms:
  - {name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
sweep:
  network.latency: [1ms, 2ms]
  topology.nodes: [4, 8]
`

const listed = `version: 1
name: listed
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.2}
algorithms:
  - {name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
points:
  - {topology.kind: ring, topology.nodes: 4}
  - {topology.kind: complete, topology.nodes: 8}
`

const seeded = `version: 1
name: seeded
seeds: {data: 4, run: [3, 9]}
topology: {kind: ring, nodes: 6}
problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.2}
algorithms:
  - {name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
`

const lossy = `version: 1
name: lossy
topology: {kind: erdos-renyi, nodes: 6, p: 0.7}
network: {loss: {kind: independent, p: 0.1, timeout: 20ms}}
compute: {straggler: {kind: lognormal, sigma: 0.3, nodes: [1, 2]}}
problem: {kind: quadratic, p: 3, q: 4, condition: 4, heterogeneity: 0.2}
algorithms:
  - {name: dagm, outer: 5, inner: 2, neumann: 3, alpha: 0.02, beta: 0.05}
`

// served is a server over a folder of scenarios, in this process.
type served struct {
	*httptest.Server
	t      testing.TB
	server *Server
	folder string
}

func serving(t testing.TB) *served {
	t.Helper()
	return servingFiles(t, map[string]string{"small.yaml": small, "endless.yaml": endless, "sub/swept.yaml": swept,
		"lossy.yml": lossy, "listed.yaml": listed,
		"seeded.yaml": seeded,
		"notes.txt":   "version: 1\nalgorithms: []\n", "other.yaml": "a: 1\n", ".hidden.yaml": small,
		"result.json": `{"runs": []}`})
}

func servingFiles(t testing.TB, files map[string]string) *served {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Folder: folder, Catalog: catalog.New(), Limits: spec.DefaultLimits(), Workers: 2, Log: io.Discard}
	s := newServer(c, root, "")
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	s.host = h.Listener.Addr().String()
	return &served{h, t, s, folder}
}

// ask sends a request with the token after change has modified it.
func (s *served) ask(method, path, body string, change func(*http.Request)) (code int, text string) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set(tokenHeader, s.server.token)
	if change != nil {
		change(r)
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	all, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(all)
}

// attempt sends a query and returns all messages of the answer.
func (s *served) attempt(q query) []message {
	s.t.Helper()
	code, text := s.ask("POST", "/try", jsonOf(s.t, q), nil)
	if code != http.StatusOK {
		s.t.Fatalf("%+v: code %d: %s", q, code, text)
	}
	var all []message
	for line := range strings.Lines(text) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			s.t.Fatalf("%v: %s", err, line)
		}
		all = append(all, m)
	}
	return all
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The server answers only the page itself, by its link.
func TestRefusals(t *testing.T) {
	s := serving(t)
	link := "/?token=" + s.server.token
	cost := jsonOf(t, query{File: "small.yaml"})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	_, port, _ := net.SplitHostPort(s.server.host)
	for _, c := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		want                     int
	}{
		{"the link", "GET", link, "", nil, 200},
		{"the link by another name", "GET", link, "", host("localhost:" + port), 200},
		{"from its own origin", "POST", "/try", cost, header("Origin", s.URL), 200},
		{"from its own page", "POST", "/try", cost, header("Sec-Fetch-Site", "same-origin"), 200},
		{"without token", "GET", "/", "", nil, 403},
		{"with another token", "GET", "/?token=" + strings.ToLower(s.server.token), "", nil, 403},
		{"a change without token", "POST", "/try", cost, header(tokenHeader, ""), 403},
		{"a change with its token in the link only", "POST", "/try?token=" + s.server.token, cost,
			header(tokenHeader, ""), 403},
		{"another origin", "POST", "/try", cost, header("Origin", "http://evil.example"), 403},
		{"another port", "POST", "/try", cost, header("Origin", "http://127.0.0.1:1"), 403},
		{"another scheme", "POST", "/try", cost, header("Origin", "https://"+s.server.host), 403},
		{"no origin", "POST", "/save", "{}", header("Origin", "null"), 403},
		{"another origin reads", "GET", link, "", header("Origin", "http://evil.example"), 403},
		{"another site", "GET", link, "", header("Sec-Fetch-Site", "cross-site"), 403},
		{"a sibling site", "POST", "/try", cost, header("Sec-Fetch-Site", "same-site"), 403},
		{"a name that leads here", "GET", link, "", host("evil.example:" + port), 421},
		{"another port of the host", "GET", link, "", host("127.0.0.1:1"), 421},
		{"another host of one name and origin", "POST", "/try", cost, func(r *http.Request) {
			r.Host = "evil.example:" + port
			r.Header.Set("Origin", "http://evil.example:"+port)
		}, 421},
		{"another method", "PUT", "/try", cost, nil, 405},
		{"a change by a link", "GET", "/try?token=" + s.server.token, "", nil, 405},
		{"another path", "GET", "/small.yaml?token=" + s.server.token, "", nil, 404},
		{"no JSON", "POST", "/try", "file=small.yaml", nil, 400},
		{"two values", "POST", "/try", cost + cost, nil, 400},
		{"an unknown field", "POST", "/try", `{"Path": "x"}`, nil, 400},
	} {
		if code, text := s.ask(c.method, c.path, c.body, c.change); code != c.want {
			t.Errorf("%s: code %d, want %d: %s", c.name, code, c.want, text)
		}
	}
}

// The security headers hold for every answer.
func TestHeaders(t *testing.T) {
	s := serving(t)
	for path, want := range map[string]int{"/?token=" + s.server.token: 200, "/": 403} {
		answer, err := s.Client().Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
		policy := answer.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy %q lacks %q", path, policy, part)
			}
		}
		if answer.StatusCode != want || answer.Header.Get("Access-Control-Allow-Origin") != "" ||
			answer.Header.Get("Cache-Control") != "no-store" || answer.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %d, %v", path, answer.StatusCode, answer.Header)
		}
	}
}

// endlessBody is a body that counts the bytes read.
type endlessBody struct{ read int64 }

func (b *endlessBody) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	b.read += int64(len(p))
	return len(p), nil
}

// Hardly anything of a large body is read, with or without a stated length.
func TestLargeBodies(t *testing.T) {
	s := serving(t)
	const gigabyte = 1 << 30
	for _, path := range []string{"/try", "/save", "/"} {
		for _, length := range []int64{gigabyte, -1} {
			body := &endlessBody{}
			r := httptest.NewRequest("POST", s.URL+path, io.LimitReader(body, gigabyte))
			r.ContentLength = length
			r.Header.Set(tokenHeader, s.server.token)
			w := httptest.NewRecorder()
			s.server.Handler().ServeHTTP(w, r)
			want := http.StatusRequestEntityTooLarge
			if path == "/" && length < 0 {
				want = http.StatusMethodNotAllowed
			}
			if w.Code != want || body.read > 2*mostBody {
				t.Errorf("POST %s of %d bytes: code %d, want %d, after %d bytes", path, length, w.Code, want, body.read)
			}
		}
	}
}

// Files are those of the folder; none outside can be read or written.
func TestFilesOfTheFolder(t *testing.T) {
	s := serving(t)
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(outside, []byte(small), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(s.folder, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	files, note, err := s.server.scenarios()
	want := []string{"endless.yaml", "listed.yaml", "lossy.yml", "seeded.yaml", "small.yaml", "sub/swept.yaml"}
	if diff := cmp.Diff(want, files); diff != "" || note != "" || err != nil {
		t.Errorf("%v, %q (-want +got):\n%s", err, note, diff)
	}
	up := "../" + filepath.Base(filepath.Dir(outside)) + "/outside.yaml"
	for _, name := range []string{"", ".", "sub", "../small.yaml", up, outside, "sub/../small.yaml", "link.yaml",
		"notes.txt", ".hidden.yaml", "nowhere.yaml", "small.yaml/", "sub\\swept.yaml", "/etc/passwd", "small.yaml\x00"} {
		all := s.attempt(query{File: name})
		if len(all) != 1 || all[0].Error == "" || all[0].Settled != nil || strings.Contains(all[0].Error, "DAGM") {
			t.Errorf("%q: %+v", name, all)
		}
	}
	before := contents(t, s.folder)
	for _, name := range []string{"", "x", "x.json", "../x.yaml", "sub/x.yaml", "/tmp/x.yaml", ".x.yaml", "x\n.yaml",
		"a\\b.yaml", strings.Repeat("x", 100) + ".yaml", "x.yaml/..", "link.yaml", "small.yaml", "listed.yaml"} {
		code, text := s.ask("POST", "/save", jsonOf(t, map[string]any{"File": "small.yaml", "Name": name}), nil)
		if code != http.StatusBadRequest && code != http.StatusConflict || text == "" {
			t.Errorf("%q: code %d: %s", name, code, text)
		}
	}
	if diff := cmp.Diff(before, contents(t, s.folder)); diff != "" {
		t.Errorf("the folder has changed:\n%s", diff)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != small {
		t.Errorf("the file outside has changed: %v", err)
	}
}

// contents returns all files of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hashes returns the hashes of a file's runs with --set texts, computed by the engine alone.
func hashes(t *testing.T, file string, set []string) []string {
	t.Helper()
	s, err := spec.Load(file, catalog.New(), set)
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(s, new(data.Loader))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(context.Background(), study.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range runs {
		all = append(all, fmt.Sprintf("%s %s %s", runs[i].Label, runs[i].Point.Text("="), runs[i].Hash))
	}
	return all
}

// A control changes a run as --set does: the hashes equal those of --set and differ from those without it.
func TestControlsAreSets(t *testing.T) {
	s := serving(t)
	unchanged := map[string][]string{} // by file
	for _, c := range []struct {
		file    string
		changes map[string]string
		set     []string
	}{
		{"small.yaml", nil, nil},
		{"small.yaml", map[string]string{"latency": "20ms"}, []string{"network.latency=20ms"}},
		{"small.yaml", map[string]string{"bandwidth": "1Mbit/s"}, []string{"network.bandwidth=1Mbit/s"}},
		{"small.yaml", map[string]string{"bandwidth": "unlimited"}, []string{"network.bandwidth=unlimited"}},
		{"small.yaml", map[string]string{"nodes": "9"}, []string{"topology.nodes=9"}},
		{"small.yaml", map[string]string{"topology": "complete"},
			[]string{`topology={kind: complete, nodes: 6, weights: lazy-metropolis}`}},
		{"small.yaml", map[string]string{"topology": "watts-strogatz", "nodes": "12"},
			[]string{`topology={kind: watts-strogatz, nodes: 12, k: 4, beta: 0.1, weights: lazy-metropolis}`}},
		{"small.yaml", map[string]string{"loss": "0.2"}, []string{"network.loss={kind: independent, p: 0.2}"}},
		{"small.yaml", map[string]string{"straggler": "constant"},
			[]string{"compute.straggler={kind: constant, factor: 4, nodes: [0]}"}},
		{"small.yaml", map[string]string{"straggler": "pareto", "slowness": "1.5"},
			[]string{"compute.straggler={kind: pareto, shape: 1.5}"}},
		{"small.yaml", map[string]string{"straggler": "none", "loss": "0", "topology": "ring", "latency": "1ms"}, nil},
		{"lossy.yml", map[string]string{"loss": "0.3", "slowness": "1"},
			[]string{"network.loss.p=0.3", "compute.straggler.sigma=1"}},
		{"lossy.yml", map[string]string{"straggler": "none", "topology": "ring", "nodes": "5"},
			[]string{`topology={kind: ring, nodes: 5}`, "compute.straggler=none"}},
		{"sub/swept.yaml", map[string]string{"latency": "5ms"}, []string{`sweep["network.latency"]=[5ms]`}},
		{"sub/swept.yaml", map[string]string{"latency": "1ms", "nodes": "5", "topology": "path"},
			[]string{`topology={kind: path, nodes: 5}`, `sweep["topology.nodes"]=[5]`,
				`sweep["network.latency"]=[1ms]`}},
		{"listed.yaml", map[string]string{"latency": "5ms"}, []string{"network.latency=5ms"}},
		{"small.yaml", map[string]string{"seeds": "3"}, []string{"seeds=3"}},
		{"seeded.yaml", map[string]string{"seeds": "3", "nodes": "5"}, []string{"topology.nodes=5", "seeds.run=3"}},
	} {
		all := s.attempt(query{File: c.file, Changes: c.changes, Run: true})
		last := all[len(all)-1]
		if last.Error != "" || last.Page == nil {
			t.Errorf("%s %v: %+v", c.file, c.changes, last.Error)
			continue
		}
		path := filepath.Join(s.folder, filepath.FromSlash(c.file))
		command := "simulate run " + path
		for _, x := range c.set {
			command += " --set '" + x + "'"
		}
		if got := all[0].Settled.Command; strings.ReplaceAll(got, "'", "") != strings.ReplaceAll(command, "'", "") {
			t.Errorf("%v: the command is %s, want %s", c.changes, got, command)
		}
		var got []string
		for _, r := range last.Runs {
			got = append(got, fmt.Sprintf("%s %s %s", r.Label, r.Point, r.Hash))
		}
		want := hashes(t, path, c.set)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.file, c.changes, diff)
		}
		if unchanged[path] == nil {
			unchanged[path] = hashes(t, path, nil)
		}
		if c.set != nil && slices.Equal(want, unchanged[path]) {
			t.Errorf("%s: %v changes nothing", c.file, c.changes)
		}
	}
}

// A value that a control cannot have is an error that says so, and nothing runs.
func TestWrongValues(t *testing.T) {
	s := serving(t)
	for _, c := range []struct {
		file, key, value, want string
	}{
		{"small.yaml", "latency", "fast", `latency: "fast" is not a value of this control`},
		{"small.yaml", "latency", "3", "3 has no unit"},
		{"small.yaml", "nodes", "2.5", "want a whole number"},
		{"small.yaml", "nodes", "1", "want at least 3 nodes in a ring"},
		{"small.yaml", "nodes", "999999999", "nodes"},
		{"small.yaml", "loss", "7", "at least 0 and at most 1"},
		{"small.yaml", "topology", "star, nodes: 3", "is not a value"},
		{"small.yaml", "topology", "mobius", `there is no topology "mobius"`},
		{"small.yaml", "topology", "file", "topology"},
		{"small.yaml", "topology", "hypercube", "needs a power of two"},
		{"small.yaml", "straggler", "lazy", `there is no straggler "lazy"`},
		{"small.yaml", "problem.data", "x", "is not a value"},
		{"small.yaml", "latency", "1ms\nname: x", "is not a value"},
		{"listed.yaml", "nodes", "5", "the points set topology.nodes"},
		{"small.yaml", "seeds", "0", "seeds"},
		{"small.yaml", "seeds", "1.5", "want a whole number"},
		{"small.yaml", "seeds", "999999", "seeds"},
	} {
		all := s.attempt(query{File: c.file, Changes: map[string]string{c.key: c.value}, Run: true})
		if last := all[len(all)-1]; !strings.Contains(last.Error, c.want) || last.Page != nil {
			t.Errorf("%s = %q: %q, want %q", c.key, c.value, last.Error, c.want)
		}
	}
}

// Controls that the study sets itself are marked.
func TestSweptControls(t *testing.T) {
	s := serving(t)
	of := func(file string) map[string]control {
		all := map[string]control{}
		for _, c := range s.attempt(query{File: file})[0].Settled.Controls {
			all[c.Key] = c
		}
		return all
	}
	if got := of("sub/swept.yaml"); got["latency"].Hint != "swept over 1ms, 2ms: a choice here takes the place of all" ||
		got["nodes"].Value != "4" || got["bandwidth"].Hint != "" {
		t.Errorf("%+v", got)
	}
	if got := of("listed.yaml"); got["topology"].Off != "the points set topology.kind" || got["latency"].Off != "" {
		t.Errorf("%+v", got)
	}
	if got := of("lossy.yml"); got["loss"].Value != "0.1" || got["straggler"].Value != "lognormal" ||
		got["slowness"].Value != "0.3" || got["straggler"].Hint != "of nodes [1 2]" {
		t.Errorf("%+v", got)
	}
	if got := of("seeded.yaml")["seeds"]; got.Value != "2" || got.Hint != "those of the file: 3, 9; k seeds are 1 to k" {
		t.Errorf("%+v", got)
	}
}

// The cost equals that of predict, without a run.
func TestPredicted(t *testing.T) {
	s := serving(t)
	all := s.attempt(query{File: "small.yaml", Changes: map[string]string{"nodes": "8"}})
	if len(all) != 1 || all[0].Settled == nil {
		t.Fatalf("%d messages", len(all))
	}
	says := all[0].Settled
	if !strings.Contains(says.Cost, "small: ring n=8, 8 nodes, 8 edges") ||
		!strings.Contains(says.Predicted, "All iterations, the whole network") || says.Propose != "small-2.yaml" {
		t.Errorf("%+v", says)
	}
}

// A saved scenario is a new file with the runs of the changed scenario.
func TestSave(t *testing.T) {
	s := serving(t)
	before := contents(t, s.folder)
	changes := map[string]string{"topology": "complete", "latency": "5ms"}
	ask := map[string]any{"File": "small.yaml", "Changes": changes, "Name": "small 2.yaml"}
	code, text := s.ask("POST", "/save", jsonOf(t, ask), nil)
	if code != http.StatusOK || !strings.Contains(text, "small 2.yaml is written; run it with: simulate run '") {
		t.Fatalf("code %d: %s", code, text)
	}
	file := filepath.Join(s.folder, "small 2.yaml")
	set := []string{"topology={kind: complete, nodes: 6, weights: lazy-metropolis}", "network.latency=5ms"}
	if diff := cmp.Diff(hashes(t, filepath.Join(s.folder, "small.yaml"), set), hashes(t, file, nil)); diff != "" {
		t.Errorf("the saved scenario has other runs:\n%s", diff)
	}
	if saved, err := spec.Load(file, catalog.New(), nil); err != nil || saved.Name != "small 2" {
		t.Errorf("%v", err)
	}
	once := contents(t, s.folder)
	if code, text := s.ask("POST", "/save", jsonOf(t, ask), nil); code != http.StatusConflict ||
		!strings.Contains(text, "already exists") {
		t.Errorf("code %d: %s", code, text)
	}
	if diff := cmp.Diff(once, contents(t, s.folder)); diff != "" || len(once) != len(before)+1 {
		t.Errorf("%d files, then %d:\n%s", len(before), len(once), diff)
	}
}

// start begins an endless attempt, and returns when it runs.
func (s *served) start(ctx context.Context) *http.Response {
	s.t.Helper()
	body := strings.NewReader(jsonOf(s.t, query{File: "endless.yaml", Run: true, Long: true}))
	r, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/try", body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set(tokenHeader, s.server.token)
	answer, err := s.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewReader(answer.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			s.t.Fatalf("%v: %s", err, line)
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil || m.Error != "" {
			s.t.Fatalf("%v: %s", err, line)
		}
		if m.Data != nil { // the curves grow
			answer.Body = struct {
				io.Reader
				io.Closer
			}{lines, answer.Body}
			return answer
		}
	}
}

// A later change cancels the running study, and starts when that has ended.
func TestOneStudyAtATime(t *testing.T) {
	s := serving(t)
	first := s.start(context.Background())
	last := s.attempt(query{File: "small.yaml", Run: true})
	if end := last[len(last)-1]; end.Page == nil || len(end.Runs) != 2 {
		t.Errorf("the later study ends with %+v", end)
	}
	rest, err := io.ReadAll(first.Body)
	if err := errors.Join(err, first.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(rest, []byte(errReplaced.Error())) {
		t.Errorf("the first study ends with %.300s", rest)
	}
}

// Closing the browser cancels its study.
func TestStudyEndsWithItsReader(t *testing.T) {
	s := serving(t)
	ctx, leave := context.WithCancel(context.Background())
	answer := s.start(ctx)
	leave()
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := take(context.Background(), s.server.runs); err != nil { // the test would not end
		t.Fatal(err)
	}
}

// A hundred silent connections, and more requests than there is room for, do not affect the page.
func TestManyConnections(t *testing.T) {
	folder := serving(t).folder
	c := Config{Folder: folder, Catalog: catalog.New(), Limits: spec.DefaultLimits(), Workers: 1, Log: io.Discard,
		Program: result.Provenance{}}
	s, err := Listen(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	for i := range 100 {
		conn, err := net.Dial("tcp", s.host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			if _, err := conn.Write([]byte("POST /try HTTP/1.1\r\nHost: ")); err != nil {
				t.Fatal(err)
			}
		}
	}
	answer, err := http.Get(s.Link())
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK ||
		!bytes.Contains(text, []byte("<option>small.yaml</option>")) {
		t.Errorf("code %d: %v", answer.StatusCode, err)
	}
	if ip := net.ParseIP(strings.Trim(s.host[:strings.LastIndexByte(s.host, ':')], "[]")); !ip.IsLoopback() {
		t.Errorf("listens on %s", s.host)
	}
	end()
	if err := <-ended; err != nil {
		t.Errorf("the server ends with %v", err)
	}
}

// Attempts beyond the number of places are rejected, and the others go on.
func TestTooManyAttempts(t *testing.T) {
	s := serving(t)
	for range mostAttempts {
		s.server.attempts <- struct{}{}
	}
	code, text := s.ask("POST", "/try", jsonOf(t, query{File: "small.yaml"}), nil)
	if code != http.StatusServiceUnavailable {
		t.Errorf("code %d: %s", code, text)
	}
	<-s.server.attempts
	if all := s.attempt(query{File: "small.yaml"}); all[0].Settled == nil {
		t.Errorf("%+v", all)
	}
}

// Limits are those of run: memory, the number of runs, and the longest study that starts automatically.
func TestLimits(t *testing.T) {
	s := serving(t)
	s.server.config.Limits.Runs = 3
	all := s.attempt(query{File: "sub/swept.yaml", Run: true})
	if last := all[len(all)-1]; !strings.Contains(last.Error, "the limit is 3") {
		t.Errorf("%+v", last)
	}
	ask := map[string]any{"File": "sub/swept.yaml", "Name": "large.yaml"}
	if code, text := s.ask("POST", "/save", jsonOf(t, ask), nil); code != http.StatusOK {
		t.Errorf("a study that is too large to run is not saved: %s", text)
	}
	s.server.config.Limits = spec.Limits{Runs: 100, Bytes: 1000}
	all = s.attempt(query{File: "small.yaml", Run: true})
	if last := all[len(all)-1]; !strings.Contains(last.Error, "memory") || last.Page != nil {
		t.Errorf("%+v", last)
	}
	s.server.config.Limits = spec.DefaultLimits()
	s.server.patience = 100 * time.Millisecond
	all = s.attempt(query{File: "endless.yaml", Run: true})
	if last := all[len(all)-1]; last.Error != "" || !strings.Contains(last.Progress, "does not run by itself") {
		t.Errorf("%+v", last)
	}
}

// The samples of finished runs together stay below the memory limit.
func TestKeptRunsAreBounded(t *testing.T) {
	var why error
	w := &watch{done: map[int]*result.Run{}, soFar: map[int]func() *result.Run{}, most: 10 * sampleBytes,
		full: func(err error) { why = err }}
	for job := range 3 {
		w.notify(study.Event{Job: job, Jobs: 3, Done: &result.Run{Samples: make([]result.Sample, 4)}})
		if (why != nil) != (job == 2) {
			t.Errorf("after %d runs: %v", job+1, why)
		}
	}
}

// TestNewNames: letters, digits and, after the first character, some signs; 80 characters at most with the extension.
func TestNewNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.yaml": true, "é1 _.+=,-.yaml": true, "½.yaml": true, "a.yaml.yaml": true, "7.yaml": true,
		strings.Repeat("é", 75) + ".yaml": true, strings.Repeat("é", 76) + ".yaml": false,
		"": false, "a": false, ".yaml": false, "a.yml": false, "aYAML": false, " a.yaml": false, "-a.yaml": false,
		"a/b.yaml": false, "../a.yaml": false, `a\b.yaml`: false, "a\n.yaml": false, "a.yaml\n": false,
		"a\xff.yaml": false, "\ufffd.yaml": false, "a\u0301.yaml": false,
	} {
		if got := mayBeNew(name); got != want {
			t.Errorf("%q may be the name of a new file: %v, want %v", name, got, want)
		}
	}
}
