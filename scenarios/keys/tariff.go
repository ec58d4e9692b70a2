package keys

import (
	"math/big"
	"slices"
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
func (p Power) String() string {
	if p == 0 {
		return "0W"
	}
	return largest(int64(p), []string{"uW", "mW", "W"})
}

// String returns e exactly: "10nJ/B".
func (e EnergyPerByte) String() string {
	if e == 0 {
		return "0J/B"
	}
	return largest(int64(e), []string{"fJ/B", "pJ/B", "nJ/B", "uJ/B", "mJ/B", "J/B"})
}

// String returns p exactly: "0.5/h".
func (p PricePerHour) String() string { return decimal(int64(p), 9) + "/h" }

// String returns p exactly: "0.09/GB".
func (p PricePerGigabyte) String() string { return decimal(int64(p), 9) + "/GB" }

var (
	powers       = dimension{"a power", "50W", thousands(1, "uW", "mW", "W", "kW", "MW")}
	byteEnergies = dimension{"an energy for each byte", "10nJ/B", slices.Concat(
		thousands(1, "fJ/B", "pJ/B", "nJ/B", "uJ/B", "mJ/B", "J/B"),
		thousands(8, "fJ/bit", "pJ/bit", "nJ/bit", "uJ/bit", "mJ/bit", "J/bit"),
		[]unit{{"J/MB", big.NewRat(1e9, 1)}, {"J/GB", big.NewRat(1e6, 1)}, {"Wh/GB", big.NewRat(3600e6, 1)},
			{"kWh/GB", big.NewRat(3600e9, 1)}})}
	hourPrices = dimension{"a price of time", "0.5/h", []unit{{"e-9/h", big.NewRat(1, 1)}, {"/h", big.NewRat(1e9, 1)},
		{"/min", big.NewRat(60e9, 1)}, {"/s", big.NewRat(3600e9, 1)}, {"/day", big.NewRat(1e9, 24)}}}
	bytePrices = dimension{"a price of data", "0.09/GB", []unit{{"e-9/GB", big.NewRat(1, 1)}, {"/GB", big.NewRat(1e9, 1)},
		{"/TB", big.NewRat(1e6, 1)}, {"/MB", big.NewRat(1e12, 1)}, {"/kB", big.NewRat(1e15, 1)}}}
)
