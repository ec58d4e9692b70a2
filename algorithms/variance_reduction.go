package algorithms

// moveTo sets e to (1 - weight) e + weight now: a moving average.
func moveTo(e []float64, weight float64, now []float64) {
	for i, v := range now {
		e[i] = (1-weight)*e[i] + weight*v
	}
}

// refine sets e to now + (1 - forget) (e - old), where now and old are one estimate at
// the new and the old point, on the same samples: with forget = 0 the recursion of
// SPIDER (Fang et al. 2018), with forget in (0, 1) that of STORM (Cutkosky, Orabona
// 2019). If the samples are all there are, e stays the full value.
func refine(e []float64, forget float64, now, old []float64) {
	for i, v := range now {
		e[i] = v + (1-forget)*(e[i]-old[i])
	}
}
