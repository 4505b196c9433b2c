//go:build unix

package torture

import (
	"os/exec"
	"syscall"
)

// group makes cmd the head of a process group that is killed as a whole: scripts start
// other programs.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
