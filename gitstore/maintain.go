package gitstore

import "os/exec"

// maintainEvery is about how many commits pass between two looks at whether
// the repository wants repacking.
const maintainEvery = 100

// maintain starts git's own maintenance now and then, as git commit does, in a
// process of its own that nobody waits for. Whether there is anything to do,
// and whether it may run at all (gc.auto, maintenance.*), git decides. The
// commit's name serves as the die, so that short-lived processes take part
// without keeping count.
func (s *Store) maintain(commit hash) {
	if (int(commit[0])<<8|int(commit[1]))%maintainEvery != 0 {
		return
	}
	cmd := exec.Command("git", "maintenance", "run", "--auto", "--quiet")
	cmd.Dir, cmd.Env = s.gitDir, environment()
	detach(cmd)
	if err := cmd.Start(); err != nil {
		s.log.Warn("git maintenance did not start", "error", err)
		return
	}
	go func() { _ = cmd.Wait() }() // only so that no zombie is left; git works on if we end
}
