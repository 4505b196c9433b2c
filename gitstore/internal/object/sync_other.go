//go:build !unix

package object

// SyncFolder does nothing: a folder cannot be synced here, and the file
// systems of these systems keep names in order with the content by themselves.
func SyncFolder(string) error { return nil }
