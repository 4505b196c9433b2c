//go:build !unix

package gitcmd

import "os/exec"

func Detach(*exec.Cmd) {}

func KillGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
