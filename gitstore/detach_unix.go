//go:build unix

package gitstore

import (
	"os/exec"
	"syscall"
)

// detach keeps a signal meant for engram, such as Ctrl-C, from reaching cmd.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
