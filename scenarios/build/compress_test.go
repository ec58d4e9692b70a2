package build_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tallynet/metrics/report/result"
)

const compressBase = "version: 1\ntopology: {kind: ring, nodes: 6}\nproblem: {kind: least-squares, dim: 20, " +
	"samples: 30}\n"

func near(a, b []float64, tolerance float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > tolerance*max(1, math.Abs(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestCHOCOHasTheUncompressedLimit: with every compressor the limit is the one without, and
// the bytes follow the formula.
func TestCHOCOHasTheUncompressedLimit(t *testing.T) {
	t.Parallel()
	const outer, nodes, d = 1500, 6, 20
	run := func(wire, gamma string) result.Run {
		r := faultRun(
			t,
			compressBase+wire+"record: {iterates: final}\nalgorithms: [{name: choco-sgd, outer: 1500, alpha: 0.02, "+
				"gamma: "+gamma+"}]\n",
		)
		if r.Status != result.Completed {
			t.Fatalf("%s: %s %s", wire, r.Status, r.Reason)
		}
		return r
	}
	for _, c := range []struct {
		wire  string
		gamma string
		bits  int
	}{
		{"{compress: top-k, share: 0.2, format: float32, memory: none}", "0.2", 4 * (5 + 32)},
		{"{compress: random-k, share: 0.5, memory: none}", "0.2", 10 * (5 + 64)},
		{"{compress: qsgd, levels: 15, memory: none}", "0.2", 64 + d*(1+4)},
		{"{compress: sign, memory: none}", "0.2", 64 + d},
		{"{compress: int8, memory: none}", "0.2", 64 + 8*d},
	} {
		whole, r := run("", c.gamma), run("wire: "+c.wire+"\n", c.gamma)
		for i := range nodes {
			if !near(r.X[i], whole.X[i], 1e-4) {
				t.Errorf("%s: node %d ends at %v, without compression at %v", c.wire, i, r.X[i], whole.X[i])
			}
		}
		if want := int64((c.bits + 7) / 8 * 2 * nodes * outer); r.Totals.PayloadBytes() != want {
			t.Errorf("%s: %d bytes, want %d", c.wire, r.Totals.PayloadBytes(), want)
		}
	}
}

// TestLEADIsExact: with compression LEAD ends at the optimum; CHOCO-SGD with the same step does not.
func TestLEADIsExact(t *testing.T) {
	end := func(method string) float64 {
		r := faultRun(t, compressBase+"wire: {compress: qsgd, levels: 15, memory: none}\nrecord: {metrics: [grad_norm2]}\n"+
			"algorithms: [{"+method+", outer: 3000, alpha: 0.02}]\n")
		if r.Status != result.Completed {
			t.Fatalf("%s: %s %s", method, r.Status, r.Reason)
		}
		return ending(r)[0]
	}
	if lead, choco := end("name: lead, gamma: 0.5"), end("name: choco-sgd, gamma: 0.2"); lead > 1e-16 || choco < 1e-10 {
		t.Errorf("grad_norm2: LEAD %g, CHOCO-SGD %g", lead, choco)
	}
}

// TestCompressedMixing: bilevel methods mix compressed differences, and end near their limits without compression.
func TestCompressedMixing(t *testing.T) {
	const base = "version: 1\ntopology: {kind: ring, nodes: 5, weights: lazy-metropolis}\n" +
		"problem: {kind: quadratic, p: 6, q: 8, condition: 4, heterogeneity: 0.2}\n"
	for _, method := range []string{
		"{name: dagm, outer: 400, inner: 2, neumann: 5, alpha: 0.01, beta: 0.1}",
		"{name: ma-dbo, outer: 400, inner: 2, higp: 3, alpha: 0.01, eta_y: 0.05, gamma: 0.05, theta: 0.5}",
	} {
		whole := faultRun(t, base+"algorithms: ["+method+"]\nrecord: {metrics: [grad_norm2]}\n")
		r := faultRun(t, base+"algorithms: ["+method+"]\nrecord: {metrics: [grad_norm2]}\n"+
			"wire: {compress: top-k, share: 0.5, format: float32, step: 0.5}\n")
		if r.Status != result.Completed || ending(r)[0] > 4*ending(whole)[0]+1e-3 {
			t.Errorf("%s: %s %s: grad_norm2 %g, without compression %g", method, r.Status, r.Reason, ending(r), ending(whole))
		}
		if r.Totals.PayloadBytes() > whole.Totals.PayloadBytes()*2/5 {
			t.Errorf("%s: %d bytes, without compression %d", method, r.Totals.PayloadBytes(), whole.Totals.PayloadBytes())
		}
	}
}

// TestCompressedServer: SOBA on a star is exact even if uploads are compressed differences.
func TestCompressedServer(t *testing.T) {
	const base = "version: 1\ntopology: {kind: star, nodes: 5, center: server}\nproblem: {kind: quadratic, p: " +
		"6, q: 8, condition: 4, heterogeneity: 0.2}\n" +
		"algorithms: [{name: soba, outer: 1500, rho: 0.05, gamma: 0.02}]\nrecord: {metrics: [grad_norm2]}\n"
	whole := faultRun(t, base)
	r := faultRun(t, base+"wire: {compress: top-k, share: 0.4, direction: up}\n")
	if r.Status != result.Completed || ending(r)[0] > 1e-8 || ending(whole)[0] > 1e-8 {
		t.Errorf("%s %s: %v, without compression %v", r.Status, r.Reason, ending(r), ending(whole))
	}
	// Up go 2 x 4 of 8 elements with 3 bits each and 3 of 6 with 3 bits; down all 22.
	up := 2*((4*(3+64)+7)/8) + (3*(3+64)+7)/8
	if want := int64(1500 * 4 * (up + 22*8)); r.Totals.PayloadBytes() != want {
		t.Errorf("%d bytes, want %d", r.Totals.PayloadBytes(), want)
	}
}

// TestBilevelMethodsWithOwnMemory: C2DFB and EF-SOBA end where they do without compression. Their bytes
// follow the formula, including uncompressed messages.
func TestBilevelMethodsWithOwnMemory(t *testing.T) {
	const problem = "problem: {kind: quadratic, p: 6, q: 8, condition: 4, heterogeneity: 0.2}\n" +
		"record: {metrics: [grad_norm2]}\n"
	const outer, inner, p, q, nodes = 1500, 3, 6, 8, 5
	half := func(n, index int) int { return (n/2*(index+64) + 7) / 8 } // top-k of share 0.5, in bytes
	for _, c := range []struct {
		text, direction string
		most            float64 // of grad_norm2
		bytes           int
	}{
		{"version: 1\ntopology: {kind: ring, nodes: 5}\n" + problem + "algorithms: [{name: c2dfb, outer: 1500, inner: 3, " +
			"lambda: 10, eta_x: 0.01, eta_y: 0.01, eta_z: 0.05, gamma_d: 0.3}]\n", "both", math.Inf(1),
			outer * 2 * nodes * (2*p*8 + inner*4*half(q, 3))},
		{"version: 1\ntopology: {kind: star, nodes: 6, center: server}\n" + problem + "algorithms: [{name: ef-soba, " +
			"outer: 1500, alpha: 0.02, beta: 0.05, gamma: 0.05, theta: 0.5}]\n", "up", 1e-10,
			outer * nodes * (half(p, 3) + 2*half(q, 3) + (p+2*q)*8)},
	} {
		whole := faultRun(t, c.text)
		r := faultRun(t, c.text+"wire: {compress: top-k, share: 0.5, memory: none, direction: "+c.direction+"}\n")
		if r.Status != result.Completed || !near(ending(r), ending(whole), 1e-8) || ending(r)[0] > c.most {
			t.Errorf("%s %s: %v, without compression %v", r.Status, r.Reason, ending(r), ending(whole))
		}
		if r.Totals.PayloadBytes() != int64(c.bytes) {
			t.Errorf("%d bytes, want %d", r.Totals.PayloadBytes(), c.bytes)
		}
	}
}

// TestCompressErrors: invalid settings are refused with advice.
func TestCompressErrors(t *testing.T) {
	const dgd, choco = "algorithms: [{name: dgd, alpha: 0.1}]\n",
		"algorithms: [{name: choco-sgd, alpha: 0.1, gamma: 0.5}]\n"
	const star = "version: 1\ntopology: {kind: star, nodes: 5, center: server}\n" +
		"problem: {kind: quadratic, p: 2, q: 2}\n" +
		"algorithms: [{name: ef-soba, alpha: 0.1, beta: 0.1, gamma: 0.1, theta: 0.5}]\n"
	for _, c := range []struct{ wire, want string }{
		{"wire: {compress: sign, memory: none}\n", "write wire.direction: up"},
		{"wire: {compress: sign, direction: up}\n", "write wire.memory: none"},
	} {
		if err := buildOf(star + c.wire); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.wire, err, c.want)
		}
	}
	for text, want := range map[string]string{
		dgd + "wire: {compress: top-k}\n":                                                  "share",
		choco + "wire: sign\n":                                                             "write wire.memory: none",
		dgd + "wire: sign\nsilence: {kind: last, after: 1s}\n":                             "wire.memory: feedback",
		dgd + "wire: sign\nnetwork: {loss: {kind: independent, p: 0.1, policy: drop}}\n":   "wire.memory: feedback",
		choco + "wire: {compress: sign, memory: none}\nsilence: {kind: last, after: 1s}\n": "leave silence out",
		dgd + "wire: {compress: top-k, share: 0.1, ratio: 2}\n":                            "ratio",
	} {
		if err := buildOf(compressBase + text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestCompressedMessagesAreOneClass: a compressed array has one row per phase in the ledger, with the bytes of all of
// its messages.
func TestCompressedMessagesAreOneClass(t *testing.T) {
	r := faultRun(
		t,
		compressBase+"wire: {compress: low-rank, rank: 1}\nalgorithms: [{name: dgd, outer: 200, alpha: 0.01}]\n",
	)
	if len(r.Phases) != 1 || r.Phases[0].Bytes != r.Totals.PayloadBytes() {
		t.Errorf("%d rows of phases, %s", len(r.Phases), fmt.Sprint(r.Phases))
	}
}

// TestFormatBesideCompression: what is sent as it is beside compressed arrays has the format's size. Low rank sends
// vectors as they are, so a run of vectors costs what it does without compression.
func TestFormatBesideCompression(t *testing.T) {
	const star, ring = "topology: {kind: star, nodes: 6, center: server}\n", "topology: {kind: ring, nodes: 5}\n"
	const quadratic, single = "problem: {kind: quadratic, p: 3, q: 4}\n", "problem: {kind: consensus, dim: 6}\n"
	bytes := func(text, wire string) int64 {
		r := faultRun(t, "version: 1\n"+text+"wire: "+wire+"\n")
		if r.Status != result.Completed {
			t.Errorf("%s %s: %s", r.Status, r.Reason, text)
		}
		return r.Totals.PayloadBytes()
	}
	for _, text := range []string{
		star + quadratic + "algorithms: [{name: ef-soba, outer: 10, theta: 0.5, alpha: 0.02, beta: 0.02, gamma: 0.02}]\n",
		ring + quadratic + "algorithms: [{name: c2dfb, outer: 3, inner: 2, lambda: 10, eta_x: 0.01, eta_y: 0.001, " +
			"eta_z: 0.02}]\n",
		ring + single + "algorithms: [{name: allreduce-gd, outer: 3, alpha: 0.1}]\n",
		ring + single + "algorithms: [{name: async-dgd, outer: 3, alpha: 0.1}]\n",
	} {
		want := bytes(text, "float32")
		if got := bytes(text, "{compress: low-rank, rank: 1, memory: none, direction: up, format: float32}"); got != want {
			t.Errorf("%d bytes, want %d: %s", got, want, text)
		}
		if strings.HasPrefix(text, star) { // five clients send 27 B up and get 44 B down
			got := bytes(text, "{compress: top-k, share: 0.4, memory: none, direction: up, format: float32}")
			if got != 10*5*(27+44) {
				t.Errorf("%d bytes, want %d", got, 10*5*(27+44))
			}
		}
	}
}
