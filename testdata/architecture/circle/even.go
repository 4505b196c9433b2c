// Package circle has two files that use each other.
package circle

// Even reports whether n is even.
func Even(n number) bool { return n == 0 || !n.odd() }
