package archive

import (
	"context"
	"fmt"
	"time"

	"engram/memory/internal/core"
	"engram/session"
	"engram/session/journal"
)

// Standing is how many sessions there are, told without reading any.
type Standing struct {
	Sessions  int
	Live      int // with events that are not sealed
	Unindexed int // sealed ones that the next search will index first
}

// Standing counts the sessions.
func (a *Archive) Standing(ctx context.Context) (Standing, error) {
	all, err := a.IDs(ctx)
	if err != nil {
		return Standing{}, err
	}
	live, err := journal.Live(a.Folder("live"))
	if err != nil {
		return Standing{}, err
	}
	s := Standing{Sessions: len(all), Live: len(live)}
	for _, tip := range all {
		if tip != "" {
			s.Unindexed++
		}
	}
	stats, err := a.index.Stats(ctx)
	if err != nil {
		a.Memory.Log.Warn("index of sessions not readable", "error", err)
	}
	s.Unindexed = max(0, s.Unindexed-stats.Sessions)
	return s, nil
}

// staleAfter is how old a journal is that nobody will seal any more.
const staleAfter = 24 * time.Hour

// Checks examines the sessions; none if there are no sessions. fix seals journals that
// were left, and rebuilds the index; neither loses anything.
func (a *Archive) Checks(ctx context.Context, fix bool) ([]core.Check, error) {
	all, err := a.IDs(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	sessions := core.Check{Name: "sessions", OK: true}
	for _, id := range sortedIDs(all) {
		if problem := a.damage(ctx, id, all[id]); problem != "" {
			sessions.OK, sessions.Problem = false, problem
			sessions.Hint = "`engram session fetch " + id + "` brings it again if it was shared; `engram session forget " + id + "` removes it"
			break
		}
	}
	journals, err := a.checkJournals(ctx, fix)
	if err != nil {
		return nil, err
	}
	return []core.Check{sessions, journals, a.checkIndex(ctx, fix)}, nil
}

// damage says what is wrong with a sealed session; "" if nothing is.
func (a *Archive) damage(ctx context.Context, id, tip string) string {
	if tip == "" {
		return ""
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return fmt.Sprintf("session %s cannot be read: %v", id, err)
	}
	header, err := s.Header(ctx)
	switch {
	case err != nil:
		return fmt.Sprintf("session %s cannot be read: %v", id, err)
	case header.Format == 0:
		return fmt.Sprintf("session %s has no %s", id, headerFile)
	}
	return ""
}

func (a *Archive) checkJournals(ctx context.Context, fix bool) (core.Check, error) {
	c := core.Check{Name: "journals", OK: true}
	live, err := journal.Live(a.Folder("live"))
	if err != nil {
		return c, err
	}
	var stale []string
	for _, j := range live {
		if session.CheckID(j.ID) && a.Moment().Sub(j.Modified) > staleAfter {
			stale = append(stale, j.ID)
		}
	}
	if len(stale) == 0 {
		return c, nil
	}
	c.OK, c.Fixable = false, true
	c.Problem = fmt.Sprintf("%s ended without being sealed, such as %s", core.Plural(len(stale), "session"), stale[0])
	c.Hint = "`engram doctor --fix` seals them"
	if !fix {
		return c, nil
	}
	for _, id := range stale {
		if _, err := a.Seal(ctx, id); err != nil {
			c.Problem = fmt.Sprintf("%s; sealing failed: %v", c.Problem, err)
			return c, nil
		}
	}
	c.Fixed = true
	return c, nil
}

func (a *Archive) checkIndex(ctx context.Context, fix bool) core.Check {
	c := core.Check{Name: "session index", OK: true}
	_, err := a.index.Stats(ctx)
	if err == nil {
		return c
	}
	c.OK, c.Fixable, c.Problem, c.Hint = false, true, err.Error(), "`engram doctor --fix` rebuilds it"
	if !fix {
		return c
	}
	if err = a.index.Remove(ctx); err == nil {
		err = a.CatchUp(ctx)
	}
	if err != nil {
		c.Problem = fmt.Sprintf("%s; rebuilding it failed: %v", c.Problem, err)
		return c
	}
	c.Fixed = true
	return c
}
