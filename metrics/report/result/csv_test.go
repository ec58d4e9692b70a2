package result

import (
	"math"
	"testing"

	"tallynet/metrics/report/table"
	"tallynet/sim"
)

func TestSecondsAreExact(t *testing.T) {
	for ns, want := range map[sim.Time]string{
		0: "0", 1: "0.000000001", 1_500_000_000: "1.5", 12_345_000_000_007: "12345.000000007", -250_000_000: "-0.25",
		math.MaxInt64: "9223372036.854775807", math.MinInt64: "-9223372036.854775808", 3_000_000_000: "3",
	} {
		got := table.Seconds(ns)
		if got != want {
			t.Errorf("seconds(%d) = %q, want %q", int64(ns), got, want)
		}
		if back, err := parseSeconds(got); err != nil || back != ns {
			t.Errorf("%q reads back as %d, %v; want %d", got, int64(back), err, int64(ns))
		}
	}
}
