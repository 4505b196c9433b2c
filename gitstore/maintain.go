package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// When maintain calls git: loose objects are counted in one of their 256
// folders, as git itself does, and packs in theirs. Both are below where git
// acts by default (27 and 50), so that git decides.
const (
	maintainEvery = 32 // commits, about, between two looks
	manyLoose     = 20
	manyPacks     = 40
)

// maintain starts git's own maintenance when the repository seems to want it,
// as git commit does, in a separate process that runs in the background. git
// decides whether there is anything to do, and whether maintenance may run at all
// (gc.auto, maintenance.*). The name of the commit serves as a random number, so that
// short-lived processes take part without a counter.
func (s *Store) maintain(ctx context.Context, commit string) {
	if h, err := object.ParseHash(commit); err != nil || h[0]%maintainEvery != 0 {
		return
	}
	loose, _ := os.ReadDir(filepath.Join(s.repo.Objects.Path, "17"))
	packs, _ := filepath.Glob(filepath.Join(s.repo.Objects.Path, "pack", "*.idx"))
	if len(loose) < manyLoose && len(packs) < manyPacks {
		return
	}
	// Only the commands of git that call maintenance look at this setting.
	auto, err := gitcmd.Run(ctx, s.repo.CommonDir, "config", "--type=bool", "--default=true", "maintenance.auto")
	if err != nil || strings.TrimSpace(auto) == "false" {
		return
	}
	// Not bound to ctx: it goes on when the call, or engram, has ended.
	cmd := gitcmd.Command(context.WithoutCancel(ctx), s.repo.CommonDir, "maintenance", "run", "--auto", "--quiet")
	gitcmd.Detach(cmd)
	if err := cmd.Start(); err != nil {
		s.repo.Log.Warn("git maintenance did not start", "error", err)
		return
	}
	go func() { _ = cmd.Wait() }() // only so that no zombie is left
}
