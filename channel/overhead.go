package channel

import (
	"math"
	"math/bits"
)

// Overhead describes the headers of messages: PerMessage bytes, and PerPacket bytes for each packet of at most
// MTU bytes of payload and message header. The zero value adds nothing. MTU 0 makes every message one packet.
type Overhead struct {
	PerMessage int64
	PerPacket  int64
	MTU        int64
}

// Of returns the header bytes of a message with the given payload, and whether payload and headers fit 64 bits.
// An empty message is one packet.
func (o Overhead) Of(payload int64) (bytes int64, ok bool) {
	body := uint64(payload) + uint64(o.PerMessage) // both are below 2^63
	packets := uint64(1)
	if o.MTU > 0 {
		packets = max(1, body/uint64(o.MTU)+min(1, body%uint64(o.MTU)))
	}
	high, headers := bits.Mul64(packets, uint64(o.PerPacket))
	whole, carry := bits.Add64(body, headers, 0)
	if high > 0 || carry > 0 || whole > math.MaxInt64 {
		return 0, false
	}
	return int64(whole) - payload, true
}
