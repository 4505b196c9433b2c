package thread

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/remote"
)

// pushes is how often sessions are pushed again after others pushed in between.
const pushes = 5

// tracking is where a session of a remote is kept here.
func tracking(remote, ref string) string {
	return remotes + remote + "/sessions/" + strings.TrimPrefix(ref, Prefix)
}

// ListRemoteThreads asks a remote for its sessions, as Threads lists those here. The
// error wraps ErrNoRemote, ErrUnreachable or ErrDenied.
func (k *Keeper) ListRemoteThreads(ctx context.Context, remote string) (map[string]string, error) {
	return k.remote.ListRefs(ctx, remote, Prefix+"*")
}

// FetchThreads brings the sessions of a remote whose references match one of the patterns
// (full names, or with one star for anything) into those here, and returns the references
// that moved. What a session has here already stays. The error wraps ErrNoRemote,
// ErrUnreachable, ErrDenied, ErrLocked or ErrMoved, or ErrRemoved for a session of which one
// side was redacted: that one stays as it is here.
func (k *Keeper) FetchThreads(ctx context.Context, remote string, patterns []string) (moved []string, err error) {
	theirs, err := k.ListRemoteThreads(ctx, remote)
	if err != nil {
		return nil, err
	}
	ours, err := k.Threads(ctx)
	if err != nil {
		return nil, err
	}
	var wanted []string
	for _, ref := range names(theirs) {
		if ours[ref] == theirs[ref] || checkRef(ref) != nil {
			continue
		}
		if slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, ref) }) {
			wanted = append(wanted, ref)
		}
	}
	return k.fetch(ctx, remote, wanted, ours)
}

// matches reports whether a pattern with at most one star is ref.
func matches(pattern, ref string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == ref
	}
	return len(ref) >= len(before)+len(after) && strings.HasPrefix(ref, before) && strings.HasSuffix(ref, after)
}

// fetch brings these sessions of a remote here and joins them to ours.
func (k *Keeper) fetch(ctx context.Context, remote string, refs []string, ours map[string]string) (moved []string, err error) {
	if len(refs) == 0 {
		return nil, nil
	}
	if err := k.remote.FetchRefs(ctx, remote, refs, func(ref string) string { return tracking(remote, ref) }); err != nil {
		return nil, err
	}
	fetched, err := k.list(ctx, remotes+remote+"/sessions/")
	if err != nil {
		return nil, err
	}
	var tips, known, begun []string
	var refused error
	for _, ref := range refs {
		if tip := fetched[tracking(remote, ref)]; tip != "" {
			tips = append(tips, tip)
			if ours[ref] == "" {
				begun = append(begun, ref)
			}
		}
		known = append(known, ours[ref])
	}
	if err := k.repo.Objects.SyncHistory(ctx, tips, known); err != nil {
		return nil, err
	}
	if k.begin(ctx, remote, begun, fetched) == nil {
		moved = begun
	}
	for _, ref := range refs {
		tip := fetched[tracking(remote, ref)]
		if tip == "" || slices.Contains(moved, ref) {
			continue
		}
		at, err := k.JoinThreads(ctx, ref, tip)
		if errors.Is(err, ErrRemoved) {
			refused = errors.Join(refused, fmt.Errorf("join %s of %s: %w", ref, remote, err), k.drop(ctx, tracking(remote, ref), tip))
			continue
		}
		if err != nil {
			return moved, fmt.Errorf("join %s of %s: %w", ref, remote, err)
		}
		if at != ours[ref] {
			moved = append(moved, ref)
		}
	}
	slices.Sort(moved)
	return moved, refused
}

// drop deletes what was fetched of a session, and may have what was taken out of it.
func (k *Keeper) drop(ctx context.Context, tracking, tip string) error {
	candidates, err := k.ThreadObjects(ctx, tip)
	if err != nil {
		return err
	}
	if err := k.repo.Refs.Update(ctx, tracking, "", tip); err != nil {
		return err
	}
	_, _, err = k.Discard(ctx, candidates)
	return err
}

// begin makes the references of new sessions, all or none, in one git. A power cut may
// take them away again: the remote has them.
func (k *Keeper) begin(ctx context.Context, remote string, refs []string, fetched map[string]string) error {
	var input strings.Builder
	for _, ref := range refs {
		fmt.Fprintf(&input, "create %s %s\n", ref, fetched[tracking(remote, ref)])
	}
	_, err := gitcmd.RunInput(ctx, k.repo.CommonDir, []byte(input.String()), "-c", "core.fsync=reference", "-c", "core.fsyncMethod=fsync",
		"update-ref", "-m", "engram", "--stdin")
	return err
}

// ReplaceRemoteThread puts the session here in the place of a remote's, which is at old and
// need not be contained in it. The error is one of PushThreads.
func (k *Keeper) ReplaceRemoteThread(ctx context.Context, to, ref, old string) error {
	if err := checkRef(ref); err != nil {
		return err
	}
	return k.remote.ReplaceRef(ctx, to, ref, ref, old)
}

// PushThreads sends sessions to a remote, never forced. Where the remote has something
// else, that is fetched and joined first. A remote without any branch is refused. The
// error wraps ErrNoRemote, ErrEmptyRemote, ErrRejected, ErrRefused, ErrUnreachable or
// ErrDenied.
//
// The user's pre-push hook does not run, as with the memory branch.
func (k *Keeper) PushThreads(ctx context.Context, to string, refs []string) error {
	for _, ref := range refs {
		if err := checkRef(ref); err != nil {
			return err
		}
	}
	for attempt := range pushes {
		rejected, err := k.remote.PushRefs(ctx, to, refs)
		if err != nil || len(rejected) == 0 {
			return err
		}
		if attempt > 0 {
			if err := gitcmd.BackOff(ctx, attempt); err != nil {
				return err
			}
		}
		ours, err := k.Threads(ctx)
		if err != nil {
			return err
		}
		if _, err := k.fetch(ctx, to, rejected, ours); err != nil {
			return err
		}
		refs = rejected
	}
	return fmt.Errorf("%w: others pushed %s meanwhile; try again", remote.ErrRejected, strings.Join(refs, ", "))
}
