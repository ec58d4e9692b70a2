package platform

import (
	"regexp"
	"strconv"
	"strings"
)

// Speeds in labels of links: "10 Gbps", "< 155 Mbps", "2x10Gb/s", "OC-192", "STM-64x4".

const speedUnit = `([kmgt](?:i?b(?:its?|ytes?)?)?|bits?|bps)(?:\s*/\s*s(?:ec)?|p[sb]s?|ps|s)?\b`

var (
	labelSpeed = regexp.MustCompile(`(?i)(?:\b([0-9]+)\s*[x*]\s*|\b)([0-9]+(?:\.[0-9]+)?)` +
		`(?:\s*[-/]\s*[0-9]+(?:\.[0-9]+)?)?\s*` + speedUnit)
	labelCarrier = regexp.MustCompile(`(?i)(?:\b([0-9]+)\s*[x*]\s*|\b)(OC-?([0-9]+)c?|STM-?([0-9]+)|` +
		`(DS-?[13]|[ET]-?[13])|([0-9]*)\s*(GigE|GbE|GE|FE))(?:\s*x\s*([0-9]+))?\b`)
)

// carrier returns the bit/s of a carrier (ITU-T G.702, G.707; IEEE 802.3).
func carrier(name string) float64 {
	switch strings.ToUpper(strings.ReplaceAll(name, "-", "")) {
	case "T1", "DS1":
		return 1_544_000
	case "T3", "DS3":
		return 44_736_000
	case "E1":
		return 2_048_000
	case "E3":
		return 34_368_000
	case "FE":
		return 100e6
	}
	return 1e9 // GE
}

// labelRate finds the speed in a label: the smallest of several, or their sum if a plus separates them. It
// returns 0 if there is none, and whether the label leaves something open.
func labelRate(label string) (bits float64, open bool) {
	parts := strings.Split(label, "+")
	for _, part := range parts {
		v, several := partRate(part)
		if v == 0 && len(parts) > 1 {
			open = true
		}
		bits += v
		open = open || several
	}
	lower := strings.ToLower(label)
	for _, word := range []string{"<", ">", "less", "more", "up to", "below", "above", "n*"} {
		open = open || strings.Contains(lower, word)
	}
	return bits, open && bits > 0
}

// partRate returns the smallest speed in a text. A number with a unit takes precedence over the name of a
// carrier.
func partRate(text string) (bits float64, several bool) {
	least := func(v float64) {
		several = several || bits != 0 && bits != v
		if bits == 0 || v < bits {
			bits = v
		}
	}
	for _, m := range labelSpeed.FindAllStringSubmatch(text, -1) {
		unit := m[3]
		if u := strings.ToLower(unit); u == "bps" || strings.HasPrefix(u, "bit") {
			unit = "bit/s"
		} else if len(unit) == 1 && strings.ToLower(unit) == unit {
			continue // "10 m" is not a speed
		}
		if scale, ok := rateUnit(unit); ok {
			least(times(m[1]) * value(m[2]) * scale)
			several = several || strings.ContainsAny(strings.TrimSuffix(m[0], "/s"), "-/") && rangeOf.MatchString(m[0])
		}
	}
	if bits > 0 {
		return bits, several
	}
	for _, m := range labelCarrier.FindAllStringSubmatch(text, -1) {
		v := times(m[1]) * times(m[8])
		switch {
		case m[3] != "":
			v *= 51_840_000 * value(m[3])
		case m[4] != "":
			v *= 155_520_000 * value(m[4])
		case m[5] != "":
			v *= carrier(m[5])
		default:
			v *= carrier(m[7]) * times(m[6])
		}
		if v > 0 {
			least(v)
		}
	}
	return bits, several
}

// rangeOf matches in a speed that is a range, as "10-34 Mb/s".
var rangeOf = regexp.MustCompile(`[0-9]\s*[-/]\s*[0-9]`)

// rateLabels are the attributes whose text may contain a speed.
var rateLabels = [...]string{"linklabel", "label", "linktype", "linknote", "name"}

// zooBytes matches a B that stands for bits in a link label of the Internet Topology Zoo: each "10 GB/s" there that
// has a LinkSpeedRaw as well is of 10 Gbit/s.
var zooBytes = regexp.MustCompile(`([0-9]\s*[kKMGT])B\b`)

// planned matches the LinkStatus, or the label, of a link that was not built when the file was made.
var planned = regexp.MustCompile(`(?i)\b(?:plann(?:ed|ing)|future|proposed|under construction)\b`)

// isPlanned reports whether an edge is a link that is planned only, and the words that say so.
func (e *draftEdge) isPlanned() (words string, ok bool) {
	for _, name := range [...]string{"linkstatus", "status", "linklabel", "linknote", "linktype", "label"} {
		if text := e.attrs[name]; planned.MatchString(text) {
			return text, true
		}
	}
	return "", false
}

var labelRateLike = regexp.MustCompile(`(?i)(?:/\s*s(?:ec(?:ond)?)?|^.{0,2}ps|bits?|bytes?|bauds?|bd|hz)$`)

// unknownRate reports whether a label is a number with a unit that looks like one of bandwidth but is not.
func unknownRate(label string) bool {
	_, unit, ok := number(label)
	if !ok || unit == "" || strings.ContainsAny(unit, "0123456789") {
		return false
	}
	_, known := rateUnit(unit)
	_, time := timeUnit(unit)
	return !known && !time && labelRateLike.MatchString(unit)
}

// times returns a factor, 1 for "".
func times(text string) float64 {
	if text == "" {
		return 1
	}
	return value(text)
}

func value(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}
