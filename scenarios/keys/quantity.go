package keys

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tallynet/algorithms/declare"
	"tallynet/sim"
)

// Rate is a bandwidth in bits per second.
type Rate int64

// Unlimited is a bandwidth so large that serializing a message takes no time.
const Unlimited Rate = math.MaxInt64

// BitsPerSecond returns r as a number for the engine, where Unlimited is the largest number as well.
func (r Rate) BitsPerSecond() int64 { return int64(r) }

// DataSize is an amount of data in bytes.
type DataSize int64

// Speed is a computing speed in floating-point operations per second.
type Speed int64

// Instant is a speed so high that computing takes no time.
const Instant Speed = math.MaxInt64

// Length is a length in millimetres.
type Length int64

// Metres returns l in metres.
func (l Length) Metres() float64 { return float64(l) / 1000 }

// String returns l exactly, in metres: "12.5m".
func (l Length) String() string { return strconv.FormatFloat(l.Metres(), 'f', -1, 64) + "m" }

// String returns r exactly, with the largest unit that leaves a number of at least one: "1.5Gbit/s".
func (r Rate) String() string { return largest(int64(r), withPrefixes("bit/s", dataPrefixes)) }

// String returns s exactly, in decimal units: "1.5kB" is 1500 bytes.
func (s DataSize) String() string { return largest(int64(s), withPrefixes("B", dataPrefixes)) }

// String returns s exactly: "10GFLOP/s".
func (s Speed) String() string { return largest(int64(s), withPrefixes("FLOP/s", speedPrefixes)) }

// largest writes v with the largest of some units, each 1000 of the one before, that leaves a number of at least one.
// The largest number of all is unlimited.
func largest(v int64, units []string) string {
	if v == math.MaxInt64 {
		return unlimited
	}
	k, scale := 0, int64(1)
	for k < len(units)-1 && v >= 1000*scale {
		k, scale = k+1, 1000*scale
	}
	return decimal(v, 3*k) + units[k]
}

