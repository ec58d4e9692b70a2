package scenarios

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tallynet/scenarios/keys"
)

// What a method holds is stated before it is allocated: DGBO has each of its matrices three times, the derivative,
// its average and the message, on each of four nodes, and ITD the path of y. The hint is a number that fits.
func TestWhatMethodsHold(t *testing.T) {
	for _, c := range []struct {
		topology, algorithm, key string
		q                        int
		held                     float64 // bytes, for each 1 of the key
	}{
		{"{kind: ring, nodes: 4}", "name: dgbo, outer: 1, alpha: 0.1, gamma: 0.1, beta: 0.5, lipschitz: 10", "terms", 100,
			8 * 4 * 3 * 100 * 100},
		{"{kind: complete, nodes: 1}", "name: itd, outer: 1, alpha: 0.1, beta: 0.1", "inner", 2000, 8 * 2000},
	} {
		check := func(value int) error {
			s := mustParse(t, fmt.Sprintf(`{version: 1, topology: %s, problem: {kind: quadratic, p: 10, q: %d},
				algorithms: [{%s, %s: %d}]}`, c.topology, c.q, c.algorithm, c.key, value))
			in, err := s.outline(1)
			if err != nil {
				t.Fatal(err)
			}
			return s.checkBytes(in.Methods)
		}
		err := check(1e6)
		var said *keys.FileError
		if !errors.As(err, &said) {
			t.Fatalf("a million %s: %v", c.key, err)
		}
		var fits int
		_, after, _ := strings.Cut(said.Hint, "algorithms[0]."+c.key+": ")
		if _, err := fmt.Sscan(after, &fits); err != nil {
			t.Fatalf("%s: %s", c.key, said.Hint)
		}
		if want := float64(DefaultLimits().Bytes) / c.held; float64(fits) > want || float64(fits) < 0.95*want {
			t.Errorf("%s: %d is said to fit, want %.0f, about", c.key, fits, want)
		}
		if err := check(fits); err != nil {
			t.Errorf("%s: %d does not fit: %v", c.key, fits, err)
		}
	}
}
