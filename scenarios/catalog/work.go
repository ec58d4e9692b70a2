package catalog

import "tallynet/metrics"

// Work is what oracle calls of a problem amount to, known from its parameters alone: enough
// for an estimate of how long they take. What a run charges are the problem's own Flops.
type Work struct {
	Samples float64 // of a node behind one call; 0: f and g have none
	Test    float64 // samples of the test
	Forward float64 // multiplications that the model takes for one sample
	// Dense says that f and g are quadratic forms with dense matrices.
	Dense bool
	// Diagonal says that the derivative of g by x and y is a diagonal, or as cheap as one.
	Diagonal bool
	// Weights says that x weighs the samples: one row of that derivative for each.
	Weights bool
	// Inputs are those of a network, and Hidden its hidden units; 0: there is none.
	Inputs, Hidden int
	// Rows says that the derivative of g by x and y is formed by rows, a product for each element of x.
	Rows bool
}

// Flops returns about what one call costs that touches a number of samples, in FLOP.
func (s Size) Flops(c metrics.Call, samples float64) float64 {
	p, q, w := float64(s.P), float64(s.Q), s.Work
	if c == metrics.CallSolve {
		return q*q*q/3 + 2*q*q
	}
	small := 2*(p+q) + 20*samples*max(1, w.Forward/max(p, q, 1)) // what is not a product
	per := func(products float64) float64 { return products*samples*w.Forward + small }
	if w.Dense {
		return [metrics.NumCalls]float64{
			metrics.CallValue: 2*p*p + 2*p*q + 2*q*q + small, metrics.CallGradF: 2*p*q + 2*max(p, q)*max(p, q) + small,
			metrics.CallGradG: 2*q*q + 2*p*q + small, metrics.CallHVP: 2 * q * q, metrics.CallJVP: 2 * p * q,
			metrics.CallHessian: q * q, metrics.CallJacobian: p * q,
		}[c]
	}
	costs := [metrics.NumCalls]float64{
		metrics.CallValue: per(2), metrics.CallGradF: per(4), metrics.CallGradG: per(4), metrics.CallHVP: per(6),
		metrics.CallJVP: per(6), metrics.CallHessian: samples*q*q + small, metrics.CallJacobian: q * per(6),
	}
	if w.Diagonal {
		costs[metrics.CallJVP], costs[metrics.CallJacobian] = 10*p+3*q, 10*p+q
	}
	if w.Rows {
		costs[metrics.CallJacobian] = p * per(8)
	}
	if w.Weights {
		costs[metrics.CallJacobian] = per(3)
	}
	if s.Products && (w.Diagonal || p < q) { // a formed Hessian is one product after the other
		costs[metrics.CallHessian] = q * per(6)
	}
	return costs[c]
}
