package catalog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tallynet/scenarios/keys"
	"tallynet/sim"
	"tallynet/topologies/platform"
)

// PlatformEntry is a kind of network that nodes talk over.
type PlatformEntry struct {
	keys.Entry
	// New makes the platform; dir is the folder that paths are relative to. An error about one
	// parameter is a *keys.ParamError.
	New func(a keys.Args, dir string) (*platform.Platform, error)
}

// Platforms returns the table of networks.
func Platforms() []PlatformEntry {
	return []PlatformEntry{switchPlatform(), racksPlatform(), fatTreePlatform(), regionsPlatform(), wanRegions(),
		graphPlatform(), wirelessPlatform()}
}

// zoneLatency is the source of the latency in profiles of one building.
const zoneLatency = "half of the 0.09 ms within a zone that IBM Cloud gives for August 2024, taken as a round trip " +
	"(cloud.ibm.com/docs/vpc, network latency)"

// profile returns a named platform: an alias that sets values. The summary states their source.
func profile(name, summary string, values ...string) keys.Alias {
	a := keys.Alias{Name: name, Summary: summary}
	for _, v := range values {
		key, value, _ := strings.Cut(v, ": ")
		a.Preset = append(a.Preset, keys.Preset{Param: key, Value: value})
	}
	return a
}

// bits returns a bandwidth as a platform takes it, where 0 is unlimited.
func bits(r keys.Rate) float64 {
	if r == keys.Unlimited {
		return 0
	}
	return float64(r)
}

// rateKey and timeKey declare bandwidths and latencies of links.
func rateKey(name, about string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Bandwidth, Required: true, Example: "1Gbit/s", Range: keys.Above(0),
		About: about}
}

func timeKey(name, about string) keys.Param {
	return keys.Param{Name: name, Kind: keys.Duration, Default: sim.Time(0), Example: "50us", Range: keys.AtLeast(0),
		About: about}
}

// optional returns p with a default value.
func optional(p keys.Param, value any) keys.Param {
	p.Required, p.Default = false, value
	return p
}

// derived returns p with the value of another key of the section as its default.
func derived(p keys.Param, from string) keys.Param {
	p.Required, p.Derived = false, "as "+from
	p.Derive = func(here, _ keys.Args) any { return here.Value(from) }
	return p
}

// hostsKey declares the number of hosts. The default is one for each node.
func hostsKey() keys.Param {
	return keys.Param{Name: "hosts", Kind: keys.Int, Example: "16", Range: keys.Between(1, 1e6),
		About: "the number of hosts", Derived: "one for each node",
		Derive: func(_, around keys.Args) any { return nodesOf(around) }}
}

// nodesOf returns the number of nodes of the scenario; at least 1.
func nodesOf(root keys.Args) int {
	return max(1, keys.Optional[int](keys.Optional[keys.Args](root, "topology"), "nodes"))
}

func switchPlatform() PlatformEntry {
	return PlatformEntry{
		Entry: keys.Entry{Name: "switch", Summary: "one switch that never blocks, with a line to each host",
			Aliases: []keys.Alias{
				profile("lan-1g", "Gigabit Ethernet (IEEE 802.3ab, 1999); "+zoneLatency, "up: 1Gbit/s", "latency: 45us"),
				profile("lan-10g", "10 Gigabit Ethernet (IEEE 802.3ae, 2002); "+zoneLatency, "up: 10Gbit/s", "latency: 45us"),
				profile("edge-4g", "phones: the median throughput of LTE (Huang et al., A Close Examination of Performance "+
					"and Power Characteristics of 4G LTE Networks, MobiSys 2012); the way up and the way down each take half of a "+
					"60 ms round trip to a server (Ookla, US mobile market report, third quarter of 2022: medians of 59 to 61 ms)",
					"up: 6Mbit/s", "down: 13Mbit/s", "latency: 60ms"),
				profile("satellite", "a constellation in low Earth orbit: medians of Starlink in Maine from October to "+
					"December 2024 (Ookla, Above Maine, Starlink Twinkles, 18 December 2024); the way up and the way down each "+
					"take half of a round trip to a server", "up: 18.17Mbit/s", "down: 116.77Mbit/s", "latency: 47ms"),
			},
			Params: []keys.Param{
				hostsKey(),
				rateKey("up", "the bandwidth from a host"),
				derived(rateKey("down", "the bandwidth to a host"), "up"),
				timeKey("latency", "from host to host"),
			}},
		New: func(a keys.Args, _ string) (*platform.Platform, error) {
			p, err := platform.Switch(platform.SwitchConfig{Hosts: a.Int("hosts"), Up: bits(a.Rate("up")),
				Down: bits(a.Rate("down")), Latency: a.Duration("latency")})
			return p, keys.About("hosts", err)
		},
	}
}

