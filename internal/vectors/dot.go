package vectors

// dot is the inner product of two vectors of equal length. Several sums let the processor
// compute several products at a time; arrays of fixed size avoid bounds checks.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += x[0]*y[0] + x[4]*y[4]
		s1 += x[1]*y[1] + x[5]*y[5]
		s2 += x[2]*y[2] + x[6]*y[6]
		s3 += x[3]*y[3] + x[7]*y[7]
		a, b = a[8:], b[8:]
	}
	for i, value := range a {
		s0 += value * b[i]
	}
	return s0 + s1 + s2 + s3
}

// isUnit reports whether a squared length is 1, within the precision of models and of
// conversions of their weights.
func isUnit(square float32) bool {
	return square > 0.99 && square < 1.01
}
