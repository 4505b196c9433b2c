//go:build unix

package gitstore

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error { return syncFile(path) }
