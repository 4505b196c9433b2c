//go:build unix

package object

// SyncFolder makes the names in a folder durable.
func SyncFolder(path string) error { return syncFile(path) }
