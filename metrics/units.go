package metrics

// Unit is the unit of a number.
type Unit string

// The units of metrics and costs.
const (
	Number  Unit = "number"
	Count   Unit = "count"
	Bytes   Unit = "bytes"
	Seconds Unit = "seconds"
	Joules  Unit = "joules"
	Money   Unit = "money"
)
