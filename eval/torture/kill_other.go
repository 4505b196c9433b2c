//go:build !unix

package torture

import "os/exec"

// group does nothing where there are no process groups: the process alone is killed.
func group(*exec.Cmd) {}
