package scenarios

import (
	"context"
	"fmt"
	"testing"

	"tallynet/metrics/result"
	"tallynet/scenarios/catalog"
)

// BenchmarkStudy runs a study of 36 runs, stored as they end, with one worker and with two.
func BenchmarkStudy(b *testing.B) {
	s, err := Parse("study.yaml", []byte(studyScenario+`
seeds: 4
sweep: {topology.kind: [ring, complete, star]}
`), catalog.New(), []string{"algorithms[0].outer=200", "algorithms[1].outer=200", "algorithms[2].outer=200"})
	if err != nil {
		b.Fatal(err)
	}
	st, err := NewStudy(s, &dataSets)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				store, err := result.OpenRunStore(b.TempDir())
				if err != nil {
					b.Fatal(err)
				}
				runs, err := st.Run(context.Background(), Options{Workers: workers, Store: store})
				if err != nil || len(runs) != 36 {
					b.Fatalf("%d runs: %v", len(runs), err)
				}
			}
		})
	}
}
