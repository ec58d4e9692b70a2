package cli

import (
	"strings"
	"testing"
)

// If each node has one class and no messages mix, the average of the models classifies what
// no node's model can. The headline reports the nodes' own accuracy: near one class in two.
func TestHeadlineOfTheNodesModels(t *testing.T) {
	t.Chdir(t.TempDir())
	var rows []string
	for i := range 10 {
		row := strings.Split("0 0 0 0 0 0 0 0 0 0", " ")
		row[i] = "1"
		rows = append(rows, "["+strings.Join(row, ", ")+"]")
	}
	scenario := "version: 1\ntopology: {kind: ring, nodes: 10, weights: {kind: explicit, matrix: [" +
		strings.Join(rows, ", ") + "]}}\n" +
		"problem: {kind: hyper-softmax, data: mushroom, partition: by-label, shards: 1, samples: 40, x0: -5}\n" +
		"algorithms: [{name: dagm, outer: 3, inner: 20, neumann: 1, alpha: 0.1, beta: 0.5}]\n"
	writeFile(t, "apart.yaml", scenario)
	out := mustSimulate(t, "run", "apart.yaml", "--format", "csv", "--quiet")
	head, row, _ := strings.Cut(strings.TrimSpace(out), "\n")
	columns, cells := strings.Split(head, ","), strings.Split(row, ",")
	if len(columns) != len(cells) {
		t.Fatalf("%d columns, %d cells:\n%s", len(columns), len(cells), out)
	}
	text := mustSimulate(t, "report", "results/apart")
	costs, _, _ := strings.Cut(text, "Oracle calls")
	for _, want := range []string{"mean own", "worst"} {
		if !strings.Contains(costs, want) {
			t.Errorf("the table does not show %q:\n%s", want, costs)
		}
	}
	if strings.Contains(costs, "average") {
		t.Errorf("the table shows the average model without being asked:\n%s", costs)
	}
}
