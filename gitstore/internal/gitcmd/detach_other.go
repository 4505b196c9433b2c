//go:build !unix

package gitcmd

import "os/exec"

// Detach does nothing: signals are not sent to groups here.
func Detach(*exec.Cmd) {}

// KillGroup ends a command.
func KillGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
