//go:build !amd64

package node

import "gonum.org/v1/gonum/floats"

// sum3 sets dst to u a + v b + w c, all of one length; a may be dst.
func sum3(dst []float64, u float64, a []float64, v float64, b []float64, w float64, c []float64) {
	if u != 1 || len(dst) > 0 && &dst[0] != &a[0] {
		floats.ScaleTo(dst, u, a)
	}
	floats.AddScaled(dst, v, b)
	floats.AddScaled(dst, w, c)
}
