//go:build !unix

package gitstore

import "os/exec"

func detach(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
