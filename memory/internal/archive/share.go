package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// ShareInput names the sessions to send to a remote.
type ShareInput struct {
	IDs    []string `json:"session_ids"`
	Remote string   `json:"remote,omitempty" flag:"remote,,NAME" help:"the git remote NAME" default:"origin"`
	// Auto sends the sessions that the team's policy allows without asking.
	Auto bool `json:"auto,omitempty" flag:"auto" help:"send what sessions in the team's policy says: never, own or pushed"`
	// Apply sends; without it the command only says what it would send.
	Apply bool `json:"apply" flag:"yes" help:"send them; without --yes the command only shows what it would send"`
}

// ShareResult says what was sent, or would be.
type ShareResult struct {
	SchemaVersion int            `json:"schema_version"`
	Applied       bool           `json:"applied"`
	Remote        string         `json:"remote"`
	Sessions      []Summary      `json:"sessions"`
	Withheld      []WithheldHint `json:"withheld"` // sessions that are not sent, and why
	Notes         []string       `json:"notes,omitempty"`
}

// WithheldHint is a session that is not sent.
type WithheldHint struct {
	ID     string `json:"session_id"`
	Reason string `json:"reason"`
}

// Share sends the references of sessions to a remote. A session with a private event is
// not sent. Nothing else of the repository is sent.
func (a *Archive) Share(ctx context.Context, in ShareInput) (ShareResult, error) {
	result, err := a.share(ctx, in)
	return result, remoteError(err)
}

// remoteError marks an error that says that there is no such remote.
func remoteError(err error) error {
	if errors.Is(err, gitstore.ErrNoRemote) {
		return &core.SessionRemoteError{Err: err}
	}
	return err
}

func (a *Archive) share(ctx context.Context, in ShareInput) (ShareResult, error) {
	result := ShareResult{SchemaVersion: core.SchemaVersion, Remote: cmp.Or(in.Remote, "origin"), Sessions: []Summary{}, Withheld: []WithheldHint{}}
	remote := &asking{a: a, remote: result.Remote}
	ids, err := a.toShare(ctx, in, remote, &result)
	if err != nil {
		return result, err
	}
	var refs []string
	for _, id := range ids {
		if in.Apply {
			if _, err := a.Seal(ctx, id); err != nil {
				return result, err
			}
		}
		s, err := a.Open(ctx, id)
		if err != nil {
			return result, err
		}
		sum, err := s.Summary(ctx)
		if err != nil {
			return result, err
		}
		if sum.Private > 0 {
			result.Withheld = append(result.Withheld, WithheldHint{id, core.Plural(sum.Private, "private event")})
			continue
		}
		result.Sessions = append(result.Sessions, sum)
		refs = append(refs, session.Ref(id))
	}
	if refs, err = a.sparePruned(ctx, &result, refs, remote); err != nil {
		return result, err
	}
	replace, err := a.toReplace(ctx, &result, refs, remote)
	if err != nil {
		return result, err
	}
	if !in.Apply {
		return result, remote.note(ctx, &result)
	}
	if len(refs) == 0 || remote.err != nil {
		return result, remote.err
	}
	for ref, old := range replace {
		if err := a.Store.ReplaceRemoteThread(ctx, result.Remote, ref, old); err != nil {
			return result, fmt.Errorf("share sessions: %w", err)
		}
	}
	if err := a.Store.PushThreads(ctx, result.Remote, refs); err != nil {
		return result, fmt.Errorf("share sessions: %w", err)
	}
	result.Applied = true
	return result, nil
}

// asking asks a remote once which sessions it has, if anything depends on it. A remote that does not
// answer has none: so what would be sent is known before it is there.
type asking struct {
	a      *Archive
	remote string
	there  map[string]string
	asked  bool
	err    error
}

func (q *asking) threads(ctx context.Context) map[string]string {
	if !q.asked {
		q.asked = true
		q.there, q.err = q.a.Store.ListRemoteThreads(ctx, q.remote)
	}
	return q.there
}

