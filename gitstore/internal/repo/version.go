package repo

import (
	"context"
	"fmt"
	"os"

	"engram/gitstore/internal/gitcmd"
)

// MinimumGit is the oldest git that is known to keep engram's promises: it
// syncs references to disk when asked to.
const MinimumGit = "2.36"

// CheckGit reports whether the git on PATH is new enough. The error wraps
// ErrUnsupported.
func (r *Repo) CheckGit(ctx context.Context) error {
	out, err := gitcmd.Run(ctx, r.CommonDir, "version")
	if err != nil {
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(out, "git version %d.%d", &major, &minor); err != nil {
		return fmt.Errorf("%w: cannot read git's version from %q", gitcmd.ErrUnsupported, out)
	}
	if major < 2 || major == 2 && minor < 36 {
		return fmt.Errorf("%w: git %d.%d is older than %s, so facts may not survive a power cut", gitcmd.ErrUnsupported, major, minor, MinimumGit)
	}
	return nil
}

// CheckWritable reports whether objects can be written, by writing a file that
// is gone again at once.
func (r *Repo) CheckWritable() error {
	f, err := os.CreateTemp(r.Objects.Path, "tmp_obj_")
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}
