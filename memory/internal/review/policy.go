package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// ErrPolicyMoved reports that engram.yml was changed by somebody else.
var ErrPolicyMoved = errors.New("engram.yml has changed since")

// PolicyResult is what a team agreed on, as engram.yml says it.
type PolicyResult struct {
	core.Answer
	Namespaces    []string     `json:"namespaces"` // beyond the nine
	AnonymousMode bool         `json:"anonymous_mode"`
	AnonAgents    bool         `json:"anon_agents"`
	RateLimit     int          `json:"rate_limit"` // commits of an agent an hour; 0: no limit
	SignedCommits bool         `json:"signed_commits"`
	Sessions      string       `json:"sessions"` // which are sent without asking: never, own or pushed
	Permissions   []Permission `json:"permissions"`
	Review        Review       `json:"review"`
	Gates         []string     `json:"gates"`
	// Unknown are fields that this version passes over.
	Unknown []facts.UnknownField `json:"unknown"`
	Notes   []string             `json:"notes,omitempty"` // what a reader might not expect of it
	Text    string               `json:"text"`            // the file
	Blob    string               `json:"blob"`            // the name of that text; SetPolicy takes it as Base
}

// Permission is one permission as surfaces show it.
type Permission struct {
	Agent      string     `json:"agent"`
	Scope      string     `json:"scope"`
	Read       *bool      `json:"read"` // null: it says nothing about that
	Write      *bool      `json:"write"`
	ValidFrom  *time.Time `json:"valid_from"`
	ValidUntil *time.Time `json:"valid_until"`
	Means      string     `json:"means"` // in words
}

// Review is what has to be reviewed first, as surfaces show it.
type Review struct {
	Namespaces     []string `json:"namespaces"`
	UnknownAuthors bool     `json:"unknown_authors"`
	Authors        []string `json:"authors"`
}

// Policy reads what the team agreed on.
func (m *Reviewer) Policy(ctx context.Context) (PolicyResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return PolicyResult{}, err
	}
	file, err := m.Store.Get(ctx, tip, facts.ManifestPath)
	if err != nil {
		return PolicyResult{}, err
	}
	r := PolicyResult{
		Answer: core.AnswerAt(tip), Namespaces: append([]string{}, manifest.Namespaces...),
		AnonymousMode: manifest.AnonymousMode, AnonAgents: manifest.AnonAgents, RateLimit: manifest.RateLimit,
		SignedCommits: manifest.SignedCommits, Sessions: cmp.Or(manifest.Sessions, facts.SessionsNever), Permissions: []Permission{}, Gates: []string{},
		Review: Review{append([]string{}, manifest.Review.Namespaces...), manifest.Review.UnknownAuthors, append([]string{}, manifest.Review.Authors...)},
		Text:   string(file.Data), Blob: file.Blob, Notes: policyNotes(manifest),
		Unknown: append([]facts.UnknownField{}, facts.UnknownFields(file.Data)...),
	}
	for _, p := range manifest.Permissions {
		r.Permissions = append(r.Permissions, Permission{
			p.Agent, p.Scope, p.Read, p.Write, core.TimeOrNil(p.Window.From), core.TimeOrNil(p.Window.Until), core.DescribePermission(p),
		})
	}
	for _, g := range manifest.Gates {
		r.Gates = append(r.Gates, string(g))
	}
	return r, nil
}

// policyNotes are how settings affect each other.
func policyNotes(m facts.Manifest) (notes []string) {
	if m.AnonymousMode && m.SignedCommits {
		notes = append(notes, "a signature names its key: anonymous_mode and signed_commits go together only where the team signs with one key")
	}
	if !m.AnonAgents {
		return notes
	}
	if slices.ContainsFunc(m.Permissions, func(p facts.Permission) bool { return p.Agent != facts.AnyAgent }) {
		notes = append(notes, "with anon_agents, permissions of named agents hold where they write; what arrives by a merge cannot be checked against them")
	}
	return append(notes, "with anon_agents, the rate limit counts on each machine; what arrives by a merge cannot be counted")
}

// unknownNote says that a field has no effect, and which one may be meant.
func unknownNote(u facts.UnknownField) string {
	if u.Nearest != "" {
		return fmt.Sprintf("%s is not a field of %s and has no effect; did you mean %s?", u.Name, facts.ManifestPath, u.Nearest)
	}
	return fmt.Sprintf("%s is not a field of %s that this version knows, and has no effect", u.Name, facts.ManifestPath)
}

// SetPolicyInput is a new text of engram.yml.
type SetPolicyInput struct {
	Text string
	// Base is the blob that the text was made from, of PolicyResult; "" takes the
	// place of whatever stands.
	Base  string `json:"base,omitempty" flag:"base,,BLOB" help:"only if engram.yml is still the BLOB that the text was made from"`
	Agent string `json:"agent_id,omitempty" flag:"agent,a,NAME" env:"ENGRAM_AGENT" help:"NAME of the agent that changes it"` // "" is a person
}

// SetPolicyResult says what changed.
type SetPolicyResult struct {
	core.Answer
	Changed  []string `json:"changed"` // fields; none where only comments did
	Written  bool     `json:"written"` // false: the text stood already
	Warnings []string `json:"warnings,omitempty"`
}

