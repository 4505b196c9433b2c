package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// RefUpdater moves references through one `git update-ref --stdin`. A refused
// update ends that git; the next one starts another.
type RefUpdater struct {
	commonDir string
	zero      string // stands for a reference that is not there
	turn      gitcmd.Turn
	proc      *gitcmd.Process
	closed    bool
}

// Update moves ref from old to new, durably, or does nothing; "" is a reference that does
// not exist. It is not called
// off half way: a git that is killed there would leave its lock behind. The
// error wraps ErrMoved or ErrLocked.
func (u *RefUpdater) Update(ctx context.Context, ref, new, old string) error {
	if err := u.turn.Take(ctx); err != nil {
		return err
	}
	defer u.turn.Give()
	if u.closed {
		return gitcmd.ErrClosed
	}
	new, old = cmp.Or(new, u.zero), cmp.Or(old, u.zero)
	err := u.attempt(ref, new, old)
	if errors.Is(err, errNoAnswer) {
		// That git was killed, before or after it moved the reference.
		err = u.attempt(ref, new, old)
		if errors.Is(err, ErrMoved) && u.standsAt(ref, new) {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	return u.syncName(ref, old)
}

// errNoAnswer: git ended without an answer.
var errNoAnswer = errors.New("git ended without an answer")

func (u *RefUpdater) attempt(ref, new, old string) error {
	if err := u.start(); err != nil {
		return err
	}
	err := u.transaction(ref, new, old)
	if err == nil {
		return nil
	}
	p := u.proc
	u.proc = nil
	return refusal(ref, p.Failed(context.Background(), err), p.Stderr.String())
}

// start starts the git, if none runs.
func (u *RefUpdater) start() error {
	if u.proc != nil {
		return nil
	}
	// git does not sync references by default; an acknowledged fact needs it.
	cmd := gitcmd.Command(context.Background(), u.commonDir, "-c", "core.fsync=reference", "-c", "core.fsyncMethod=fsync",
		"-c", "core.filesRefLockTimeout=500", "update-ref", "-m", "engram", "--stdin")
	gitcmd.Detach(cmd) // a Ctrl-C must not end it between lock and rename
	p, err := gitcmd.StartProcess(cmd, "update-ref")
	if err == nil {
		u.proc = p
	}
	return err
}

// Warm starts the git before it is wanted.
func (u *RefUpdater) Warm(ctx context.Context) {
	if u.turn.Take(ctx) != nil {
		return
	}
	defer u.turn.Give()
	if !u.closed {
		_ = u.start() // the next caller gets the error
	}
}

func (u *RefUpdater) transaction(ref, new, old string) error {
	if _, err := fmt.Fprintf(u.proc.In, "start\nupdate %s %s %s\ncommit\n", ref, new, old); err != nil {
		return err
	}
	for _, want := range []string{"start: ok\n", "commit: ok\n"} {
		got, err := u.proc.Out.ReadString('\n')
		if err == nil && got != want {
			err = fmt.Errorf("git update-ref answered %q", got)
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refusal classifies why git did not move a reference.
func refusal(ref string, err error, said string) error {
	switch {
	case said == "":
		return fmt.Errorf("move %s: %w: %w", ref, errNoAnswer, err)
	case strings.Contains(said, "reference broken"):
		return fmt.Errorf("%w: %s", gitcmd.ErrDamaged, gitcmd.Reason(said))
	case strings.Contains(said, "but expected"), strings.Contains(said, "reference already exists"),
		strings.Contains(said, "unable to resolve reference"):
		return fmt.Errorf("%w: %s", ErrMoved, gitcmd.Reason(said))
	case strings.Contains(said, ".lock': File exists"):
		return fmt.Errorf("%w: %s", gitcmd.ErrLocked, lockAdvice(said))
	}
	return fmt.Errorf("move %s: %w", ref, err)
}

// lockAdvice names the lock of git that is in the way. engram cannot know whether
// its owner is alive, so it never removes the lock: a person decides.
func lockAdvice(said string) string {
	_, rest, _ := strings.Cut(said, "Unable to create '")
	path, _, _ := strings.Cut(rest, "'")
	age := "a while"
	if info, err := os.Stat(path); err == nil {
		age = time.Since(info.ModTime()).Round(time.Second).String()
	}
	return fmt.Sprintf("git's lock %s is %s old; if no git is running in this repository, a crash left the lock, which may be deleted", path, age)
}

// standsAt reports whether ref is at revision.
func (u *RefUpdater) standsAt(ref, revision string) bool {
	out, err := gitcmd.Run(context.Background(), u.commonDir, "rev-parse", "--verify", "--quiet", ref)
	return err == nil && strings.TrimSpace(out) == revision
}

// syncName makes the renamed reference file durable: git syncs what is in it,
// but not the folder that it is in, so a power cut could bring back old.
func (u *RefUpdater) syncName(ref, old string) error {
	folder := filepath.Dir(filepath.Join(u.commonDir, filepath.FromSlash(ref)))
	for {
		if err := object.SyncFolder(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sync %s, which was moved: %w", ref, err)
		}
		// A new branch may have new folders on its way.
		if old != u.zero || filepath.Base(folder) == "refs" {
			return nil
		}
		folder = filepath.Dir(folder)
	}
}

func (u *RefUpdater) close() error {
	u.turn <- struct{}{}
	defer u.turn.Give()
	u.closed = true
	if u.proc == nil {
		return nil
	}
	p := u.proc
	u.proc = nil
	return p.Stop()
}
