// Package stats estimates numbers and their uncertainty.
//
//	one sample       Mean: Student's interval, or a BCa bootstrap for skewed samples
//	paired samples   Difference, Ratio
//	x and y          LogLogSlope
//	censored costs   Reaching: Kaplan-Meier median
//	objectives       Pareto
//	a grid           Explain: how much of the variance each factor explains
//
// Functions take and return plain numbers. Every interval has confidence Level. If data
// are too few or not finite for an interval, the Estimate holds NaN and says why. Equal
// input gives equal output: resampling uses the seed that the caller passes.
package stats
