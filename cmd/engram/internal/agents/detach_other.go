//go:build !unix

package agents

import "os/exec"

// detach does nothing: commands live on anyway.
func detach(*exec.Cmd) {}
