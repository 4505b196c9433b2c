package compare

import (
	"context"
	"fmt"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/core"
)

// ReadState reads a state file of audits; ok is false if it is missing or damaged.
func (m *Comparer) ReadState(file string, into any) (ok bool) {
	return core.ReadJSON(m.AuditPath(file), into)
}

// WriteState replaces a state file of audits.
func (m *Comparer) WriteState(file string, state any) error {
	if err := core.WriteJSON(m.AuditPath(file), state); err != nil {
		return fmt.Errorf("remember the audit: %w", err)
	}
	return nil
}

// Tag is a part of a text that a model recognised as a name.
type Tag = detect.Tag

// The file of tags, and its bound.
const (
	TagsFile = ".tags.json"
	maxTags  = 50_000 // claims whose tags are kept
)

// tags are what a token-classification model found in claims, by their content
// hashes. They are kept between audits, because a text takes such a model a
// quarter of a second: an audit asks about the facts that changed, as long as
// its time lasts, and knows those of earlier ones.
type tags struct {
	model  detect.Tagger
	known  map[string][]detect.Tag
	until  time.Time
	tagged int
}

// NewTags returns the stored tags, and lets the tagger run for a budget.
func (m *Comparer) NewTags(budget time.Duration) *tags {
	t := &tags{model: m.Models.Tagger, known: make(map[string][]detect.Tag), until: time.Now().Add(budget)}
	if t.model != nil {
		m.ReadState(TagsFile, &t.known)
	}
	return t
}

// slow reports whether learning takes the time of a model.
func (t *tags) slow() bool { return t.model != nil }

// learn asks the model about claims that it has not seen, until the time is up.
func (t *tags) learn(ctx context.Context, list []*core.AnalyzedFact) error {
	for _, s := range list {
		hash := facts.ContentHash(s.Fact.Claim)
		if _, seen := t.known[hash]; t.model == nil || seen || time.Now().After(t.until) || len(t.known) >= maxTags {
			continue
		}
		found, err := t.model.Tag(ctx, s.Fact.Claim)
		if err != nil {
			return err
		}
		t.known[hash], t.tagged = found, t.tagged+1
		s.Claim = t.read(s.Fact)
	}
	return nil
}

// read reads a claim with what the model is known to have found in it.
func (t *tags) read(f facts.Fact) *detect.Claim {
	if len(t.known) == 0 {
		return detect.Read(f)
	}
	return detect.Read(f, detect.Tagged(f.Claim, t.known[facts.ContentHash(f.Claim)])...)
}

// KeepTags stores the tags if the model found new ones.
func (m *Comparer) KeepTags(t *tags) error {
	if t.tagged == 0 {
		return nil
	}
	return m.WriteState(TagsFile, t.known)
}
