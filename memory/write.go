package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"engram/facts"
	"engram/gitstore"
)

// write puts drafts on the branch in one commit, or all of them on that of the
// proposals.
func (m *Memory) write(ctx context.Context, drafts []draft, verb string) ([]CommitResult, error) {
	var results []CommitResult
	// Looking facts up goes through the index; what it lacks is caught up
	// before the lock is taken, so that other writers wait as short as can be.
	if tip, err := m.store.Tip(ctx); err != nil {
		return nil, err
	} else if len(drafts) <= scanAbove {
		m.warm(ctx, tip)
	}
	revision, err := m.update(ctx, verb, func(p *planner) error {
		err := p.planGated(drafts)
		results = p.results
		return err
	})
	if errors.Is(err, errReviewFirst) {
		return m.propose(ctx, drafts, verb)
	}
	if err != nil {
		return nil, err
	}
	for i := range results {
		results[i].Answer = answer(revision)
	}
	return results, m.tellConflicts(ctx, revision, results)
}

// update makes one commit of what plan puts into a planner. plan is called again
// with a new one after a lost race.
func (m *Memory) update(ctx context.Context, verb string, plan func(*planner) error) (revision string, err error) {
	_, _ = m.store.Identity(ctx) // asked before the lock is taken; whether it is needed, the manifest says
	counted := turns{m: m}
	revision, err = m.store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		if tip == "" {
			return nil, gitstore.Meta{}, fmt.Errorf("%w: %s does not exist", gitstore.ErrNoBranch, m.store.Branch())
		}
		manifest, err := m.manifest(ctx, tip)
		if err != nil {
			return nil, gitstore.Meta{}, err
		}
		p, err := m.newPlanner(ctx, tip, manifest)
		if err != nil {
			return nil, gitstore.Meta{}, err
		}
		if err := plan(p); err != nil {
			return nil, gitstore.Meta{}, err
		}
		writes := p.writes()
		if len(writes) > 0 {
			err = counted.take(ctx, manifest.RateLimit, p.charged)
		}
		return writes, metaOf(manifest, commitMessage(verb, p.lines)), err
	})
	if err != nil {
		if kept := counted.giveBack(ctx); kept != nil {
			m.log.Warn("a commit that was not made counts for the rate", "error", kept)
		}
	}
	return revision, err
}

func (m *Memory) newPlanner(ctx context.Context, tip string, manifest facts.Manifest) (*planner, error) {
	engineer, err := m.engineerOf(ctx, manifest)
	if err != nil {
		return nil, err
	}
	author := ""
	if review := manifest.Review; review.Any() || len(review.Authors) > 0 {
		if author, err = m.store.Identity(ctx); err != nil {
			return nil, err
		}
	}
	return &planner{
		m: m, ctx: ctx, tip: tip, manifest: manifest, engineer: engineer, author: email(author), now: m.moment(),
		pending: make(map[facts.Key]facts.Fact), written: make(map[lookupQuery][]facts.Key),
	}, nil
}

// tellConflicts says of each fact how many open conflicts earlier audits know of
// at its key. Of a version that was written now they know nothing good: it says
// nothing where they know of none.
func (m *Memory) tellConflicts(ctx context.Context, revision string, results []CommitResult) error {
	if m.readMark().Revision == "" {
		return nil
	}
	d, err := m.disputesAt(ctx, revision, nil)
	if err != nil {
		return err
	}
	for i := range results {
		if open := d.Open[results[i].Key]; open > 0 || results[i].Duplicate {
			results[i].Conflicts = &open
		}
	}
	return nil
}

// warm brings the index up to a revision; a failure only costs time later.
func (m *Memory) warm(ctx context.Context, tip string) {
	if _, err := m.index.CatchUp(ctx, tip); err != nil {
		m.log.Warn("index not caught up", "error", err)
	}
}

// Bounds of a commit message.
const (
	maxMessageClaim = 72   // characters of a claim
	maxMessageLines = 1000 // facts listed one by one
)

// commitMessage says what changed in one line a fact. What a resolution did is
// said first.
func commitMessage(verb string, lines []string) string {
	if len(lines) == 1 {
		return lines[0] + "\n"
	}
	if last := len(lines) - 1; verb == resolveVerb {
		return lines[last] + "\n\n" + strings.Join(lines[:last], "\n") + "\n"
	}
	listed := lines[:min(len(lines), maxMessageLines)]
	message := fmt.Sprintf("%s %d facts\n\n%s\n", verb, len(lines), strings.Join(listed, "\n"))
	if rest := len(lines) - len(listed); rest > 0 {
		message += fmt.Sprintf("… and %d more\n", rest)
	}
	return message
}

func messageLine(verb string, key facts.Key, text string) string {
	line := fmt.Sprintf("%s %s", verb, key)
	if text = messageText(text); text != "" {
		line += ": " + text
	}
	return line
}

// messageText is a text as messages have it: what git log prints must not steer
// a terminal or read as something else.
func messageText(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxMessageClaim {
		text = string(runes[:maxMessageClaim-1]) + "…"
	}
	return text
}
