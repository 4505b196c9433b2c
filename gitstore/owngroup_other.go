//go:build !unix

package gitstore

import "os/exec"

// ownGroup does nothing: here cancelling kills git alone, and an ssh ends when
// its pipes close.
func ownGroup(*exec.Cmd) {}
