package proof

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/memory/internal/core"
)

// VerifyInput says which facts to check against which state of the code.
type VerifyInput struct {
	Keys  []string `json:"keys,omitempty"` // none: all current facts
	Scope string   `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts of this topic PATH and those below it"`
	// At is a commit in any form that git knows, or "" for the work tree, which in a bare
	// repository is HEAD.
	At      string `json:"at,omitempty" flag:"at,,COMMIT" help:"compare with this COMMIT, such as HEAD, instead of the work tree"`
	Diff    bool   `json:"diff,omitempty" help:"show how drifted evidence has changed"`
	AskedBy string `json:"asked_by,omitempty"`
}

// VerifyResult is the verdict on every fact with pointers.
type VerifyResult struct {
	core.Answer
	Commit   string                 `json:"commit"`    // of the code
	WorkTree bool                   `json:"work_tree"` // compared with the work tree, not only the commit
	Facts    int                    `json:"facts"`     // examined; facts without pointers do not count
	Pointers int                    `json:"pointers"`
	Counts   map[core.Freshness]int `json:"counts"` // of facts
	// Checks are the facts that are not fresh, worst first, then by key; if keys were
	// named, all of them.
	Checks   []FactCheck `json:"checks"`
	Withheld int         `json:"withheld"`
}

// FactCheck is the verdict on a fact.
type FactCheck struct {
	Key       facts.Key      `json:"key"`
	Claim     string         `json:"claim"`
	Scope     string         `json:"scope"`
	Freshness core.Freshness `json:"freshness"` // the worst of its pointers
	Pointers  []PointerCheck `json:"pointers"`
}

// PointerCheck is the verdict on a pointer.
type PointerCheck struct {
	Ref       string         `json:"ref"`
	Digest    string         `json:"digest,omitempty"`
	Freshness core.Freshness `json:"freshness"`
	Now       string         `json:"now,omitempty"`    // where the bytes are, if they moved
	Reason    string         `json:"reason,omitempty"` // why it is missing or unchecked
	Diff      string         `json:"diff,omitempty"`   // if it drifted and Diff is set
}

