package lsa

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// The randomised SVD's constants (Halko, Martinsson and Tropp, Finding
// Structure with Randomness, 2011, algorithms 4.4 and 5.1).
const (
	oversample = 16
	iterations = 3
)

// svd is a truncated singular value decomposition: left[k] is the left singular
// vector of values[k], the largest first.
type svd struct {
	values []float64
	left   [][]float64
}

// decompose finds the k largest singular values of m by randomised subspace
// iteration, the same ones in every run. Steps go from 0 to steps(k).
func decompose(ctx context.Context, m *sparse, k int, step func()) (svd, error) {
	k = min(k, m.size)
	random := rand.New(rand.NewPCG(1, 2))
	basis := vectors(min(k+oversample, m.size), m.size)
	for _, v := range basis {
		for i := range v {
			v[i] = random.NormFloat64()
		}
	}
	image := vectors(len(basis), m.size)
	each(len(basis), func(i int) { m.times(basis[i], image[i]) })
	orthonormalise(image)
	step()
	for range iterations {
		each(len(basis), func(i int) { m.transposedTimes(image[i], basis[i]) })
		orthonormalise(basis)
		each(len(basis), func(i int) { m.times(basis[i], image[i]) })
		orthonormalise(image)
		step()
		if err := ctx.Err(); err != nil {
			return svd{}, context.Cause(ctx)
		}
	}
	// Of the small matrix imageᵀ·m the left singular vectors are those of m, in
	// coordinates of image.
	each(len(basis), func(i int) { m.transposedTimes(image[i], basis[i]) })
	gram := vectors(len(basis), len(basis))
	each(len(basis), func(i int) {
		for j := range basis {
			gram[i][j] = dot(basis[i], basis[j])
		}
	})
	squares, coordinates := eigen(gram)
	step()
	return assemble(image, squares, coordinates, k), nil
}

// steps is how often decompose calls step.
const steps = iterations + 2

// assemble makes the singular vectors out of their coordinates in a basis.
func assemble(basis [][]float64, squares []float64, coordinates [][]float64, k int) svd {
	order := make([]int, len(squares))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(squares[b], squares[a]) })
	s := svd{values: make([]float64, k), left: vectors(k, len(basis[0]))}
	each(k, func(at int) {
		column := order[at]
		s.values[at] = math.Sqrt(max(0, squares[column]))
		for i, v := range basis {
			addScaled(s.left[at], v, coordinates[i][column])
		}
	})
	return s
}

// orthonormalise makes vectors orthogonal and of length 1: modified
// Gram-Schmidt, done twice, because once is not exact enough where vectors are
// nearly parallel. A vector that depends on others becomes zero.
func orthonormalise(list [][]float64) {
	for i, v := range list {
		before := math.Sqrt(dot(v, v))
		for range 2 {
			for _, u := range list[:i] {
				addScaled(v, u, -dot(u, v))
			}
		}
		length := math.Sqrt(dot(v, v))
		if length <= 1e-12*before {
			clear(v)
			continue
		}
		for j := range v {
			v[j] /= length
		}
	}
}

func vectors(n, length int) [][]float64 {
	list := make([][]float64, n)
	for i := range list {
		list[i] = make([]float64, length)
	}
	return list
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func addScaled(to, v []float64, by float64) {
	for i, x := range v {
		to[i] += by * x
	}
}

// each calls do for 0 to n-1 on all processors and waits.
func each(n int, do func(int)) {
	var wait sync.WaitGroup
	workers := min(n, runtime.GOMAXPROCS(0))
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wait.Wait()
}
