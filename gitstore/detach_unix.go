//go:build unix

package gitstore

import (
	"os/exec"
	"syscall"
)

// detach keeps a signal meant for engram, such as Ctrl-C, from reaching cmd, and
// takes the terminal from it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup ends a detached command and the processes it started.
func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
