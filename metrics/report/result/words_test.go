package result

import "testing"

func TestWords(t *testing.T) {
	for raw, want := range map[string]string{
		`"0.1ms"`: "0.1 ms", `"1Gbit/s"`: "1 Gbit/s", `"10nJ/B"`: "10 nJ/B", `"0.09/GB"`: "0.09/GB",
		`"75.400001us"`:       "75.4 us",
		`0.30000000000000004`: "0.3", `4.7399999999999996e-32`: "4.74e-32", `0.0001`: "0.0001", `1e-8`: "1e-8",
		`123456789`: "123456789",
		`"float64"`: "float64", `"fat-tree"`: "fat-tree", `true`: "true", `""`: "", `null`: "null", `"2d torus"`: "2d torus",
		`{"compress":"top-k","share":0.1,"error_of":[1,2]}`: "top-k, share 0.1, error of (1, 2)",
		`{"kind":"last","after":"30ms"}`:                    "last, after 30 ms", `[[0,3],[-3,1.5]]`: "((0, 3), (-3, 1.5))",
		`{}`: "", `[]`: "()",
	} {
		if got := (Setting{"key", []byte(raw)}).Words(); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
