package execute

import (
	"fmt"
	"math"

	"tallynet/channel"
)

// overflow is a wire format that records the first finite number that it encoded as an infinite one, for the reason of
// a run that diverges.
type overflow struct {
	channel.Codec
	first float64 // 0: none
}

// Encode encodes by the wire format.
func (o *overflow) Encode(dst, src []float64) {
	o.Codec.Encode(dst, src)
	if o.first != 0 {
		return
	}
	for i, v := range dst {
		if math.IsInf(v, 0) && !math.IsInf(src[i], 0) {
			o.first = src[i]
			return
		}
	}
}

// reason names the number that did not fit. It returns "" if all did.
func (o *overflow) reason() string {
	if o == nil || o.first == 0 {
		return ""
	}
	return fmt.Sprintf("; %.4g was sent before, which does not fit wire format %s: its largest number is %s", o.first,
		o.Name(), map[string]string{"float16": "65504", "bfloat16": "3.39e38", "float32": "3.4e38"}[o.Name()])
}
