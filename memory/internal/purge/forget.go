package purge

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"engram/gitstore"
	"engram/internal/filelock"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// forgetWait is the maximum wait for audits and for processes that embed.
const forgetWait = 30 * time.Second

// forget deletes the local state that may quote what was purged: the index, the
// vectors, what models said of claims. The mark of the audits quotes nothing and
// is moved along, which spares the next one looking at everything again.
func (m *Purger) forget(ctx context.Context, p *plan, done gitstore.Rewritten) error {
	// The branch has moved: whoever called it off is too late, and half of it
	// would be worse than a short wait.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgetWait)
	defer cancel()
	m.Progress("deleting what was derived", 0, 0)
	return errors.Join(m.Index.Forget(ctx), m.forgetAudits(ctx, p, done))
}

func (m *Purger) forgetAudits(ctx context.Context, p *plan, done gitstore.Rewritten) (err error) {
	release, err := filelock.Acquire(ctx, m.AuditPath(audit.LockFile), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	mark := m.audit.ReadMark()
	for _, file := range []string{audit.MarkFile, audit.UndecidedFile, audit.DisputesFile, audit.ViolationsFile, audit.AgreementsFile, compare.TagsFile} {
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
