package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"engram/gitstore"
	"engram/internal/atomicfile"
	"engram/internal/hint"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/scrub"
)

// RedactInput says what to take out of a session.
type RedactInput struct {
	ID      string `json:"session_id"`
	Pattern string `json:"pattern"` // regular expression of package regexp
	Apply   bool   `json:"apply" flag:"yes" help:"apply it; without --yes the command only shows how much it would replace"`
}

// ForgetInput names a session to remove.
type ForgetInput struct {
	ID    string `json:"session_id"`
	Apply bool   `json:"apply" flag:"yes" help:"apply it; without --yes the command only shows what it would remove"`
}

// ForgetResult says what was removed from a session, or would be.
type ForgetResult struct {
	SchemaVersion int      `json:"schema_version"`
	Applied       bool     `json:"applied"`
	ID            string   `json:"session_id"`
	Events        int      `json:"events"`       // that are changed, or removed with the session
	Artifacts     int      `json:"artifacts"`    // likewise
	Replacements  int      `json:"replacements"` // places in texts
	Gone          int      `json:"gone"`         // objects that are no longer in the repository
	Kept          []string `json:"kept"`         // objects that something else still refers to
	Notes         []string `json:"notes,omitempty"`
	Next          []string `json:"next"` // what is left to do
}

// redactedMark replaces what a person takes out.
const redactedMark = "[redacted: by hand]"

// Redact replaces what matches a pattern in all texts and artifacts of a session, writes
// the session again, and removes the old objects. It is for what the scan for secrets
// missed.
func (a *Archive) Redact(ctx context.Context, in RedactInput) (ForgetResult, error) {
	result := ForgetResult{SchemaVersion: core.SchemaVersion, Kept: []string{}, Next: []string{}}
	pattern, err := regexp.Compile(in.Pattern)
	if err != nil || in.Pattern == "" || pattern.MatchString("") {
		return result, core.UsageErrorf(hint.New("write a regular expression that matches the secret and nothing else; \\Q and \\E quote"), "the pattern is not a regular expression that matches something")
	}
	id, err := a.Resolve(ctx, in.ID)
	if err != nil {
		return result, err
	}
	result.ID = id
	if in.Apply {
		if _, err := a.Seal(ctx, id); err != nil {
			return result, err
		}
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return result, err
	}
	r := &redaction{s: s, pattern: pattern, result: &result, renamed: map[string]string{}, contents: map[string][]byte{}}
	if err := r.plan(ctx); err != nil {
		return result, err
	}
	if !in.Apply || result.Replacements == 0 {
		return result, nil
	}
	return result, r.apply(ctx)
}

// redaction is one run of Redact.
type redaction struct {
	s        *Session
	pattern  *regexp.Regexp
	result   *ForgetResult
	renamed  map[string]string // digests of artifacts, before and after
	contents map[string][]byte // of the artifacts after, by digest
	cold     []string          // digests, before, of those that are in cold storage
}

// replace replaces matches, and counts them.
func (r *redaction) replace(data []byte) ([]byte, bool) {
	n := len(r.pattern.FindAllIndex(data, -1))
	if n == 0 {
		return data, false
	}
	r.result.Replacements += n
	return r.pattern.ReplaceAllLiteral(data, []byte(redactedMark)), true
}

// plan counts what changes, and prepares the artifacts that do.
func (r *redaction) plan(ctx context.Context) error {
	header, err := r.s.Header(ctx)
	if err != nil {
		return err
	}
	r.header(header)
	seen := map[string]bool{}
	for e, err := range r.s.Events(ctx) {
		if err != nil {
			return err
		}
		for _, digest := range e.Digests() {
			if seen[digest] {
				continue
			}
			seen[digest] = true
			if err := r.artifact(ctx, digest); err != nil {
				return err
			}
		}
		if _, changed := r.event(&e); changed {
			r.result.Events++
		}
	}
	return nil
}

