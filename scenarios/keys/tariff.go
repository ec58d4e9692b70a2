package keys

import (
	"math/big"
	"strconv"
	"strings"
)

// Power is a power in microwatts.
type Power int64

// EnergyPerByte is an energy for each byte, in femtojoules.
type EnergyPerByte int64

// PricePerHour is a price of an hour, in 1e-9 of some currency.
type PricePerHour int64

// PricePerGigabyte is a price of 1e9 bytes, in 1e-9 of some currency.
type PricePerGigabyte int64

// String returns p exactly: "50W".
func (p Power) String() string { return steps(int64(p), "uW", "mW", "W") }

// String returns e exactly: "10nJ/B".
func (e EnergyPerByte) String() string {
	return steps(int64(e), "fJ/B", "pJ/B", "nJ/B", "uJ/B", "mJ/B", "J/B")
}

// String returns p exactly: "0.5/h".
func (p PricePerHour) String() string { return billionths(int64(p)) + "/h" }

// String returns p exactly: "0.09/GB".
func (p PricePerGigabyte) String() string { return billionths(int64(p)) + "/GB" }

// steps writes v with the largest of some units, each 1000 of the one before, that leaves a number
// of at least one.
func steps(v int64, units ...string) string {
	if v == 0 {
		return "0" + units[len(units)-1]
	}
	k, scale := 0, int64(1)
	for k < len(units)-1 && v >= 1000*scale {
		k, scale = k+1, 1000*scale
	}
	return decimal(v, 3*k) + units[k]
}

func billionths(v int64) string { return decimal(v, 9) }

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

func powers() dimension {
	return dimension{"a power", "50W", thousands("uW", "mW", "W", "kW", "MW")}
}

func byteEnergies() dimension {
	units := thousands("fJ/B", "pJ/B", "nJ/B", "uJ/B", "mJ/B", "J/B")
	for _, u := range units {
		units = append(units, unit{strings.TrimSuffix(u.name, "B") + "bit", new(big.Rat).Mul(u.scale, big.NewRat(8, 1))})
	}
	return dimension{"an energy for each byte", "10nJ/B", append(units, unit{"J/MB", big.NewRat(1e9, 1)},
		unit{"J/GB", big.NewRat(1e6, 1)}, unit{"Wh/GB", big.NewRat(3600e6, 1)}, unit{"kWh/GB", big.NewRat(3600e9, 1)})}
}

func hourPrices() dimension {
	return dimension{"a price of time", "0.5/h", []unit{{"e-9/h", big.NewRat(1, 1)}, {"/h", big.NewRat(1e9, 1)},
		{"/min", big.NewRat(60e9, 1)}, {"/s", big.NewRat(3600e9, 1)}, {"/day", big.NewRat(1e9, 24)}}}
}

func bytePrices() dimension {
	return dimension{"a price of data", "0.09/GB", []unit{{"e-9/GB", big.NewRat(1, 1)}, {"/GB", big.NewRat(1e9, 1)},
		{"/TB", big.NewRat(1e6, 1)}, {"/MB", big.NewRat(1e12, 1)}, {"/kB", big.NewRat(1e15, 1)}}}
}

// thousands are units, each 1000 times the one before.
func thousands(names ...string) []unit {
	var units []unit
	scale := int64(1)
	for _, name := range names {
		units = append(units, unit{name, big.NewRat(scale, 1)})
		scale *= 1000
	}
	return units
}
