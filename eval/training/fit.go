package training

import (
	"math"

	"engram/detect/clash"
)

// example is a labelled pair: the features of each of its candidates.
type example struct {
	described  []clash.Description // of each candidate
	candidates [][]float64         // the features, each with a 1 at the end for the constant
	positive   bool
	ruled      bool
	weight     float64
	prior      []float64 // weights that choose among the candidates at first
}

// fitting is how weights are fitted.
type fitting struct {
	ridge  float64 // strength of the L2 penalty
	rounds int     // how often the deciding candidates are chosen anew
	steps  int     // of Newton's method a round
}

// fit returns the weights of a logistic regression over the deciding candidate of each
// example, which is the one that the weights so far think the likeliest. It is
// deterministic: the order of examples and of sums is fixed.
func fit(examples []example, f fitting) []float64 {
	if len(examples) == 0 {
		return nil
	}
	n := len(examples[0].candidates[0])
	w := make([]float64, n)
	for round := range f.rounds {
		chosen := make([][]float64, len(examples))
		for i, e := range examples {
			by := w
			if round == 0 {
				by = e.prior
			}
			chosen[i] = e.candidates[decide(e, by)]
		}
		for range f.steps {
			newton(w, chosen, examples, f.ridge)
		}
	}
	return w
}

// decide returns the candidate with the highest score.
func decide(e example, w []float64) (best int) {
	for i, c := range e.candidates {
		if dot(w, c) > dot(w, e.candidates[best]) {
			best = i
		}
	}
	return best
}

// newton improves w by one step of Newton's method. The constant, which is last, is not
// penalised.
func newton(w []float64, rows [][]float64, examples []example, ridge float64) {
	n := len(w)
	gradient, hessian := make([]float64, n), make([][]float64, n)
	for k := range hessian {
		hessian[k] = make([]float64, n)
		penalty := ridge
		if k == n-1 {
			penalty = 1e-6
		}
		hessian[k][k] = penalty
		gradient[k] = -penalty * w[k]
	}
	for i, x := range rows {
		p := 1 / (1 + math.Exp(-dot(w, x)))
		target := 0.0
		if examples[i].positive {
			target = 1
		}
		residual, curve := examples[i].weight*(target-p), examples[i].weight*p*(1-p)
		for k, v := range x {
			if v == 0 {
				continue
			}
			gradient[k] += residual * v
			for l := 0; l <= k; l++ {
				hessian[k][l] += curve * v * x[l]
			}
		}
	}
	for k, step := range solve(hessian, gradient) {
		w[k] += max(min(step, 2), -2)
	}
}

// solve solves a·x = b for a symmetric positive definite a, of which the lower triangle
// is given, by Cholesky's decomposition. It overwrites a.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := 0; j <= i; j++ {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(sum, 1e-9))
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		sum := b[i]
		for k := range i {
			sum -= a[i][k] * x[k]
		}
		x[i] = sum / a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < n; k++ {
			sum -= a[k][i] * x[k]
		}
		x[i] = sum / a[i][i]
	}
	return x
}

func dot(w, x []float64) (sum float64) {
	for k, v := range x {
		sum += w[k] * v
	}
	return sum
}