// artifact prepares an artifact that changes. An artifact without bytes anywhere stays.
func (r *redaction) artifact(ctx context.Context, digest string) error {
	data, err := r.s.Artifact(ctx, digest)
	if errors.Is(err, core.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if clean, changed := r.replace(data); changed {
		r.result.Artifacts++
		after := session.Digest(clean)
		r.renamed[digest], r.contents[after] = after, clean
		if !r.s.HasArtifact(digest) {
			r.cold = append(r.cold, digest)
		}
	}
	return nil
}

// header returns what is known of the session without what matches.
func (r *redaction) header(h session.Header) session.Header {
	for _, text := range []*string{&h.Client, &h.Agent, &h.Branch, &h.Folder} {
		clean, _ := r.replace([]byte(*text))
		*text = string(clean)
	}
	return h
}

// event returns an event without what matches.
func (r *redaction) event(e *session.Event) (session.Event, bool) {
	clean := *e
	changed := false
	text := func(s string) string {
		b, is := r.replace([]byte(s))
		changed = changed || is
		return string(b)
	}
	for _, field := range []*string{&clean.Text, &clean.Agent, &clean.SubAgent, &clean.Model, &clean.Task, &clean.Premise, &clean.Tool, &clean.Call, &clean.Branch} {
		*field = text(*field)
	}
	for _, list := range []*[]string{&clean.Paths, &clean.Commits, &clean.Facts, &clean.Tags} {
		*list = slices.Clone(*list)
		for i, value := range *list {
			(*list)[i] = text(value)
		}
	}
	clean.Artifacts, clean.Omitted = slices.Clone(e.Artifacts), slices.Clone(e.Omitted)
	for i, omitted := range clean.Omitted {
		clean.Omitted[i].Field = text(omitted.Field)
	}
	for i, artifact := range clean.Artifacts {
		clean.Artifacts[i].Preview, clean.Artifacts[i].Name = text(artifact.Preview), text(artifact.Name)
		if after, ok := r.renamed[artifact.Digest]; ok {
			clean.Artifacts[i].Digest, changed = after, true
			clean.Artifacts[i].Size = int64(len(r.contents[after]))
		}
	}
	if e.Source != nil {
		source := *e.Source
		source.Cuts, source.Stream = slices.Clone(source.Cuts), text(source.Stream)
		for i, c := range source.Cuts {
			if after, ok := r.renamed[c.Digest]; ok {
				source.Cuts[i].Digest, changed = after, true
			}
		}
		if source.Rewrite(func(raw []byte) []byte {
			return scrub.Line(raw, byHand{r}, &scrub.Options{Any: true}).Raw
		}) {
			changed = true
		}
		clean.Source = &source
	}
	if changed {
		clean.Redacted = append(slices.Clone(e.Redacted), session.Redaction{Rule: "by hand", Count: 1})
	}
	return clean, changed
}

// byHand replaces in the strings of a record.
type byHand struct{ r *redaction }

// Redact is that of scrub.Redactor.
func (b byHand) Redact(text string) (string, []string) {
	clean, changed := b.r.replace([]byte(text))
	if !changed {
		return text, nil
	}
	return string(clean), []string{"by hand"}
}

// apply writes the session again and removes the old objects.
func (r *redaction) apply(ctx context.Context) error {
	header, err := r.s.Header(ctx)
	if err != nil {
		return err
	}
	candidates, err := r.s.objects(ctx)
	if err != nil {
		return err
	}
	counted := r.result.Replacements
	defer func() { r.result.Replacements = counted }() // the same events are read again
	header = r.header(header)
	w := &Sealer{a: r.s.a, header: header, known: map[string]bool{}, was: &Session{ID: header.ID, a: r.s.a}}
	for e, err := range r.s.Events(ctx) {
		if err != nil {
			return err
		}
		clean, _ := r.event(&e)
		line, err := session.AppendLine(nil, &clean)
		if err != nil {
			return err
		}
		stored, err := r.s.a.storedOf(&clean, func(digest string) ([]byte, error) {
			if data, ok := r.contents[digest]; ok {
				return data, nil
			}
			return r.s.Artifact(ctx, digest)
		}, func(digest string) bool {
			_, changed := r.contents[digest]
			return w.Knows(digest) || !changed && !r.s.HasArtifact(digest) // archived ones stay where they are
		})
		if err != nil {
			return err
		}
		if err := w.Add(ctx, &clean, line, stored); err != nil {
			return err
		}
	}
	if err := r.s.a.noteCommits(ctx, replacedFolder, r.s); err != nil {
		return err
	}
	if err := w.replace(ctx, r.s); err != nil {
		return err
	}
	r.result.Applied = true
	for _, digest := range r.cold {
		for _, folder := range r.s.a.coldFolders() {
			if err := os.Remove(coldFile(folder, digest)); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
	if err := errors.Join(r.s.a.dropCommits(r.s.ID, prunedFolder), r.local()); err != nil {
		return err
	}
	return r.s.a.discard(ctx, r.s.ID, candidates, r.result)
}

// replace puts the segments in the place of all that the session has.
// It notes which files were taken out, so that they do not come back from another clone.
func (s *Sealer) replace(ctx context.Context, old *Session) error {
	if err := s.end(); err != nil {
		return err
	}
	if err := s.write(ctx); err != nil {
		return err
	}
	objects, err := s.a.Store.PutBlobs(ctx, [][]byte{nil})
	if err != nil {
		return err
	}
	entries := s.entriesFrom(0, true)
	entries = append(entries, removedFiles(old.files, entries, objects[0])...)
	tip, err := s.a.Store.ReplaceThread(ctx, session.Ref(s.header.ID), old.Tip, entries, gitstore.Meta{Message: s.message()})
	if err != nil {
		return fmt.Errorf("write session %s again: %w", s.header.ID, err)
	}
	return s.a.noteSummary(s.header, "", tip, s.summary)
}

// removedFiles are the entries that say which files a session had and has no more. They
// are empty files, so that two redactions can be joined.
func removedFiles(was []gitstore.ThreadFile, is []gitstore.ThreadEntry, empty string) (list []gitstore.ThreadEntry) {
	stays := map[string]bool{}
	for _, e := range is {
		stays[e.Object] = true
	}
	for _, f := range was {
		if object, ok := strings.CutPrefix(f.Path, gitstore.ThreadRemoved); ok {
			list = append(list, gitstore.ThreadEntry{Path: gitstore.ThreadRemoved + object, Object: empty})
		} else if !stays[f.Object] {
			stays[f.Object] = true
			list = append(list, gitstore.ThreadEntry{Path: gitstore.ThreadRemoved + f.Object, Object: empty})
		}
	}
	return list
}

// local takes what matches out of what the capture remembers of the session.
func (r *redaction) local() error {
	files, err := r.s.a.CursorsOf(r.s.ID)
	if err != nil {
		return err
	}
	for _, file := range append(files, filepath.Join(r.s.a.LiveFolder(r.s.ID), clone.StateFile)) {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		clean := scrub.Line(data, byHand{r}, &scrub.Options{Any: true}).Raw
		if err := atomicfile.Write(file, clean, 0o644, false); err != nil {
			return err
		}
	}
	return nil
}

// objects returns the objects of a session that may have to go: blobs, trees and commits.
func (s *Session) objects(ctx context.Context) ([]string, error) {
	if s.Tip == "" {
		return nil, nil
	}
	return s.a.Store.ThreadObjects(ctx, s.Tip)
}

// Forget removes a session: its reference, its journal, what is known of it, and the
// objects that only it had.
func (a *Archive) Forget(ctx context.Context, in ForgetInput) (ForgetResult, error) {
	result := ForgetResult{SchemaVersion: core.SchemaVersion, Kept: []string{}, Next: []string{}}
	id, err := a.Resolve(ctx, in.ID)
	if err != nil {
		return result, err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return result, err
	}
	sum, err := s.Summary(ctx)
	if err != nil {
		return result, err
	}
	result.ID, result.Events, result.Artifacts = id, sum.Events, len(s.blobs)
	if !in.Apply {
		return result, nil
	}
	candidates, err := s.objects(ctx)
	if err != nil {
		return result, err
	}
	if s.Tip != "" {
		if err := a.Store.DeleteThread(ctx, session.Ref(id), s.Tip); err != nil {
			return result, err
		}
	}
	if err := a.Journal(id).Remove(ctx); err != nil {
		return result, err
	}
	if err := errors.Join(a.SetForgotten(id, true), a.DropCursors(id), a.dropCommits(id, replacedFolder, prunedFolder), a.cool()); err != nil {
		return result, err
	}
	result.Applied = true
	return result, a.discard(ctx, id, candidates, &result)
}

// discard removes what is derived from a session, and objects that nothing refers to.
func (a *Archive) discard(ctx context.Context, id string, candidates []string, result *ForgetResult) error {
	if err := a.DropDerived(id); err != nil {
		return err
	}
	// Views and their index say what the session said. They are derived, and all go.
	if err := os.RemoveAll(a.Folder(clone.ViewsFolder)); err != nil {
		return fmt.Errorf("remove what was derived of sessions: %w", err)
	}
	if _, err := a.index.Forget(ctx, id); err != nil {
		return err
	}
	tip, err := a.TipOf(ctx, id)
	if err != nil {
		return err
	}
	if tip != "" { // what the new version has as well had nothing to take out
		stay, err := a.Store.ThreadObjects(ctx, tip)
		if err != nil {
			return err
		}
		stays := map[string]bool{}
		for _, object := range stay {
			stays[object] = true
		}
		candidates = slices.DeleteFunc(candidates, func(object string) bool { return stays[object] })
	}
	gone, kept, err := a.Store.Discard(ctx, candidates)
	if err != nil {
		return err
	}
	result.Gone, result.Kept = len(gone), append(result.Kept, kept...)
	if err := a.noteKept(ctx, id, result); err != nil {
		return err
	}
	if remotes, err := a.Store.Remotes(ctx); err == nil && len(remotes) > 0 {
		advice := "if the session was shared, delete its reference on the remote as well: git push REMOTE --delete " + session.Ref(id)
		if tip != "" {
			advice = "if the session was shared, share it again: that replaces what the remote has; other clones must forget it before they fetch it"
		}
		result.Next = append(result.Next, advice)
	}
	for _, remote := range a.coldRemotes() {
		result.Next = append(result.Next, "if its artifacts were archived, delete them there: git push "+remote+" --delete "+strings.Replace(session.Ref(id), gitstore.ThreadPrefix, gitstore.ArtifactsPrefix, 1))
	}
	result.Next = append(result.Next, "replace the secret, if it was one: whoever fetched the session has it")
	return nil
}

// noteKept says what still uses objects of the old version of a session.
func (a *Archive) noteKept(ctx context.Context, id string, result *ForgetResult) error {
	if len(result.Kept) == 0 {
		return nil
	}
	all, err := a.IDs(ctx)
	if err != nil {
		return err
	}
	var users []string
	for _, other := range sortedIDs(all) {
		if all[other] == "" || other == id {
			continue
		}
		files, err := a.Store.ThreadFiles(ctx, all[other])
		if err != nil {
			return err
		}
		if slices.ContainsFunc(files, func(f gitstore.ThreadFile) bool { return slices.Contains(result.Kept, f.Object) }) {
			users = append(users, other)
		}
	}
	note := core.Plural(len(result.Kept), "object") + " of the old version stayed here, because "
	const named = 5
	switch list := strings.Join(users[:min(len(users), named)], ", "); {
	case len(users) == 0:
		note += "something other than a session uses them, such as a branch, a stash or a reflog: git log --all --reflog --find-object=" + result.Kept[0] + " finds it"
	case len(users) > named:
		note += fmt.Sprintf("other sessions have the same content: if it is what has to go, do the same with %s and %d more", list, len(users)-named)
	default:
		note += "other sessions have the same content: if it is what has to go, do the same with " + list
	}
	result.Notes = append(result.Notes, note)
	return nil
}
