//go:build !unix

package gitcmd

import "os/exec"

// OwnGroup does nothing: here cancelling kills git alone, and an ssh ends when
// its pipes close.
func OwnGroup(*exec.Cmd) {}