func racksPlatform() PlatformEntry {
	return PlatformEntry{
		Entry: keys.Entry{Name: "racks",
			Summary: "racks of hosts, whose switches are joined by one core switch that never blocks",
			Params: []keys.Param{
				{Name: "racks", Kind: keys.Int, Required: true, Example: "2", Range: keys.AtLeast(1),
					About: "the number of racks"},
				{Name: "hosts", Kind: keys.Int, Required: true, Example: "8", Range: keys.AtLeast(1),
					About: "hosts in each rack"},
				rateKey("nic", "the bandwidth of a host's line, in each direction"),
				rateKey("uplink", "the bandwidth of a rack's line to the core, in each direction"),
				{Name: "latency", Kind: keys.Section, Example: "{nic: 5us, uplink: 20us}", Each: []string{"nic", "uplink"},
					About: "of each line", Params: []keys.Param{
						timeKey("nic", "of a host's line"), timeKey("uplink", "of a rack's line to the core")}},
			}},
		New: func(a keys.Args, _ string) (*platform.Platform, error) {
			latency := a.Section("latency")
			p, err := platform.Racks(platform.RacksConfig{Racks: a.Int("racks"), Hosts: a.Int("hosts"),
				NIC: bits(a.Rate("nic")), Uplink: bits(a.Rate("uplink")),
				NICLatency: latency.Duration("nic"), UplinkLatency: latency.Duration("uplink")})
			return p, keys.About("hosts", err)
		},
	}
}

func fatTreePlatform() PlatformEntry {
	return PlatformEntry{
		Entry: keys.Entry{Name: "fat-tree",
			Summary: "a k-ary fat tree: k pods of k/2 edge switches with k/2 hosts each, k^3/4 hosts in all",
			Aliases: []keys.Alias{
				profile("datacenter-100g", "100 Gigabit Ethernet (IEEE 802.3bj, 2014), oversubscribed 3:1; six lines of 7.5 us "+
					"between pods: "+zoneLatency, "bandwidth: 100Gbit/s", "oversubscription: 3", "latency: 7.5us"),
			},
			Params: []keys.Param{
				{Name: "k", Title: "ports", Kind: keys.Int, Example: "8", Range: keys.AtLeast(2),
					About: "ports of a switch, an even number", Derived: "the smallest with a host for each node",
					Derive: func(_, around keys.Args) any { return platform.FatTreeFor(nodesOf(around)) }},
				rateKey("bandwidth", "of a host's line, in each direction"),
				{Name: "oversubscription", Kind: keys.Float, Default: 1.0, Example: "4", Range: keys.AtLeast(1),
					About: "lines between switches have bandwidth / oversubscription"},
				timeKey("latency", "of each line; between pods a message crosses six"),
			}},
		New: func(a keys.Args, _ string) (*platform.Platform, error) {
			p, err := platform.FatTree(platform.FatTreeConfig{K: a.Int("k"), Bandwidth: bits(a.Rate("bandwidth")),
				Oversubscription: a.Float("oversubscription"), Latency: a.Duration("latency")})
			return p, keys.About("k", err)
		},
	}
}

