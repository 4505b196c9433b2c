// Package purge removes facts from the whole history, by rewriting it, and whatever was
// derived from them.
package purge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// Purger removes facts from the history of a memory.
type Purger struct {
	*core.Memory
	audit   *audit.Auditor
	compare *compare.Comparer
}

// New returns the Purger of a memory.
func New(m *core.Memory) *Purger {
	return &Purger{Memory: m, audit: audit.New(m), compare: compare.New(m)}
}

// PurgeInput says which facts to purge.
type PurgeInput struct {
	Keys   []string `json:"keys"` // of facts that are on the branch, or ever were
	Reason string   `json:"reason,omitempty" help:"why, in words; it goes into the commit's message"`
	Apply  bool     `json:"apply" flag:"yes" help:"apply it; without --yes the command only shows what it would do"`
}

// PurgeResult says what was purged, or would be, and what is left to do. It repeats nothing
// of the facts' texts.
type PurgeResult struct {
	core.Answer
	Applied   bool            `json:"applied"`
	Keys      []facts.Key     `json:"keys"`
	Versions  []PurgedVersion `json:"versions"`  // of the facts, newest first
	Conflicts []facts.Key     `json:"conflicts"` // that quote the facts, and go with them
	Messages  []PurgedCommit  `json:"messages"`  // commits whose message mentions or quotes the facts
	Mentions  []Mention       `json:"mentions"`  // what stays and has to do with them
	Refs      []string        `json:"refs"`      // other references that contain what is replaced
	Commits   int             `json:"commits"`   // of the whole history
	Rewritten int             `json:"rewritten"` // of these, commits that get another name
	Unsigned  int             `json:"unsigned"`  // of these, commits that lose their signature
	Old       string          `json:"old_revision"`
	Rescue    string          `json:"rescue,omitempty"` // the reference that keeps Old
	Reflog    string          `json:"reflog,omitempty"` // for how long git's log of the branch keeps it
	Notes     []string        `json:"notes,omitempty"`
	Next      []string        `json:"next"` // what is to be done, the most urgent first

	branch     string
	keyReveals bool // a key says what its claim said
}

// PurgedVersion is a commit that wrote a purged fact.
type PurgedVersion struct {
	Key    facts.Key `json:"key"`
	FactID string    `json:"fact_id"` // "" where the file was removed or was no fact
	PurgedCommit
}

// PurgedCommit is a commit, by its name before the purge.
type PurgedCommit struct {
	Commit string    `json:"commit"`
	Date   time.Time `json:"date"`
	Author string    `json:"author"`
}

// Mention is a file that stays although it names a purged key or repeats a
// purged text. Somebody has to look at it.
type Mention struct {
	Path   string `json:"path"`
	Stands bool   `json:"stands"` // on the tip; else in earlier versions alone
	// Names says that the file names a purged key, Repeats that it repeats a purged text.
	Names   bool `json:"names_key"`
	Repeats bool `json:"repeats_text"`
}

// Purge removes facts from the branch's whole history: all their versions, what commit
// messages say about them, and the conflicts that quote them. Without Apply it only reports
// what it would do. It is for what must not be there, such as a secret; a fact that is
// merely wrong should be retired.
//
// The old tip stays under a rescue reference. Nothing is pushed: what clones
// and remotes must do is in Next. A merge with a clone that still has the old
// history would bring it back, so the manifest names it (facts.Manifest.Purged).
//
// The error wraps ErrNotFound for a key that never was on the branch,
// gitstore.ErrIncomplete if part of the history is missing here, or ErrCheckedOut, or it is a
// *SecretError for the reason.
func (m *Purger) Purge(ctx context.Context, in PurgeInput) (PurgeResult, error) {
	keys, err := purgeKeys(in.Keys)
	if err != nil {
		return PurgeResult{}, err
	}
	if err := m.ScanText("reason", in.Reason); err != nil {
		return PurgeResult{}, err
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return PurgeResult{}, err
	}
	// Who is forbidden anything must not see, or take out, what others wrote.
	if err := core.CheckPolicyChange(manifest.Permissions, m.Agent, m.Moment()); err != nil {
		return PurgeResult{}, err
	}
	if !in.Apply {
		p, err := m.newPlan(ctx, tip, keys, in.Reason)
		if err != nil {
			return PurgeResult{}, err
		}
		done, err := m.Store.PreviewRewrite(ctx, tip, p.rewrite(ctx))
		if err != nil {
			return PurgeResult{}, err
		}
		result, err := p.result(ctx, done)
		result.Answer = core.AnswerAt(tip)
		return result, err
	}
	return m.applyPurge(ctx, keys, in.Reason)
}

