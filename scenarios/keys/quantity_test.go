package keys

import (
	"strings"
	"testing"

	"tallynet/sim"
)

func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		text string
		d    dimension
		want int64
	}{
		{"1ms", times, 1e6}, {"0.1ms", times, 100000}, {"1.5us", times, 1500}, {"2 s", times, 2e9},
		{"1e-3s", times, 1e6}, {"3min", times, 180e9}, {".5h", times, 1800e9}, {"1µs", times, 1000},
		{"0", times, 0}, {"0.0s", times, 0}, {"0.1us", times, 100}, {"1e-9s", times, 1},
		{"1000000000000000000000e-12s", times, 1e18},
		{"1.500000000000000000000000000000000000000000000000us", times, 1500},
		{"0e0s", times, 0}, {"1.5kbit/s", rates, 1500}, {"0.5B/s", rates, 4}, {"0.125B/s", rates, 1},
		{"0.0009765625KiB", sizes, 1}, {"9223372036854775806ns", times, 1<<63 - 2},
		{"9007199254740993B", sizes, 1<<53 + 1},
		{"-2ms", times, -2e6},
		{"1Gbit/s", rates, 1e9}, {"100Mbit/s", rates, 1e8}, {"1kbit/s", rates, 1000}, {"1Kibit/s", rates, 1024},
		{"1MB/s", rates, 8e6}, {"1MiB/s", rates, 8 << 20}, {"1.5GB/s", rates, 12e9},
		{"8kB", sizes, 8000}, {"8KiB", sizes, 8192}, {"1GB", sizes, 1e9}, {"0.5MB", sizes, 500000},
		{"10GFLOP/s", speeds, 10e9}, {"1.5TFLOP/s", speeds, 1500e9},
	} {
		got, err := c.d.parse(c.text)
		if err != nil || got != c.want {
			t.Errorf("%s: %d, %v, want %d", c.text, got, err, c.want)
		}
	}
}

func TestQuantityErrors(t *testing.T) {
	for _, c := range []struct {
		text       string
		d          dimension
		says, hint string
	}{
		{"1", times, "has no unit", "1ms"},
		{"1e999ms", times, "too large", ""},
		{"1e9999ms", times, "too large an exponent", ""},
		{strings.Repeat("1", 500) + "ms", times, "too many digits", ""},
		{"0.1ns", times, "not a whole number of ns", "0ns and 1ns"},
		{"0.6ns", times, "not a whole number of ns", "0ns and 1ns"},
		{"-0.6ns", times, "not a whole number of ns", "-1ns and 0ns"},
		{"1.0000000001s", times, "not a whole number of ns", "1000000000ns and 1000000001ns"},
		{"1e-300s", times, "not a whole number of ns", "0ns and 1ns"},
		{"1.4bit/s", rates, "not a whole number of bit/s", "1bit/s and 2bit/s"},
		{"0.1B/s", rates, "not a whole number of bit/s", "0bit/s and 1bit/s"},
		{"1.0001kB", sizes, "not a whole number of B", "1000B and 1001B"},
		{"0.1KiB", sizes, "not a whole number of B", "102B and 103B"},
		{"2.5FLOP/s", speeds, "not a whole number of FLOP/s", "2FLOP/s and 3FLOP/s"},
		{"100MB", rates, "is not a unit", "100MB/s"},
		{"100Mbit", rates, "is not a unit", "per second"},
		{"100Mb", rates, "is not a unit", "bit or byte"},
		{"100Mb/s", rates, "is not a unit", "bit or byte"},
		{"100Mbps", rates, "is not a unit", "bit or byte"},
		{"100MBps", rates, "is not a unit", "100MB/s"},
		{"100mbit/s", rates, "is not a unit", "100Mbit/s"},
		{"8kbit", sizes, "is not a unit", "divide by 8"},
		{"8KB", sizes, "is not a unit", "8KiB"},
		{"8kb", sizes, "is not a unit", "8kB"},
		{"10GFLOPS", speeds, "is not a unit", "10GFLOP/s"},
		{"10gflop", speeds, "is not a unit", "10GFLOP/s"},
		{"", times, "is not a time", "1ms"},
		{"fast", times, "is not a time", "1ms"},
	} {
		v, err := c.d.parse(c.text)
		if err == nil {
			t.Errorf("%s: read as %d", c.text, v)
			continue
		}
		if !strings.Contains(err.Message, c.says) || !strings.Contains(err.Hint, c.hint) {
			t.Errorf("%s: %q, hint %q, want %q, hint %q", c.text, err.Message, err.Hint, c.says, c.hint)
		}
	}
}

// TestCanonical writes quantities and reads them back.
func TestCanonical(t *testing.T) {
	for _, v := range []int64{0, 1, 999, 1000, 1001, 1500, 123456789, 1e9, 1e12 + 1, 9e18, 1<<63 - 2} {
		for _, c := range []struct {
			text string
			d    dimension
		}{{Rate(v).String(), rates}, {DataSize(v).String(), sizes}, {Speed(v).String(), speeds},
			{sim.Time(v).String(), times}} {
			got, err := c.d.parse(c.text)
			if err != nil || got != v {
				t.Errorf("%d is written %s and read back as %d, %v", v, c.text, got, err)
			}
		}
	}
	for got, want := range map[string]string{
		Rate(1500000000).String(): "1.5Gbit/s", DataSize(40).String(): "40B", DataSize(1500).String(): "1.5kB",
		Speed(10e9).String(): "10GFLOP/s", Unlimited.String(): "unlimited", Instant.String(): "unlimited",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"latency", "bandwidth", "jitter", "grad_f", "erdos-renyi"}
	for word, want := range map[string]string{
		"latncy": "latency", "latnecy": "latency", "Bandwidth": "bandwidth", "grad-f": "grad_f",
		"erdos renyi": "erdos-renyi", "gradf": "grad_f", "xyz": "", "": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		text   string
		factor float64
		want   string
	}{{"10us", 7.5512, "75.5us"}, {"1Mbit/s", 31.6228, "31.6Mbit/s"}, {"1ms", 1000, "1000ms"},
		{"2 GFLOP/s", 0.5, "1GFLOP/s"}, {"4", 1.2247, "4.9"}, {"1e-3", 10, "0.01"}} {
		if got := Scaled(c.text, c.factor); got != c.want {
			t.Errorf("%s times %g is %s, want %s", c.text, c.factor, got, c.want)
		}
	}
}
