package lsa

import "math"

// eigen returns the eigenvalues of a symmetric matrix, in no order, and its
// eigenvectors as columns. It destroys a. The method is Jacobi's: plane
// rotations until nothing is left beside the diagonal (Golub and Van Loan,
// Matrix Computations, 4th edition, §8.5).
func eigen(a [][]float64) (values []float64, columns [][]float64) {
	n := len(a)
	columns = vectors(n, n)
	for i := range n {
		columns[i][i] = 1
	}
	const sweeps = 40 // about ten are needed
	for range sweeps {
		off, diagonal := 0.0, 0.0
		for i := range n {
			diagonal += a[i][i] * a[i][i]
			for j := range i {
				off += a[i][j] * a[i][j]
			}
		}
		if off <= 1e-22*diagonal {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				rotate(a, columns, p, q)
			}
		}
	}
	values = make([]float64, n)
	for i := range n {
		values[i] = a[i][i]
	}
	return values, columns
}

// rotate makes a[p][q] zero.
func rotate(a, columns [][]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	tau := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
	if tau < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(1+t*t)
	s := t * c
	for i := range a { // columns p and q
		x, y := a[i][p], a[i][q]
		a[i][p], a[i][q] = c*x-s*y, s*x+c*y
		x, y = columns[i][p], columns[i][q]
		columns[i][p], columns[i][q] = c*x-s*y, s*x+c*y
	}
	rowP, rowQ := a[p], a[q]
	for i := range rowP {
		x, y := rowP[i], rowQ[i]
		rowP[i], rowQ[i] = c*x-s*y, s*x+c*y
	}
}
