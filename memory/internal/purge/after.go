package purge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/gitstore"
	"engram/internal/filelock"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// steps are what is to be done by people, in plain words: a hint that could be
// pasted would be pasted.
func (r PurgeResult) steps() []string {
	steps := []string{"Replace the secret itself first of all, if there was one: whoever could read the branch may have it, and no purge takes that back."}
	var remotes, others []string
	for _, ref := range r.Refs {
		if name, ok := strings.CutPrefix(ref, "refs/remotes/"); ok {
			remotes = append(remotes, name)
		} else if ref != r.Rescue {
			others = append(others, ref)
		}
	}
	if len(remotes) > 0 {
		steps = append(steps, fmt.Sprintf("%s still has the old history, as far as this clone has fetched. Nothing was pushed, and an ordinary push is refused now. Whoever may do so replaces the branch there, with a lease on what it is expected to be (%s).", strings.Join(remotes, ", "), core.ShortCommit(r.Old)))
	} else {
		steps = append(steps, "No remote is known to have the old history. If one does, whoever may do so replaces the branch there, with a lease on what it is expected to be.")
	}
	steps = append(steps,
		"Every other clone saves what it has not shared, with `engram export`, and then lets its local branch begin again at the remote's. Merging the two would bring everything back.",
		"Forks, pull requests, caches of continuous integration and of the hosting service keep the old commits. The service has to be asked to collect them.")
	if len(others) > 0 {
		steps = append(steps, "References of this repository that contain the old history as well, and were not touched: "+strings.Join(others, ", ")+".")
	}
	if slices.ContainsFunc(r.Mentions, func(m Mention) bool { return m.Repeats || m.Names && r.keyReveals }) {
		steps = append(steps, "Other files repeat what is purged, or a key that says as much. Purge those facts as well, or what they say stays in the history.")
	}
	return append(steps, r.lastStep())
}

// lastStep says what keeps the old history in this repository.
func (r PurgeResult) lastStep() string {
	keeps := "a rescue reference"
	if r.Rescue != "" {
		keeps = r.Rescue
	}
	log := ""
	if r.Reflog != "" {
		log = fmt.Sprintf(" and git's log of %s, for %s (gc.reflogExpireUnreachable)", r.branch, r.Reflog)
	}
	expire := ""
	if log != "" {
		expire = fmt.Sprintf(", expire the reflog of %s", r.branch)
	}
	return fmt.Sprintf("Here the old history is kept by %s%s, in case something is missed. To be rid of it for good, delete that reference%s, then let git prune what nothing names any more.", keeps, log, expire)
}

// forgetWait is the maximum wait for audits and for processes that embed.
const forgetWait = 30 * time.Second

// forget deletes the local state that may quote what was purged: the index, the vectors, what
// models said of claims, briefs that are kept ready. The mark of the audits quotes nothing and is
// moved along, which spares the next one looking at everything again.
func (m *Purger) forget(ctx context.Context, p *plan, done gitstore.Rewritten) error {
	// The branch has moved already: cancelling now would delete only half of the state, which
	// is worse than a short wait.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgetWait)
	defer cancel()
	m.Progress("deleting what was derived", 0, 0)
	return errors.Join(m.Index.Forget(ctx), m.forgetAudits(ctx, p, done), os.RemoveAll(m.ReadyFolder()))
}

func (m *Purger) forgetAudits(ctx context.Context, p *plan, done gitstore.Rewritten) (err error) {
	release, err := filelock.Acquire(ctx, m.AuditPath(audit.LockFile), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	mark := m.audit.ReadMark()
	for _, file := range []string{audit.MarkFile, audit.UndecidedFile, audit.DisputesFile, audit.ViolationsFile, audit.AgreementsFile, compare.TagsFile, compare.OffersFile, compare.ProgressFile} {
		halves, _ := filepath.Glob(m.AuditPath(file) + ".*") // of who died while writing it
		for _, path := range append(halves, m.AuditPath(file)) {
			if e := os.Remove(path); !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}
	core.CacheOf[audit.DisputeCache](m.Memory).Forget()
	if mark.Revision == "" {
		return err
	}
	if mark.Revision == done.Old {
		mark.Revision = done.New
	}
	mark.Scheduled = slices.DeleteFunc(mark.Scheduled, func(f compare.ScheduledFact) bool { return slices.Contains(p.keys, f.Key) })
	return errors.Join(err, m.compare.WriteState(audit.MarkFile, mark))
}
