package sim

import "math/rand/v2"

// Stream returns the random stream of (seed, purpose, ids). Equal keys give equal streams; streams with
// different keys are independent for all practical purposes. The purpose says what the stream is for, as in
//
//	sim.Stream(seed, "jitter", from, to)
//	sim.Stream(seed, "sample", node)
//
// so that drawing more from one stream, or adding another, changes nothing elsewhere.
func Stream(seed uint64, purpose string, ids ...int) *rand.Rand {
	k := streamKey(seed, purpose, ids)
	return rand.New(rand.NewPCG(k, mix64(k^0x6a09e667f3bcc909)))
}

// streamKey hashes the key of a stream. For a fixed input every step is a bijection of the state, followed by a
// full avalanche, so that neighbouring ids do not give neighbouring keys.
func streamKey(seed uint64, purpose string, ids []int) uint64 {
	h := mix64(seed ^ 0x9e3779b97f4a7c15)
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 0x100000001b3
	}
	h = mix64(h ^ uint64(len(purpose))<<32 ^ uint64(len(ids)))
	for _, id := range ids {
		h = mix64(h ^ mix64(uint64(id)+0x9e3779b97f4a7c15))
	}
	return h
}

// mix64 is the finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection in
// which every input bit affects every output bit.
func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
