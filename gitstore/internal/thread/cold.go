package thread

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
)

// Artifacts is what the references begin with at which a remote keeps files of sessions
// that have gone from here. There are none of that name here.
const Artifacts = "refs/engram/artifacts/"

// SendArtifacts adds files of a session, given by its reference, to those that a remote
// keeps, and returns when the remote says that it has them. The error is one of
// PushThreads, or wraps ErrRejected if somebody else added some meanwhile.
func (k *Keeper) SendArtifacts(ctx context.Context, to, ref string, entries []Entry) error {
	return k.atRemote(ctx, to, ref, func(there, tip string) (string, error) {
		made, err := k.extended(ctx, tip, entries, commit.Meta{Message: "artifacts of " + strings.TrimPrefix(ref, Prefix) + "\n"})
		if err != nil || made == tip {
			return made, err
		}
		if err := k.remote.ReplaceRef(ctx, to, made, there, tip); err != nil {
			return made, err
		}
		now, err := k.remote.ListRefs(ctx, to, there)
		if err == nil && now[there] != made {
			err = fmt.Errorf("%w: %s of %s is at %q after a push of %s", gitcmd.ErrDamaged, there, to, now[there], made)
		}
		return made, err
	})
}

// BringArtifacts calls use with the commit that has the files which a remote keeps of a
// session; "" if it keeps none. They are gone from here when it returns, unless
// something else has them.
func (k *Keeper) BringArtifacts(ctx context.Context, from, ref string, use func(commit string) error) error {
	return k.atRemote(ctx, from, ref, func(_, tip string) (string, error) { return tip, use(tip) })
}

// atRemote brings what a remote keeps of a session, calls do with its reference there and
// its commit, and removes that again, and the commit that do returns.
func (k *Keeper) atRemote(ctx context.Context, remote, ref string, do func(there, tip string) (string, error)) error {
	if err := checkRef(ref); err != nil {
		return err
	}
	name := strings.TrimPrefix(ref, Prefix)
	there, here := Artifacts+name, remotes+remote+"/artifacts/"+name
	found, err := k.remote.ListRefs(ctx, remote, there)
	if err != nil {
		return err
	}
	tip := ""
	if found[there] != "" {
		if err := k.remote.FetchRefs(ctx, remote, []string{there}, func(string) string { return here }); err != nil {
			return err
		}
		fetched, err := k.list(ctx, here)
		if err != nil {
			return err
		}
		tip = fetched[here]
	}
	made, err := do(there, tip)
	if tip != "" {
		err = errors.Join(err, k.repo.Refs.Update(ctx, here, "", tip))
	}
	if made == "" {
		return err
	}
	candidates, listed := k.ThreadObjects(ctx, made)
	if listed != nil {
		return errors.Join(err, listed)
	}
	_, _, gone := k.Discard(ctx, candidates)
	return errors.Join(err, gone)
}
