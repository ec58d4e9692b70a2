package metrics

// Unit says what a number is measured in.
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
