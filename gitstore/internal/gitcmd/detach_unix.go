//go:build unix

package gitcmd

import (
	"os/exec"
	"syscall"
)

// Detach keeps a signal meant for engram, such as Ctrl-C, from reaching cmd, and
// takes the terminal from it.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// KillGroup ends a detached command and the processes it started.
func KillGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
