// Package stats says how sure a number is.
//
//	one sample     Mean: Student, or a BCa bootstrap where skewed
//	two, paired    Difference, Ratio
//	x and y        LogLogSlope
//	censored       Reaching: counts, Kaplan-Meier median
//	many goals     Pareto
//	a grid         Explain: how much of the variance each factor explains
//
// Functions take numbers and return numbers; they know no runs and no files. Every
// interval has the confidence Level. Where there is no interval, for want of data or
// because a number is not finite, an Estimate says so in words and holds NaN: never a
// number that means nothing. Equal input gives equal output; resampling draws from a
// stream that the caller keys.
package stats
