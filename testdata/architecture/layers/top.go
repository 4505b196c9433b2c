// Package layers has files in layers.
package layers

// Even reports whether n is even.
func Even(n int) bool { return half(n)*2 == n }
