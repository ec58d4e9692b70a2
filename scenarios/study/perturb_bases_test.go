package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	perturbedQuadratic = "version: 1\nproblem: {kind: quadratic, p: 2, q: 3}\n"
	perturbedStar      = perturbedQuadratic + "algorithms: [{name: soba, outer: 4, rho: 0.05, gamma: 0.02}]\n" +
		"topology: {kind: star, nodes: 6, center: server}\n"
)

// changingBases are scenarios for TestEveryKeyCounts whose graphs change from round to round.
func changingBases() []string {
	const single = "version: 1\nproblem: {kind: least-squares, dim: 6, samples: 8}\n" +
		"algorithms: [{name: sgp, outer: 4, alpha: 0.01}]\n"
	return []string{
		single + "topology: {kind: exponential, nodes: 8}\ndynamics: matching\n",
		single + "topology: {kind: exponential, nodes: 8}\ndynamics: one-peer-exponential\n",
		single + "topology: {kind: ring, nodes: 5}\ndynamics: {kind: random-edges, p: 0.5}\n",
		single + "topology: {kind: ring, nodes: 4}\ndynamics: cycle\n",
		single + "topology: {kind: complete, nodes: 4}\ndynamics: {kind: schedule, rounds: [\"0-1 1-2 2-3 3-0\"]}\n",
		perturbedStar + "dynamics: {kind: client-sampling, share: 0.4, rounds: 2}\n",
	}
}

// compressedBases are scenarios with each compressor, among peers and on a star with a server.
func compressedBases() []string {
	var all []string
	for _, wire := range []string{"top-k, share: 0.4", "random-k, share: 0.4", "qsgd, levels: 3", "sign", "int8",
		"low-rank, rank: 1"} {
		wire = "wire: {compress: " + wire + "}\n"
		all = append(all, perturbedQuadratic+"topology: {kind: ring, nodes: 4}\n"+
			"algorithms: [{name: dbo, outer: 3, inner: 2, jhip: 2, eta_x: 0.02, eta_y: 0.02, gamma: 0.02}]\n"+wire,
			perturbedStar+wire)
	}
	return all
}

// fileBases are scenarios whose platforms are read from files. Each file with "one" in its name has a
// counterpart with "two".
func fileBases(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := func(o, a, b, c string) string {
		return strings.Join([]string{o + "," + a + "," + b + "," + c, a + "," + o + "," + c + "," + b,
			b + "," + c + "," + o + "," + a, c + "," + b + "," + a + "," + o}, "\n") + "\n"
	}
	write("one.csv", table("0", "5", "7", "9"))
	write("two.csv", table("0", "5", "7", "12"))
	write("rates-one.csv", table("1Gbit/s", "1Mbit/s", "2Mbit/s", "3Mbit/s"))
	write("rates-two.csv", table("1Gbit/s", "1Mbit/s", "2Mbit/s", "100kbit/s"))
	graph := func(latency string) string {
		return `<graphml><key id="l" for="edge" attr.name="latency" attr.type="double"/>` +
			`<key id="b" for="edge" attr.name="bandwidth" attr.type="double"/>` +
			`<graph edgedefault="directed"><node id="a"/><node id="b"/><node id="c"/><node id="d"/>` +
			`<edge source="a" target="b"><data key="l">` + latency + `</data><data key="b">2</data></edge>` +
			`<edge source="b" target="c"><data key="l">3</data></edge>` +
			`<edge source="c" target="d"><data key="b">1</data></edge>` +
			`<edge source="d" target="a"/></graph></graphml>`
	}
	write("one.graphml", graph("2"))
	write("two.graphml", graph("4"))
	const head = perturbedQuadratic + "topology: {kind: ring, nodes: 4}\n" +
		"algorithms: [{name: dagm, outer: 4, inner: 2, neumann: 2, alpha: 0.02, beta: 0.05}]\n"
	return []string{
		head + "platform: {kind: regions, file: " + filepath.Join(dir, "one.csv") + ", bandwidths: " +
			filepath.Join(dir, "rates-one.csv") + ", unit: ms, nic: 1Mbit/s}\n",
		head + "platform: {kind: wan-regions, nic: 1Mbit/s}\n",
		head + "platform: {kind: graph, file: " + filepath.Join(dir, "one.graphml") +
			", latency: 1ms, bandwidth: 1Mbit/s, latency_unit: ms, bandwidth_unit: Mbit/s}\n",
	}
}
