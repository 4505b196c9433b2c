package memory

import (
	"context"
	"time"

	"engram/detect"
	"engram/facts"
)

// Tag is a part of a text that a model takes for a name.
type Tag = detect.Tag

const (
	tagsFile = ".tags.json"
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

func (m *Memory) newTags(budget time.Duration) *tags {
	t := &tags{model: m.models.Tagger, known: make(map[string][]detect.Tag), until: time.Now().Add(budget)}
	if t.model != nil {
		m.readState(tagsFile, &t.known)
	}
	return t
}

// learn asks the model about claims that it has not seen, until the time is up.
func (t *tags) learn(ctx context.Context, list []*stated) error {
	for _, s := range list {
		hash := facts.ContentHash(s.fact.Claim)
		if _, seen := t.known[hash]; t.model == nil || seen || time.Now().After(t.until) || len(t.known) >= maxTags {
			continue
		}
		found, err := t.model.Tag(ctx, s.fact.Claim)
		if err != nil {
			return err
		}
		t.known[hash], t.tagged = found, t.tagged+1
		s.claim = t.read(s.fact)
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

func (m *Memory) keepTags(t *tags) error {
	if t.tagged == 0 {
		return nil
	}
	return m.writeState(tagsFile, t.known)
}