func regionsPlatform() PlatformEntry {
	path := func(name, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Path, Example: name + ".csv", About: about}
	}
	file := path("file", "a square table, CSV: latencies, or latency/bandwidth as in 12ms/1Gbit/s; the first row "+
		"and column may have names")
	file.Required, file.Example = true, "regions.csv"
	return PlatformEntry{
		Entry: keys.Entry{Name: "regions", Summary: "regions with hosts, and a link between each two of them",
			Params: []keys.Param{
				file,
				path("bandwidths", "a second table, of bandwidths; unlimited where neither has one"),
				{Name: "unit", Kind: keys.Enum, Enum: []string{"ns", "us", "ms", "s"},
					About: "of latencies that are plain numbers; ms by default"},
				{Name: "times", Kind: keys.Enum, Default: "one-way", Enum: []string{"one-way", "round-trip"},
					About: "what the latencies are; of a round trip, half is the latency"},
				{Name: "hosts", Kind: keys.Int, Default: 1, Range: keys.AtLeast(1), About: "hosts in each region"},
				optional(rateKey("nic", "the bandwidth of a host's line, in each direction"), keys.Unlimited),
			}},
		New: newRegions,
	}
}

// wanRegions is a profile with a table of its own.
func wanRegions() PlatformEntry {
	return PlatformEntry{
		Entry: keys.Entry{Name: "wan-regions",
			Summary: "13 regions of a cloud: round trips, the 95th percentile of July 2026 (Microsoft, Azure network " +
				"round-trip latency statistics, learn.microsoft.com/azure/networking/azure-network-latency)",
			Params: []keys.Param{
				{Name: "hosts", Kind: keys.Int, Default: 1, Range: keys.AtLeast(1), About: "hosts in each region"},
				optional(rateKey("nic", "the bandwidth of a host's line, in each direction"), keys.Unlimited),
			}},
		New: func(a keys.Args, _ string) (*platform.Platform, error) {
			m, err := platform.AzureRegions()
			if err != nil {
				return nil, err
			}
			p, err := platform.Regions(platform.RegionsConfig{Latencies: m, Hosts: a.Int("hosts"), NIC: bits(a.Rate("nic")),
				RoundTrips: true})
			return p, keys.About("hosts", err)
		},
	}
}

func newRegions(a keys.Args, dir string) (*platform.Platform, error) {
	c := platform.RegionsConfig{Hosts: a.Int("hosts"), NIC: bits(a.Rate("nic")),
		RoundTrips: a.String("times") == "round-trip"}
	var err error
	if c.Latencies, err = fromFile(a, dir, "file", func(_ string, r io.Reader) (*platform.Matrix, error) {
		return platform.ReadLatencies(r, a.String("unit"))
	}); err != nil {
		return nil, err
	}
	if a.Has("bandwidths") {
		c.Bandwidths, err = fromFile(a, dir, "bandwidths", func(_ string, r io.Reader) (*platform.Matrix, error) {
			return platform.ReadBandwidths(r)
		})
		if err != nil {
			return nil, err
		}
	}
	p, err := platform.Regions(c)
	return p, keys.About("file", err)
}

func graphPlatform() PlatformEntry {
	return PlatformEntry{
		Entry: keys.Entry{Name: "graph",
			Summary: "a network from a file: GraphML, GML (as in the Topology Zoo), DOT, or a SimGrid platform",
			Params: []keys.Param{
				{Name: "file", Kind: keys.Path, Required: true, Example: "abilene.graphml",
					About: "the file; simulate topology FILE says what is understood and assumed"},
				{Name: "latency", Kind: keys.Duration, Default: sim.Millisecond, Example: "1ms", Range: keys.AtLeast(0),
					About: "of a link for which the file has neither a latency nor places on the globe"},
				optional(rateKey("bandwidth", "of a link for which the file has no speed"), keys.Rate(1e9)),
				{Name: "latency_unit", Kind: keys.Enum, Enum: []string{"ns", "us", "ms", "s"},
					About: "of latencies that are plain numbers; ms by default"},
				{Name: "bandwidth_unit", Kind: keys.Enum, Enum: []string{"bit/s", "kbit/s", "Mbit/s", "Gbit/s"},
					About: "of bandwidths that are plain numbers; by default Mbit/s below 1e5 and bit/s above"},
				{Name: "duplex", Kind: keys.Enum, Default: "full", Enum: []string{"full", "half"},
					About: "whether each direction of a link has its own bandwidth, or both share it"},
				{Name: "direction", Kind: keys.Enum, Default: "as-file", Enum: []string{"as-file", "both"},
					About: "whether a one-way edge of the file is a link in both directions"},
				{Name: "component", Kind: keys.Enum, Default: "all", Enum: []string{"all", "largest"},
					About: "which parts of a network that is not connected are kept"},
			}},
		New: func(a keys.Args, dir string) (*platform.Platform, error) {
			return fromFile(a, dir, "file", func(name string, r io.Reader) (*platform.Platform, error) {
				return platform.Read(name, r, platform.GraphConfig{Latency: a.Duration("latency"),
					Bandwidth: bits(a.Rate("bandwidth")), LatencyUnit: a.String("latency_unit"),
					BandwidthUnit: a.String("bandwidth_unit"), HalfDuplex: a.String("duplex") == "half",
					BothWays: a.String("direction") == "both", Largest: a.String("component") == "largest"})
			})
		},
	}
}

