//go:build unix

package gitcmd

import (
	"os/exec"
	"syscall"
	"time"
)

// OwnGroup puts cmd and what it starts into a session of their own: none of them
// has a terminal to ask at, and cancelling reaches all of them. They are asked
// to end first, so that git removes its locks and half-written packs, and
// killed when they have not after half of what the pipes may linger.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error {
		group := -cmd.Process.Pid
		err := syscall.Kill(group, syscall.SIGTERM)
		time.AfterFunc(lingering/2, func() { _ = syscall.Kill(group, syscall.SIGKILL) })
		return err
	}
}
