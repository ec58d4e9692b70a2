package platform

import (
	"math"
	"strconv"
)

// The names of attributes. A unit may follow each: delayms, bandwidthmbps.
var (
	latencyNames = []string{"latency", "delay", "linklatency", "linkdelay", "propagationdelay", "propdelay", "lat"}

	roundTripNames = []string{"rtt", "roundtrip", "roundtriptime"}

	rateNames = []string{"bandwidth", "capacity", "bw", "linkbandwidth", "linkcapacity", "datarate", "linkspeed", "speed",
		"maxbw", "rate"}
)

// timed returns the value of the first attribute with one of the names, and the unit that follows its name.
func timed(attrs map[string]string, names []string) (value, unit string) {
	for _, n := range names {
		for _, u := range [...]string{"", "ns", "us", "ms", "s", "sec", "bps", "kbps", "mbps", "gbps", "mbits", "gbits",
			"mbit", "gbit"} {
			if v := attrs[n+u]; !missing(v) {
				return v, u
			}
		}
	}
	return "", ""
}

// onGlobe is a position by latitude and longitude in degrees.
type onGlobe struct{ latitude, longitude float64 }

// position returns where a node lies on the globe. text is the position as the file writes it, "" if there is
// none; ok reports whether it is on the globe.
func position(attrs map[string]string) (at onGlobe, text string, ok bool) {
	a, _ := first(attrs, "latitude", "lat")
	b, _ := first(attrs, "longitude", "lon", "long", "lng")
	if a == "" || b == "" {
		return onGlobe{}, "", false
	}
	latitude, errA := strconv.ParseFloat(a, 64)
	longitude, errB := strconv.ParseFloat(b, 64)
	ok = errA == nil && errB == nil && math.Abs(latitude) <= 90 && math.Abs(longitude) <= 360
	return onGlobe{latitude, longitude}, short(a) + ", " + short(b), ok
}

// greatCircle returns the distance of two positions in km, on a sphere of the earth's mean radius.
func greatCircle(a, b onGlobe) float64 {
	const radius, degree = 6371.0088, math.Pi / 180
	u := math.Sin((b.latitude - a.latitude) * degree / 2)
	v := math.Sin((b.longitude - a.longitude) * degree / 2)
	h := float64(u*u) + float64(math.Cos(a.latitude*degree)*math.Cos(b.latitude*degree)*v*v)
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}
