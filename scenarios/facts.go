package scenarios

// quickSpectrum is up to how many nodes the spectrum of a mixing matrix takes next to no
// time.
const quickSpectrum = 2000

// SpectralGap returns the spectral gap of the first instance's mixing matrix. It reports
// false where the gap cannot be had, or would take longer than a description is worth.
func (st *Study) SpectralGap() (gap float64, known bool) {
	mixing := st.First().Mixing
	if mixing.Nodes() > quickSpectrum {
		return 0, false
	}
	spectrum, err := mixing.Spectrum()
	return spectrum.Gap, err == nil
}
