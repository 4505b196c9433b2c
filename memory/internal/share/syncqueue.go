package share

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"engram/gitstore"
	"engram/memory/internal/core"
)

// queuedSync is a sync that failed and that Watch retries. The commits are on the branch;
// this only records that they should be pushed.
type queuedSync struct {
	Remote  string    `json:"remote"`
	Since   time.Time `json:"since"`
	Tried   time.Time `json:"tried"`
	Times   int       `json:"times"`
	Problem string    `json:"problem"`
}

func (m *Sharer) queuePath() string { return filepath.Join(m.Store.StateDir(), "sync.json") }

// queue remembers a sync that could not reach its remote, and forgets it once one
// came through or another answer was had.
func (m *Sharer) queue(remote string, err error) {
	q, waiting := m.QueuedSync()
	if !errors.Is(err, gitstore.ErrUnreachable) {
		if waiting && (err == nil || q.Remote == remote) {
			_ = os.Remove(m.queuePath())
		}
		return
	}
	now := m.Moment()
	if !waiting || q.Remote != remote {
		q = queuedSync{Remote: remote, Since: now}
	}
	q.Tried, q.Times, q.Problem = now, q.Times+1, err.Error()
	if err := core.WriteJSON(m.queuePath(), q); err != nil {
		m.Log.Warn("sync not queued", "error", err)
	}
}

// QueuedSync returns the sync that waits for its remote; waiting is false if none does.
func (m *Sharer) QueuedSync() (q queuedSync, waiting bool) {
	return q, core.ReadJSON(m.queuePath(), &q) && q.Remote != ""
}

// due reports whether a sync that failed is to be tried again: after a minute, and
// after twice as long each further time up to an hour.
func (q queuedSync) due(now time.Time) bool {
	return !now.Before(q.Tried.Add(min(time.Minute<<min(q.Times-1, 10), time.Hour)))
}
