package platform

import (
	"strings"
	"testing"
)

func TestLabelRate(t *testing.T) {
	for _, c := range []struct {
		label string
		bits  float64
		open  bool
	}{
		{"10 Gbps", 10e9, false}, {"< 155 Mbps", 155e6, true}, {"<= 10 Mbps backup", 10e6, true}, {"2.5G", 2.5e9, false},
		{"155M", 155e6, false}, {"0.5 M", 0.5e6, false}, {"1gb/s", 1e9, false}, {"24 MB/s", 192e6, false},
		{"2x10Gb/s", 20e9, false}, {"4*10Gb/s", 40e9, false}, {"3 x 622Mbps", 3 * 622e6, false},
		{"1-20Gbps", 1e9, true}, {"34/45 Mbit/s", 34e6, true}, {"10-34 Mb/s", 10e6, true},
		{"less than 100 Mbps", 100e6, true}, {"100 Mbps and more", 100e6, true}, {"OC-192c", 192 * 51.84e6, false},
		{"OC48/STM16", 48 * 51.84e6, false}, {"STM-64x4", 4 * 64 * 155.52e6, false}, {"10GEx12", 120e9, false},
		{"8*GbE", 8e9, false}, {"GigE", 1e9, false}, {"1GE Primary Link", 1e9, false}, {"10G Ethernet", 10e9, false},
		{"45 Mbps DS-3", 45e6, false}, {"internetMCI T3", 44.736e6, false}, {"E1", 2.048e6, false},
		{"2 x E3 (68Mbps)", 68e6, false}, {"4x1 Gbps + 2x STM-1", 4e9 + 2*155.52e6, false},
		{"9600 bit/s", 9600, false}, {"64 Kbps", 64e3, false}, {"40Mpbs", 40e6, false}, {"155Mbs/1Gbps", 155e6, true},
		{"Managed Fiber (10Gbps, 100Mbps)", 100e6, true}, {"Peering, 2.5 Gbps", 2.5e9, false},
		{"1Gbit", 1e9, false}, {"<45Mb", 45e6, true},
		{"Dark Fiber", 0, false}, {"SeaMeWe-3", 0, false}, {"1Q 2003", 0, false}, {"72 Lambda ROADM Network", 0, false},
		{"Completion 2007-2008", 0, false}, {"TAT-14", 0, false}, {"Red", 0, false}, {"", 0, false},
	} {
		bits, open := labelRate(c.label)
		if d := bits - c.bits; d > 1 || d < -1 || open != c.open {
			t.Errorf("%q: got %.0f bit/s, open %v, want %.0f, %v", c.label, bits, open, c.bits, c.open)
		}
	}
}

// TestLinkLabelsOfTheZoo checks that a B in a link label means bits, and that planned links are left out and said.
func TestLinkLabelsOfTheZoo(t *testing.T) {
	for attrs, want := range map[string]float64{ // bit/s; 0: no link
		`LinkLabel "10 GB/s - redundantno"`: 10e9, `LinkLabel "ZAMREN FIBRE (100 MB)"`: 100e6, `LinkNote "2x1 GB/s"`: 2e9,
		`LinkLabel "24 MB/s"`: 24e6, `label "24 MB/s"`: 192e6, `bandwidth "24 MB/s"`: 192e6, `LinkLabel "8 MiB/s"`: 8 << 23,
		`LinkStatus "Future"`: 0, `LinkStatus "Planning" LinkLabel "10 Gbps"`: 0, `LinkLabel "OC-192 (Future)"`: 0,
		`LinkNote "Planned Construction"`: 0, `LinkStatus "Proposed"`: 0, `status "under construction"`: 0,
		`LinkStatus "In use" LinkLabel "1 Gbps, backup"`: 1e9,
	} {
		p, err := Read("x.gml", strings.NewReader(`graph [ node [ id 1 ] node [ id 2 ]
			edge [ source 1 target 2 LinkSpeedRaw 5e6 ] edge [ source 1 target 2 `+attrs+` ] ]`), assumptions())
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(p.Notes, "\n")
		if p.Links[0].Bandwidth != 5e6+want || strings.Contains(notes, "1 edge is planned and not built") != (want == 0) ||
			strings.Contains(notes, "read as bits") != (strings.HasPrefix(attrs, "Link") && strings.Contains(attrs, "B/s") &&
				!strings.Contains(attrs, "MiB") || strings.Contains(attrs, "MB)")) {
			t.Errorf("%s: %v bit/s, notes:\n%s", attrs, p.Links[0].Bandwidth, notes)
		}
	}
}

// TestLabelWithAnUnknownUnit checks that a speed with an unknown unit in a label is noted with the known
// units, and that other words are ignored.
func TestLabelWithAnUnknownUnit(t *testing.T) {
	for label, want := range map[string]bool{
		"10 Gbitt/s": true, "10 furlongs/s": true, "3 Xbps": true, "9600 baud": true, "5 MHz": true, "2 quadbits": true,
		"10 Gbps": false, "10 m": false, "1Q 2003": false, "3 steps": false, "12": false, "Dark Fiber": false, "": false,
		"5ms": false, "20 ps": false,
	} {
		text := `graph [ node [ id 1 label "A" ] node [ id 2 label "B" ] ` +
			`edge [ source 1 target 2 label "` + label + `" ] ]`
		p, err := Read("x.gml", strings.NewReader(text), assumptions())
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(p.Notes, "\n")
		says := strings.Contains(notes, "not known; want bit/s, kbit/s, ") &&
			strings.Contains(notes, `"`+label+`", A to B`)
		if says != want || !want && label != "10 Gbps" && !strings.Contains(notes, "1 edge has no speed") {
			t.Errorf("%q:\n%s", label, notes)
		}
	}
}

func TestRateTextIsReadBack(t *testing.T) {
	for _, bits := range []float64{0, 1, 9600, 1e9, 2.5e9, 1e9 / 3, 41.279125e6 * 8, 155.52e6, 1e15} {
		got, needed, err := rateOf(rateText(bits), "")
		if err != nil || needed || got != bits {
			t.Errorf("%v is written %q and read as %v, %v", bits, rateText(bits), got, err)
		}
	}
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]float64{
		"1Gbit/s": 1e9, "10 Gbps": 10e9, "125MBps": 1e9, "1 GB/s": 8e9, "1 MiBps": 8 * 1024 * 1024, "10kbps": 10e3,
		"1.25GBps": 10e9, "56K": 56e3, "100 Mbits/sec": 100e6, "unlimited": 0,
	} {
		if got, _, err := rateOf(text, ""); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"10 parsecs", "-1Gbit/s", "0Gbit/s", "ten", "1e999Gbit/s", "5", "1 b i t",
		"1e300bit/s", "1e10Gbit/s", "0.3bit/s", "1e-30Gbit/s"} {
		if got, _, err := rateOf(text, ""); err == nil {
			t.Errorf("%s: got %v, want an error", text, got)
		}
	}
	for text, want := range map[string]int64{"59.904us": 59904, "1.461517ms": 1461517, "29.5890617ms": 29589062,
		"0": 0, "2 s": 2e9, "500 µs": 500e3, "0.5ns": 1, "1ps": 0} {
		if got, _, err := latencyOf(text, ""); err != nil || int64(got) != want {
			t.Errorf("%s: got %d ns, %v, want %d", text, int64(got), err, want)
		}
	}
	for _, text := range []string{"-1ms", "3 parsecs", "soon", "7", "1e30s"} {
		if got, _, err := latencyOf(text, ""); err == nil {
			t.Errorf("%s: got %v, want an error", text, got)
		}
	}
}