// Verify checks the evidence of facts against the code, without a time limit. It writes
// nothing; Reverify commits. Conflicts and other bookkeeping are checked only if they are
// named. The error wraps ErrNotFound if a key has no fact, or is a *PermissionError.
func (m *Verifier) Verify(ctx context.Context, in VerifyInput) (VerifyResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return VerifyResult{}, err
	}
	c, err := m.CheckerAt(ctx, tip, in.At)
	if err != nil {
		return VerifyResult{}, err
	}
	c.thorough, c.lines = true, newLineIndex()
	result := VerifyResult{Answer: core.AnswerAt(tip), Commit: c.Commit, WorkTree: c.work, Counts: make(map[core.Freshness]int), Checks: []FactCheck{}}
	for _, f := range evidence.Freshnesses() {
		result.Counts[f] = 0
	}
	list, withheld, err := m.FactsWithEvidence(ctx, tip, in.Keys, in.Scope, m.Reader(manifest, in.AskedBy))
	if err != nil {
		return result, err
	}
	result.Facts, result.Withheld = len(list), withheld
	verdicts := make(map[uint64]index.Verdict, len(list))
	for i, f := range list {
		check, err := c.fact(ctx, f, in.Diff)
		if err != nil {
			return result, err
		}
		result.Pointers += len(f.Pointers)
		result.Counts[check.Freshness]++
		key, verdict := verdictOn(f, check.Freshness)
		verdicts[key] = verdict
		if check.Freshness != core.Fresh || len(in.Keys) > 0 {
			result.Checks = append(result.Checks, check)
		}
		m.Progress("verifying", i+1, len(list))
	}
	if len(in.Keys) == 0 && in.Scope == "" && in.At == "" && withheld == 0 {
		m.keepCheck(verdicts)
	}
	slices.SortFunc(result.Checks, func(a, b FactCheck) int {
		return cmp.Or(gravity(a.Freshness)-gravity(b.Freshness), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	return result, nil
}

// gravity orders verdicts, the worst first; unchecked comes before fresh.
func gravity(f core.Freshness) int {
	return slices.Index([]core.Freshness{core.Missing, core.Drifted, core.Moved, core.Unchecked, core.Fresh}, f)
}

// fact returns the verdict on a fact.
func (c *Checker) fact(ctx context.Context, f facts.Fact, diff bool) (FactCheck, error) {
	checks, worst, err := c.Judge(ctx, f.Pointers)
	if err != nil {
		return FactCheck{}, err
	}
	shown := FactCheck{Key: f.Key, Claim: f.Claim, Scope: f.Scope, Freshness: worst, Pointers: []PointerCheck{}}
	for _, check := range checks {
		if diff && check.Freshness == core.Drifted {
			if check.Diff, err = c.changed(ctx, check); err != nil {
				return shown, err
			}
		}
		shown.Pointers = append(shown.Pointers, check.PointerCheck)
	}
	return shown, nil
}

// changed returns the diff from the drifted content to what is there now, after a line
// with its place; "" if it is not known. For a folder it compares the names in it.
func (c *Checker) changed(ctx context.Context, l Verdict) (string, error) {
	r, err := c.Region(ctx, l)
	if err != nil {
		return "", err
	}
	address, err := facts.ParseRef(l.Ref)
	if err != nil {
		return "", nil
	}
	place := address.Path
	switch {
	case r.First > 0:
		place += ":" + strconv.Itoa(r.First)
	case r.before == nil && c.files[place] != nil && c.files[place].Kind == gitstore.CodeFolder:
		before, _, err := c.before(ctx, address)
		if err != nil || before == nil || before.Kind != gitstore.CodeFolder || c.files[place].Name == "" {
			return "", err
		}
		if r.before, err = c.Verifier.Listing(ctx, before.Name); err != nil {
			return "", err
		}
		if r.now, err = c.Verifier.Listing(ctx, c.files[place].Name); err != nil {
			return "", err
		}
	}
	if r.before == nil {
		return "", nil
	}
	return "@@ " + place + "\n" + evidence.Diff(r.before, r.now), nil
}

// FactsWithEvidence returns the current facts with pointers, or the facts at keys. They are
// ordered by the files of their evidence, so that each file is read once.
func (m *Verifier) FactsWithEvidence(ctx context.Context, tip string, keys []string, scope string, reads *core.Reader) (list []facts.Fact, withheld int, err error) {
	branch, now := m.ResolveBranch(""), m.Moment()
	for _, text := range keys {
		key, err := facts.ParseKey(text)
		if err != nil {
			return nil, 0, err
		}
		f, err := m.FactOn(ctx, core.Past{Revision: tip, Date: now}, key, branch)
		if err == nil {
			err = reads.Check(ctx, tip, f)
		}
		if err != nil {
			return nil, 0, err
		}
		list = append(list, f)
	}
	if len(keys) > 0 {
		return list, 0, nil
	}
	_, err = m.Each(ctx, tip, "", func(f facts.Fact) error {
		if len(f.Pointers) == 0 || !core.CurrentOrScheduled(f, now) || core.IsInternal(f.Key) || !core.VisibleOn(f, branch) || !core.UnderScope(f.Scope, scope) {
			return nil
		}
		may, err := reads.MayRead(ctx, tip, f)
		if err == nil && !may {
			withheld++
		} else if err == nil {
			list = append(list, f)
		}
		return err
	})
	slices.SortStableFunc(list, func(a, b facts.Fact) int { return cmp.Compare(a.Pointers[0].Ref, b.Pointers[0].Ref) })
	return list, withheld, err
}

// region is the content of a pointer, and what is in its place now.
type region struct {
	before, now []byte // nil if it is not known
	First, Last int    // of now; 0 of a whole file
}

// Region finds what is in the place of drifted content.
func (c *Checker) Region(ctx context.Context, l Verdict) (region, error) {
	address, err := facts.ParseRef(l.Ref)
	if err != nil || !address.InRepository() || c.NoCode != "" {
		return region{}, nil
	}
	now, err := c.File(ctx, address.Path)
	if err != nil || now.Content == nil {
		return region{}, err
	}
	before, _, err := c.before(ctx, address)
	if err != nil {
		return region{}, err
	}
	was := evidence.Was(address, l.Digest, contentOf(before))
	var r region
	r.before, _ = was.Text()
	if address.FirstLine > 0 && r.before != nil {
		address.FirstLine, address.LastLine = evidence.Mapped(before.Content, now.Content, address.FirstLine, address.LastLine)
	}
	part, err := evidence.Cut(address, now.Content.Bytes())
	if err != nil {
		return r, nil
	}
	r.now, r.First, r.Last = part.Text, address.FirstLine, address.LastLine
	if address.Name != "" {
		r.First, r.Last = part.First, part.Last
	}
	return r, nil
}