func (m *Purger) applyPurge(ctx context.Context, keys []facts.Key, reason string) (PurgeResult, error) {
	if err := m.audit.CheckNotCheckedOut(); err != nil { // before all the work
		return PurgeResult{}, err
	}
	var p *plan
	done, err := m.Store.RewriteHistory(ctx, func(tip string) (r gitstore.Rewrite, err error) {
		if p, err = m.newPlan(ctx, tip, keys, reason); err != nil {
			return r, err
		}
		return p.rewrite(ctx), nil
	})
	if err != nil {
		return PurgeResult{}, err
	}
	// From here on it is done: what fails is told, and does not hide that.
	result, err := p.result(ctx, done)
	result.Answer, result.Applied, result.Rescue = core.AnswerAt(done.New), true, done.Rescue
	if err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("could not find out what else contains the old history: %v", err))
	}
	if err := m.forget(ctx, p, done); err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("local state that may quote what was purged could not be deleted; delete it by hand: %v", err))
	}
	result.Next = result.steps()
	return result, nil
}

func purgeKeys(texts []string) ([]facts.Key, error) {
	if len(texts) == 0 {
		return nil, core.UsageErrorf(hint.New("%s shows examples", hint.Do(hint.Help, "purge")), "no key to purge")
	}
	var keys []facts.Key
	for _, text := range texts {
		k, err := facts.ParseKey(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// result puts into words what a rewrite did, or would do.
func (p *plan) result(ctx context.Context, done gitstore.Rewritten) (PurgeResult, error) {
	r := PurgeResult{
		Keys: p.keys, Versions: []PurgedVersion{}, Conflicts: append([]facts.Key{}, p.conflicts...), Messages: []PurgedCommit{}, Mentions: append([]Mention{}, p.mentions...),
		Refs: []string{}, Commits: done.Commits, Rewritten: done.Changed, Unsigned: done.Unsigned, Old: done.Old,
	}
	for _, e := range p.versions {
		key, _ := facts.KeyOfPath(e.Path)
		r.Versions = append(r.Versions, PurgedVersion{key, p.ids[e.New], PurgedCommit{e.Revision, e.Date, e.Author}})
	}
	for _, k := range p.keys {
		if p.redactor.keys[k] {
			r.keyReveals = true
			r.Notes = append(r.Notes, fmt.Sprintf("%s is made of the words of its claim, so messages lose the key as well", k))
		}
	}
	if p.unread > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d files of the history could not be read, and were not searched for mentions", p.unread))
	}
	for _, commit := range done.Messages {
		e, err := p.m.Store.Describe(ctx, commit)
		if err != nil {
			return r, err
		}
		r.Messages = append(r.Messages, PurgedCommit{commit, e.Date, e.Author})
	}
	slices.Reverse(r.Messages) // newest first, as everywhere
	// Also what earlier purges replaced: it may hold what this one takes out.
	refs, err := p.m.Store.RefsContaining(ctx, slices.Concat(done.First, p.purgedBefore))
	if err != nil {
		return r, err
	}
	r.Refs = append(r.Refs, refs...)
	r.Reflog, err = p.m.Store.ReflogExpiry(ctx)
	r.branch = p.m.Store.Branch()
	r.Next = r.steps()
	return r, err
}

// message is that of the commit on top. A key that says what its claim said is
// left out.
func (p *plan) message(reason string) string {
	var lines []string
	for _, k := range p.keys {
		if p.redactor.keys[k] {
			continue
		}
		lines = append(lines, core.MessageLine(purgeVerb, k, reason))
	}
	if len(lines) < len(p.keys) {
		head := fmt.Sprintf("%s %d facts", purgeVerb, len(p.keys))
		if len(p.keys) == 1 {
			head = purgeVerb + " a fact"
		}
		if text := core.MessageText(reason); text != "" {
			head += ": " + text
		}
		return strings.TrimSpace(head+"\n\n"+strings.Join(lines, "\n")) + "\n"
	}
	return core.CommitMessage(purgeVerb, lines)
}

// PurgedFrom returns a commit in the history of a revision that the manifest names as purged,
// or "". Merging such a history into one without that commit would bring back what was
// purged.
func (m *Purger) PurgedFrom(ctx context.Context, manifest facts.Manifest, revision string) (bad string, err error) {
	for _, commit := range manifest.Purged {
		_, err := m.Store.Ancestor(ctx, commit, revision)
		switch {
		case err == nil:
			return commit, nil
		case !errors.Is(err, gitstore.ErrNotFound): // which a commit is that is not in this repository
			return "", err
		}
	}
	return "", nil
}

// CheckPurged checks, for Doctor, that nothing purged came back.
func (m *Purger) CheckPurged(ctx context.Context, tip string, manifest facts.Manifest) error {
	bad, err := m.PurgedFrom(ctx, manifest, tip)
	if err == nil && bad != "" {
		err = fmt.Errorf("the history contains %s, which was purged: it was merged with a clone that still had it", bad)
	}
	return err
}