// note says in a preview that nothing can be sent as things are.
func (q *asking) note(ctx context.Context, result *ShareResult) error {
	err := q.err
	if !q.asked {
		remotes, failed := q.a.Store.Remotes(ctx)
		if failed != nil {
			return failed
		}
		err = fmt.Errorf("%w: %q", gitstore.ErrNoRemote, q.remote)
		for _, r := range remotes {
			if r.Name == q.remote {
				err = nil
			}
		}
	}
	if err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("nothing can be sent to %s now: %v", q.remote, err))
	}
	return nil
}

// toShare returns the ids of the sessions that an input means.
func (a *Archive) toShare(ctx context.Context, in ShareInput, remote *asking, result *ShareResult) ([]string, error) {
	if in.Auto == (len(in.IDs) > 0) {
		return nil, core.UsageErrorf(hint.New("name the sessions, or let the policy choose them with %s", hint.Field("auto")), "name the sessions to share")
	}
	if in.Auto {
		return a.byPolicy(ctx, remote, result)
	}
	var ids []string
	for _, text := range in.IDs {
		id, err := a.Resolve(ctx, text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// byPolicy returns the sessions that the team's policy allows to be sent.
func (a *Archive) byPolicy(ctx context.Context, remote *asking, result *ShareResult) ([]string, error) {
	_, manifest, err := a.Tip(ctx)
	if err != nil {
		return nil, err
	}
	if manifest.Sessions == "" || manifest.Sessions == facts.SessionsNever {
		result.Notes = append(result.Notes, "the team's policy says \"sessions: never\", so none goes without being named")
		return nil, nil
	}
	all, err := a.summaries(ctx, nil)
	if err != nil {
		return nil, err
	}
	there := remote.threads(ctx)
	var ids []string
	for _, s := range all {
		if there[session.Ref(s.ID)] == s.Revision && s.Revision != "" {
			continue
		}
		send := false
		switch manifest.Sessions {
		case facts.SessionsOwn:
			send, err = a.isOwn(ctx, s)
		case facts.SessionsPushed:
			send, err = a.isPushed(ctx, s, remote.remote)
		}
		if err != nil {
			return nil, err
		}
		if send {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

// isOwn reports whether a session was recorded in this clone: it was not fetched.
func (a *Archive) isOwn(_ context.Context, s Summary) (bool, error) {
	state, err := a.State(s.ID)
	return err == nil && state.Header.ID != "", err
}

// isPushed reports whether a branch of the remote has a commit of a session.
func (a *Archive) isPushed(ctx context.Context, s Summary, remote string) (bool, error) {
	for _, commit := range s.Commits {
		has, err := a.Store.RemoteHas(ctx, remote, commit)
		if has || err != nil {
			return has, err
		}
	}
	return false, nil
}

// FetchInput names the sessions to bring from a remote.
type FetchInput struct {
	IDs    []string `json:"session_ids"`
	Remote string   `json:"remote,omitempty" flag:"remote,,NAME" help:"the git remote NAME" default:"origin"`
	All    bool     `json:"all,omitempty" flag:"all" help:"all sessions of the remote"`
	// Artifacts brings back what was archived.
	Artifacts bool `json:"artifacts,omitempty" flag:"artifacts" help:"bring archived artifacts back as well: from the remote that is the cold storage, or with the session"`
}

// FetchResult says what a remote has, and what was brought.
type FetchResult struct {
	SchemaVersion int      `json:"schema_version"`
	Remote        string   `json:"remote"`
	There         []string `json:"there"`     // ids of the sessions that the remote has
	Fetched       []string `json:"fetched"`   // of these, the ones that moved here
	Artifacts     int      `json:"artifacts"` // that were brought back from cold storage
}

// Fetch brings sessions from a remote. Without ids and without All it lists what the
// remote has. A session whose artifacts were pruned here stays without them, unless they
// are asked for or the remote has more events.
func (a *Archive) Fetch(ctx context.Context, in FetchInput) (FetchResult, error) {
	result := FetchResult{SchemaVersion: core.SchemaVersion, Remote: cmp.Or(in.Remote, "origin"), There: []string{}, Fetched: []string{}}
	thawed := map[string]bool{}
	if in.Artifacts {
		var err error
		if result.Artifacts, thawed, err = a.thawAll(ctx, in); err != nil {
			return result, remoteError(err)
		}
	}
	there, err := a.Store.ListRemoteThreads(ctx, result.Remote)
	if err != nil {
		return result, remoteError(err)
	}
	var wanted []string
	known := false
	for _, ref := range sortedIDs(there) {
		id := session.IDOfRef(ref)
		if id == "" {
			continue
		}
		result.There = append(result.There, id)
		if in.All || slices.ContainsFunc(in.IDs, func(text string) bool { return text != "" && strings.HasPrefix(id, text) }) {
			pruned, err := a.isPruned(id, there[ref])
			if err != nil {
				return result, err
			}
			withSession := in.Artifacts && !thawed[id] // its artifacts come with it
			if known = true; !pruned || withSession {
				wanted = append(wanted, ref)
			}
		}
	}
	if len(wanted) == 0 {
		if len(in.IDs) > 0 && !known && result.Artifacts == 0 {
			return result, in.errNone(result.Remote)
		}
		return result, nil
	}
	moved, err := a.Store.FetchThreads(ctx, result.Remote, wanted)
	for _, ref := range moved {
		result.Fetched = append(result.Fetched, session.IDOfRef(ref))
	}
	if noted := a.noteElsewhere(ctx, result.Fetched); noted != nil {
		a.Memory.Log.Warn("the states of tasks of other clones are not ready", "error", noted)
	}
	return result, err
}

// noteElsewhere notes which of the fetched sessions the person of this clone had elsewhere, so
// that a session that begins here is told the states of their tasks without a search.
func (a *Archive) noteElsewhere(ctx context.Context, fetched []string) error {
	who, err := a.Store.Identity(ctx)
	if err != nil { // nobody can say whose they are
		return nil
	}
	mine, found := a.Elsewhere(), false
	for _, id := range fetched {
		s, err := a.Open(ctx, id)
		if err != nil {
			return err
		}
		sealed, err := a.Store.Describe(ctx, s.Tip)
		if err != nil {
			return err
		}
		if own, err := a.isOwn(ctx, Summary{ID: id}); own || err != nil || sealed.Author != who {
			delete(mine, id)
			continue
		}
		header, err := s.Header(ctx)
		if err != nil {
			return err
		}
		mine[id], found = header.Branch, true
	}
	if len(fetched) == 0 {
		return nil
	}
	if err := a.KeepElsewhere(mine); err != nil || !found {
		return err
	}
	if err := a.CatchUp(ctx); err != nil {
		return err
	}
	_, err = a.findTasks(ctx)
	return err
}

// errNone says that a remote has none of the sessions that were named.
func (in FetchInput) errNone(remote string) error {
	ids := strings.Join(in.IDs, ", ")
	if in.Artifacts {
		return core.NotFoundErrorf(hint.New("set sessions.cold to where they are, or name the remote that has them with %s; in a folder they need no fetch", hint.Remote),
			"%s has neither the session %s nor archived artifacts of it", remote, ids)
	}
	return core.NotFoundErrorf(hint.New("%s lists what the remote has", hint.Do(hint.FetchSessions)), "%s has no session %s", remote, ids)
}

// thawAll brings the artifacts of the sessions of an input back from cold storage: from the
// remote that was named, or else from the remotes that are or were the cold storage. It
// returns how many it brought, and of which sessions.
func (a *Archive) thawAll(ctx context.Context, in FetchInput) (artifacts int, of map[string]bool, err error) {
	of = map[string]bool{}
	remotes := a.coldRemotes()
	if in.Remote != "" {
		remotes = []string{in.Remote}
	}
	all, err := a.IDs(ctx)
	if err != nil {
		return 0, of, err
	}
	for _, id := range sortedIDs(all) {
		if !in.All && !slices.ContainsFunc(in.IDs, func(text string) bool { return text != "" && strings.HasPrefix(id, text) }) {
			continue
		}
		for _, remote := range remotes {
			n, err := a.thaw(ctx, id, remote)
			if own, _ := a.coldRemote(); errors.Is(err, gitstore.ErrNoRemote) && remote != in.Remote && remote != own {
				continue // it was removed since
			}
			if err != nil {
				return artifacts, of, fmt.Errorf("bring the artifacts of session %s: %w", id, err)
			}
			artifacts, of[id] = artifacts+n, of[id] || n > 0
		}
	}
	return artifacts, of, nil
}