// SetPolicy replaces engram.yml, in one commit. The text must be a manifest that this
// version reads, without a secret in it. An agent that a permission forbids anything may
// not change engram.yml: a *PermissionError. The error wraps ErrPolicyMoved if
// engram.yml is no longer Base, and ErrUsage if the text is no manifest.
func (m *Reviewer) SetPolicy(ctx context.Context, in SetPolicyInput) (SetPolicyResult, error) {
	next, err := m.checkPolicy(in)
	if err != nil {
		return SetPolicyResult{}, err
	}
	result := SetPolicyResult{Changed: []string{}}
	rate := m.write.NewRateReservation()
	text := []byte(in.Text)
	revision, err := m.Store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		writes, meta, limit, err := m.planPolicy(ctx, tip, in, next, &result)
		if err == nil && len(writes) > 0 && in.Agent != "" {
			err = rate.Take(ctx, limit, map[string]bool{in.Agent: true})
		}
		return writes, meta, err
	})
	rate.ReleaseOn(ctx, err)
	if err != nil {
		return SetPolicyResult{}, err
	}
	result.Answer = core.AnswerAt(revision)
	for _, u := range facts.UnknownFields(text) {
		result.Warnings = append(result.Warnings, unknownNote(u))
	}
	result.Warnings = append(result.Warnings, policyNotes(next)...)
	return result, nil
}

func (m *Reviewer) checkPolicy(in SetPolicyInput) (facts.Manifest, error) {
	if !utf8.ValidString(in.Text) {
		return facts.Manifest{}, core.UsageErrorf(hint.Hint{}, "%s is not UTF-8", facts.ManifestPath)
	}
	next, err := facts.ParseManifest([]byte(in.Text))
	if err != nil {
		return next, core.UsageErrorf(hint.Hint{}, "%w", err)
	}
	return next, cmp.Or(m.ScanText(facts.ManifestPath, in.Text), m.ScanText("agent", in.Agent))
}

// planPolicy decides against a tip; limit is the rate that stood until now.
func (m *Reviewer) planPolicy(ctx context.Context, tip string, in SetPolicyInput, next facts.Manifest, result *SetPolicyResult) (
	writes []gitstore.Write, meta gitstore.Meta, limit int, err error) {
	fail := func(err error) ([]gitstore.Write, gitstore.Meta, int, error) { return nil, gitstore.Meta{}, 0, err }
	if tip == "" {
		return fail(fmt.Errorf("%w: %s does not exist", gitstore.ErrNoBranch, m.Store.Branch()))
	}
	old, err := m.Manifest(ctx, tip)
	if err != nil {
		return fail(err)
	}
	file, err := m.Store.Get(ctx, tip, facts.ManifestPath)
	if err != nil {
		return fail(err)
	}
	// What was purged stays named, or the next merge brings it back.
	text, err := facts.AddPurged([]byte(in.Text), old.Purged)
	if err != nil {
		return fail(core.UsageErrorf(hint.Hint{}, "%w", err))
	}
	in.Text = string(text)
	*result = SetPolicyResult{Changed: append([]string{}, facts.ManifestChanges(file.Data, text)...)}
	switch {
	case in.Base != "" && in.Base != file.Blob:
		return fail(ErrPolicyMoved)
	case string(file.Data) == in.Text:
		return fail(nil)
	}
	if err := core.CheckPolicyChange(old.Permissions, in.Agent, m.Moment()); err != nil {
		return fail(err)
	}
	if result.Warnings, err = m.abandoned(ctx, tip, old, next); err != nil {
		return fail(err)
	}
	result.Written = true
	// The commit is as private, and as sure, as both want it.
	both := facts.Manifest{AnonymousMode: old.AnonymousMode || next.AnonymousMode, SignedCommits: old.SignedCommits || next.SignedCommits}
	name := in.Agent
	if old.AnonAgents || next.AnonAgents {
		name = m.write.Aliases().Of(name)
	}
	writes = []gitstore.Write{{Path: facts.ManifestPath, Data: []byte(in.Text)}}
	return writes, core.CommitMeta(both, policyMessage(result.Changed, name)), old.RateLimit, nil
}

func policyMessage(changed []string, agent string) string {
	what := "comments"
	if len(changed) > 0 {
		what = strings.Join(changed, ", ")
	}
	if agent != "" {
		what += " (by " + agent + ")"
	}
	return facts.FoldSpace("policy: changed "+what) + "\n"
}

// abandoned warns of namespaces that the new text no longer declares although they have
// facts.
func (m *Reviewer) abandoned(ctx context.Context, tip string, old, next facts.Manifest) (warnings []string, err error) {
	for _, n := range old.Namespaces {
		if slices.Contains(next.AllNamespaces(), n) {
			continue
		}
		folder, err := m.Store.FolderAt(ctx, tip, n)
		if err != nil {
			return nil, err
		}
		if folder != "" {
			warnings = append(warnings, "there are facts in the namespace "+n+", which is no longer declared; `engram lint` lists them")
		}
	}
	return warnings, nil
}

// Editor is the command, for a shell, that git edits texts with.
func (m *Reviewer) Editor(ctx context.Context) (string, error) { return m.Store.Editor(ctx) }