// decimal writes v / 10^digits exactly.
func decimal(v int64, digits int) string {
	text := strconv.FormatInt(v, 10)
	if missing := digits + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	whole, fraction := text[:len(text)-digits], strings.TrimRight(text[len(text)-digits:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// The decimal prefixes of data and of speeds.
const dataPrefixes, speedPrefixes = "kMGT", "kMGTP"

// unit is the spelling of a unit and its size in base units.
type unit struct {
	name  string
	scale *big.Rat
}

// dimension is a kind of quantity: its units, and the words for its errors.
type dimension struct {
	noun    string // "a time"
	example string
	units   []unit
}

// withPrefixes returns a unit without and with each of some prefixes.
func withPrefixes(base, prefixes string) []string {
	names := []string{base}
	for _, p := range prefixes {
		names = append(names, string(p)+base)
	}
	return names
}

func prefixed(base string, scale int64, prefixes string) []unit {
	return thousands(scale, withPrefixes(base, prefixes)...)
}

// thousands returns units, each 1000 times the one before; the first one stands for scale base units.
func thousands(scale int64, names ...string) []unit {
	var units []unit
	value := big.NewRat(scale, 1)
	for _, name := range names {
		units = append(units, unit{name, value})
		value = new(big.Rat).Mul(value, big.NewRat(1000, 1))
	}
	return units
}

func binary(base string, scale int64) []unit {
	var us []unit
	for i, p := range []string{"Ki", "Mi", "Gi", "Ti"} {
		us = append(us, unit{p + base, new(big.Rat).SetInt64(scale << (10 * (i + 1)))})
	}
	return us
}

// The dimensions of quantities. Those of tariffs are beside their types.
var (
	times = dimension{"a time", "1ms", []unit{
		{"ns", big.NewRat(1, 1)}, {"us", big.NewRat(1e3, 1)}, {"µs", big.NewRat(1e3, 1)}, {"ms", big.NewRat(1e6, 1)},
		{"s", big.NewRat(1e9, 1)}, {"min", big.NewRat(60e9, 1)}, {"h", big.NewRat(3600e9, 1)},
	}}
	rates = dimension{"a bandwidth", "1Gbit/s", slices.Concat(prefixed("bit/s", 1, dataPrefixes),
		prefixed("B/s", 8, dataPrefixes), binary("bit/s", 1), binary("B/s", 8))}
	sizes   = dimension{"a size in bytes", "8kB", append(prefixed("B", 1, dataPrefixes), binary("B", 1)...)}
	speeds  = dimension{"a speed", "10GFLOP/s", prefixed("FLOP/s", 1, speedPrefixes)}
	lengths = dimension{"a length", "50m", []unit{{"mm", big.NewRat(1, 1)}, {"cm", big.NewRat(10, 1)},
		{"m", big.NewRat(1e3, 1)}, {"km", big.NewRat(1e6, 1)}}}
)

// unlimited is the word for the largest bandwidth and the largest speed.
const unlimited = "unlimited"

// quantityKind says how the values of a kind of key are read and written.
type quantityKind struct {
	dimension dimension
	typed     func(v int64) any // the value in base units as its Go type
	unlimited bool              // the word unlimited is a value
	si        float64           // base units in the unit that Quantity returns
	suffix    string            // of columns in that unit
}

// quantities are the kinds of keys whose values have units.
var quantities = map[ParamKind]quantityKind{
	Duration:   {times, func(v int64) any { return sim.Time(v) }, false, 1e9, "_s"},
	Bandwidth:  {rates, func(v int64) any { return Rate(v) }, true, 1, "_bit_per_s"},
	Bytes:      {sizes, func(v int64) any { return DataSize(v) }, false, 1, "_bytes"},
	Flops:      {speeds, func(v int64) any { return Speed(v) }, true, 1, "_flop_per_s"},
	Distance:   {lengths, func(v int64) any { return Length(v) }, false, 1e3, "_m"},
	Watts:      {powers, func(v int64) any { return Power(v) }, false, 1e6, "_w"},
	ByteEnergy: {byteEnergies, func(v int64) any { return EnergyPerByte(v) }, false, 1e15, "_j_per_byte"},
	HourPrice:  {hourPrices, func(v int64) any { return PricePerHour(v) }, false, 1e9, "_per_h"},
	BytePrice:  {bytePrices, func(v int64) any { return PricePerGigabyte(v) }, false, 1e9, "_per_gb"},
}

var numberAndUnit = regexp.MustCompile(`^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t]*(.*)$`)

// mostDigits bounds the length of a number, and mostExponent the digits of its exponent, so that rationals stay
// small.
const mostDigits, mostExponent = 400, 3

// exact parses a decimal number without rounding.
func exact(number string) (*big.Rat, bool) {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if len(number) > mostDigits || len(strings.TrimLeft(exponent, "+-0")) > mostExponent {
		return nil, false
	}
	return new(big.Rat).SetString(number)
}

// parse returns a number with a unit in base units (ns, bit/s, B, FLOP/s). The arithmetic is exact: 0.1ms is 100000
// ns. A result that is not a whole number is an error.
func (d dimension) parse(text string) (int64, *ParamError) {
	m := numberAndUnit.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, &ParamError{Message: fmt.Sprintf("%s is not %s", quote(text), d.noun),
			Hint: "write a number and a unit, as in " + d.example}
	}
	number, name := m[1], m[2]
	v, ok := exact(number)
	if !ok {
		return 0, &ParamError{Message: quote(text) + " has too many digits, or too large an exponent"}
	}
	if name == "" {
		if v.Sign() == 0 {
			return 0, nil // zero is zero in every unit
		}
		return 0, &ParamError{Message: number + " has no unit",
			Hint: "write " + d.noun + " with its unit, as in " + d.example}
	}
	for _, u := range d.units {
		if u.name == name {
			return d.whole(text, v.Mul(v, u.scale))
		}
	}
	hint := cmp.Or(d.hintUnit(number, name), "use one of: "+strings.Join(d.unitNames(), " "))
	return 0, &ParamError{Hint: hint,
		Message: fmt.Sprintf("%s: %s is not a unit of %s", quote(text), quote(name), d.noun)}
}

// whole returns v if it is a whole number of base units. Otherwise the error names the two nearest ones.
func (d dimension) whole(text string, v *big.Rat) (int64, *ParamError) {
	below := new(big.Int).Div(v.Num(), v.Denom()) // Euclidean: floor, as the denominator is positive
	if !below.IsInt64() || below.Int64() == math.MaxInt64 {
		return 0, &ParamError{Message: quote(text) + " is too large"}
	}
	if v.IsInt() {
		return below.Int64(), nil
	}
	base := d.units[0].name
	return 0, &ParamError{
		Message: fmt.Sprintf("%s is not a whole number of %s, the smallest step of %s", quote(text), base, d.noun),
		Hint:    fmt.Sprintf("the nearest values are %d%s and %d%s", below, base, below.Int64()+1, base),
	}
}

func (d dimension) unitNames() []string {
	var names []string
	for _, u := range d.units {
		names = append(names, u.name)
	}
	return names
}

var (
	bareB = regexp.MustCompile(`^([kKMGT]?i?)b(/s|/sec|ps)?$`)
	perS  = regexp.MustCompile(`^([kKMGT]?i?)(bits?|Bits?|B)(ps|/sec|/second)$`)
	flops = regexp.MustCompile(`(?i)^([kmgtp]?)flops?(/s)?$`)
)

// hintUnit returns a hint for an unknown unit, or "".
func (d dimension) hintUnit(number, name string) string {
	names := d.unitNames()
	has := func(u string) bool { return slices.Contains(names, u) }
	switch base := d.units[0].name; {
	case has(name+"/s") && strings.HasSuffix(name, "B"):
		return fmt.Sprintf("%s%s is an amount of data, not a rate: write %s%s/s, which is 8 times as many bits, or "+
			"%s%sbit/s",
			number, name, number, name, number, strings.TrimSuffix(name, "B"))
	case has(name + "/s"):
		return fmt.Sprintf("a rate is per second: write %s%s/s", number, name)
	case (base == "bit/s" || base == "B") && bareB.MatchString(name):
		p := strings.Replace(bareB.FindStringSubmatch(name)[1], "K", "k", 1)
		if base == "B" {
			return fmt.Sprintf("b could mean bit or byte: a size is in bytes, as in %s%sB", number, p)
		}
		return fmt.Sprintf("b could mean bit or byte: write %s%sbit/s or %s%sB/s", number, p, number, p)
	case base == "bit/s" && perS.MatchString(name):
		m := perS.FindStringSubmatch(name)
		word := "bit"
		if m[2] == "B" {
			word = "B"
		}
		return fmt.Sprintf("write %s%s%s/s", number, strings.Replace(m[1], "K", "k", 1), word)
	case base == "B" && strings.HasSuffix(name, "bit"):
		return "a size is in bytes, not bits: divide by 8, with the unit " + strings.TrimSuffix(name, "bit") + "B"
	case base == "B" && strings.HasSuffix(name, "/s"):
		return "want an amount of data, got a rate: leave out the /s"
	case base == "B" && name == "KB":
		return fmt.Sprintf("write %skB (1000 bytes each) or %sKiB (1024 bytes each)", number, number)
	case base == "FLOP/s" && flops.MatchString(name):
		p := strings.ToUpper(flops.FindStringSubmatch(name)[1])
		return fmt.Sprintf("write %s%sFLOP/s", number, strings.Replace(p, "K", "k", 1))
	}
	if n := Nearest(name, names); n != "" {
		return fmt.Sprintf("did you mean %s%s? (units are case-sensitive)", number, n)
	}
	return ""
}

// quote quotes text for a message, shortened to 60 characters.
func quote(text string) string {
	if r := []rune(text); len(r) > 60 {
		text = string(r[:57]) + "..."
	}
	return strconv.Quote(text)
}

// FormatFloat returns the shortest decimal form that reads back as f.
func FormatFloat(f float64) string { return declare.FormatFloat(f) }

// ParseSize reads an amount of bytes with its unit, as 32GiB.
func ParseSize(text string) (DataSize, error) {
	n, err := sizes.parse(text)
	if err != nil {
		return 0, err
	}
	return DataSize(n), nil
}

// Quantity converts a value of a scenario to a number: "10ms" as seconds, "1Gbit/s" as bits
// per second, "8kB" as bytes, "10GFLOP/s" as FLOP per second, "50W" as watts, "10nJ/B" as joules
// per byte, "0.5/h" and "0.09/GB" as prices by the hour and by the gigabyte, a plain number as itself.
func Quantity(text string) (float64, bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, !math.IsNaN(x)
	}
	for kind := range quantities {
		if x, _, ok := kind.Number(text); ok && kind != Distance { // 2m could be minutes
			return x, true
		}
	}
	return math.NaN(), false
}

// Scaled returns a quantity times a factor, in the same unit and rounded to three digits: "2ms" times 1.5 is "3ms".
func Scaled(quantity string, factor float64) string {
	m := numberAndUnit.FindStringSubmatch(quantity)
	x, _ := strconv.ParseFloat(m[1], 64)
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x*factor, 'g', 3, 64), 64)
	return FormatFloat(x) + m[2]
}

// Number returns a value of a kind of key that has a unit as Quantity does, and the suffix of columns in that unit:
// 0.01 and "_s" for 10ms. It is not ok for other kinds, and for unlimited.
func (k ParamKind) Number(text string) (x float64, suffix string, ok bool) {
	q, ok := quantities[k]
	if !ok {
		return 0, "", false
	}
	v, err := q.dimension.parse(text)
	return float64(v) / q.si, q.suffix, err == nil
}

// Text writes x, in the unit that Quantity returns, as a value of the kind. It returns false if the kind has no
// numbers, or none as large.
func (k ParamKind) Text(x float64) (string, bool) {
	switch k {
	case Float:
		return FormatFloat(x), true
	case Int:
		return FormatFloat(math.Round(x)), true
	}
	q := quantities[k]
	v := math.Round(x * q.si)
	if q.si == 0 || math.Abs(v) >= math.MaxInt64 {
		return "", false
	}
	return fmt.Sprint(q.typed(int64(v))), true
}