func wirelessPlatform() PlatformEntry {
	places := func(name, about string) keys.Param {
		return keys.Param{Name: name, Kind: keys.Matrix, Example: "[[0, 0], [10, 5]]", About: about}
	}
	return PlatformEntry{
		Entry: keys.Entry{Name: "wireless",
			Summary: "stations that share the air: each radio cell is one half-duplex medium",
			Aliases: []keys.Alias{
				profile("edge-wifi", "the fastest rate of IEEE 802.11n (2009) with one stream of 20 MHz; a transmission "+
					"takes half of 20 ms, which on a campus more than half of the packets needed to an access point and back (Pei "+
					"et al., WiFi Can Be the Weakest Link of Round Trip Network Latency in the Wild, INFOCOM 2016)",
					"bandwidth: 72.2Mbit/s", "latency: 10ms"),
			},
			Params: []keys.Param{
				hostsKey(),
				places("positions", "x and y of each station in metres; by default all at one place"),
				{Name: "range", Kind: keys.Distance, Default: keys.Length(50_000), Example: "50m", Range: keys.Above(0),
					About: "the largest distance at which a station is heard"},
				rateKey("bandwidth", "of a cell, for all its stations together"),
				timeKey("latency", "of a transmission"),
				places("access", "x and y of each access point: a cell with the stations that it is the nearest to; where "+
					"default, stations talk to each other"),
				optional(rateKey("backhaul", "of the line from an access point to the others, in each direction"),
					keys.Unlimited),
				timeKey("backhaul_latency", "of that line"),
			}},
		New: newWireless,
	}
}

func newWireless(a keys.Args, _ string) (*platform.Platform, error) {
	c := platform.WirelessConfig{Positions: a.Matrix("positions"), Range: keys.Get[keys.Length](a, "range").Metres(),
		Bandwidth: bits(a.Rate("bandwidth")), Latency: a.Duration("latency"), Access: a.Matrix("access"),
		Backhaul: bits(a.Rate("backhaul")), BackhaulLatency: a.Duration("backhaul_latency")}
	if c.Positions == nil {
		c.Positions = make([][]float64, a.Int("hosts"))
		for i := range c.Positions {
			c.Positions[i] = []float64{0, 0}
		}
	} else if a.Given("hosts") && len(c.Positions) != a.Int("hosts") {
		return nil, keys.Wrong("positions", "want a position for each of the %d hosts, got %d", a.Int("hosts"),
			len(c.Positions))
	}
	p, err := platform.Wireless(c)
	return p, keys.About("positions", err)
}

// fromFile reads the file that a parameter names.
func fromFile[T any](a keys.Args, dir, param string, read func(name string, r io.Reader) (T, error)) (T, error) {
	var none T
	path := keys.InFolder(dir, a.String(param))
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return none, keys.Wrong(param, "there is no file %s", a.String(param))
	case err == nil && !info.Mode().IsRegular():
		return none, keys.Wrong(param, "%s is not a regular file", a.String(param))
	case err != nil:
		return none, keys.About(param, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return none, keys.About(param, err)
	}
	got, err := read(path, f)
	err = errors.Join(err, f.Close())
	if err != nil {
		return none, keys.About(param, fmt.Errorf("%s: %w", a.String(param), err))
	}
	return got, nil
}
