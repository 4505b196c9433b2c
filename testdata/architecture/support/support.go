// Package support exists for tests.
package support

// Helper is exempt, as the whole package is.
func Helper() {}
