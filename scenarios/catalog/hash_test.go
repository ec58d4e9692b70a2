package catalog_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"

	"tallynet/scenarios/catalog"
	"tallynet/scenarios/problems/data"
	"tallynet/scenarios/spec"
	"tallynet/scenarios/study"
	"tallynet/sim/golden"
)

// hashed is a study with everything that affects times and bytes: slow calls, queues, a narrow wire.
const hashed = `version: 1
topology: {kind: erdos-renyi, nodes: 6, p: 0.6}
network: {latency: 1.3ms, bandwidth: 7Mbit/s, jitter: {kind: uniform, mean: 1ms}}
compute: {speed: 3GFLOP/s, calls: {hessian: 0.7ms}}
wire: float32
problem: {kind: quadratic, p: 3, q: 5}
algorithms:
  - {name: dagm, outer: 20, inner: 5, neumann: 15, alpha: 0.05, beta: 0.05}
  - {name: dgbo, outer: 20, terms: 3, alpha: 0.05, gamma: 0.05, beta: 0.5, lipschitz: 10}
  - {name: dgtbo, outer: 20, inner: 3, jhip: 3, eta_x: 0.02, eta_y: 0.02, gamma: 0.02}
`

// TestHashes: events are the same on every processor, and iterates on all of one
// architecture. -update writes a file of iterates on that architecture, or under
// emulation.
func TestHashes(t *testing.T) {
	scenario, err := spec.Parse("hashed.yaml", []byte(hashed), catalog.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.New(scenario, &data.Loader{})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := st.Run(t.Context(), study.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var events, iterates strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&events, "%s: %d ns, %s\n", r.Label, int64(r.Totals.Time), r.EventsHash)
		fmt.Fprintf(&iterates, "%s: %s\n", r.Label, r.IteratesHash)
	}
	golden.Check(t, "testdata/events.txt", events.String())
	own := "testdata/iterates-" + runtime.GOARCH + ".txt"
	if _, err := os.Stat(own); golden.Updating() || !errors.Is(err, fs.ErrNotExist) {
		golden.Check(t, own, iterates.String())
	}
}
