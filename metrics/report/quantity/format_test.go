package quantity

import (
	"math"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", -12345: "-12,345", -999: "-999",
		1234567: "1,234,567", math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 999: "999 B", 1000: "1.00 kB", 1024: "1.02 kB", 1234567: "1.23 MB", 999_499: "999 kB",
		999_500: "1.00 MB", 999_999_999: "1.00 GB", 45_600_000_000: "45.6 GB", 2e12: "2.00 TB",
		math.MaxInt64: "9.22 EB", -1500: "-1.50 kB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 s", 1.234: "1.23 s", 0.0045: "4.50 ms", 64e-6: "64.0 µs", 5e-9: "5.00 ns", 1e-10: "0.100 ns",
		12.34:  "12.3 s",
		0.9999: "1.00 s", 12345: "12,345 s", 1234567.8: "1,234,568 s", -0.25: "-250 ms", math.Inf(1): "∞ s",
		1e20: "1.00e20 s",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("Seconds(%g) = %q, want %q", s, got, want)
		}
	}
}

func TestFloat(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 3, "0"}, {1, 3, "1.00"}, {2.5e-4, 2, "2.5e-4"}, {0.025, 3, "0.0250"}, {0.001, 1, "0.001"},
		{9.999e-4, 2, "0.0010"}, {1234.5678, 3, "1235"},
		{1234.5678, 6, "1234.57"}, {99999.9, 3, "1.00e5"}, {123456, 3, "1.23e5"}, {-3e-10, 1, "-3e-10"},
		{math.NaN(), 3, "NaN"},
		{math.Inf(1), 3, "∞"}, {math.Inf(-1), 3, "-∞"}, {5e-324, 3, "4.94e-324"}, {math.MaxFloat64, 3, "1.80e308"},
		{1, 0, "1"},
	} {
		if got := Float(c.x, c.digits); got != c.want {
			t.Errorf("Float(%g, %d) = %q, want %q", c.x, c.digits, got, c.want)
		}
	}
}
