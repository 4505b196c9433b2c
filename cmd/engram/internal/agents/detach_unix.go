//go:build unix

package agents

import (
	"os/exec"
	"syscall"
)

// detach lets a command live on when the process that started it is interrupted.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
