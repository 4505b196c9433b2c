package memory

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
)

// Freshness is the verdict on evidence; package evidence has the verdicts.
type Freshness = evidence.Freshness

// The verdicts on evidence against the checkout at hand.
const (
	Fresh     = evidence.Fresh
	Moved     = evidence.Moved
	Drifted   = evidence.Drifted
	Missing   = evidence.Missing
	Unchecked = evidence.Unchecked
)

// VerifyInput says which facts to hold against which state of the code.
type VerifyInput struct {
	Keys  []string `json:"keys,omitempty"` // none: all that hold
	Scope string   `json:"scope,omitempty"`
	// At is a commit in any name that git knows, "HEAD" for what is committed, or "" for the
	// work tree as it is, which in a bare repository is HEAD.
	At      string `json:"at,omitempty"`
	Diff    bool   `json:"diff,omitempty"` // what drifted is shown as a diff
	AskedBy string `json:"asked_by,omitempty"`
}

// VerifyResult is the verdict on every fact with pointers.
type VerifyResult struct {
	Answer
	Commit   string            `json:"commit"`    // of the code
	WorkTree bool              `json:"work_tree"` // as it is, beyond that commit
	Facts    int               `json:"facts"`     // looked at, those without pointers not counted
	Pointers int               `json:"pointers"`
	Counts   map[Freshness]int `json:"counts"` // of facts
	// Checks are the facts that are not fresh, worst first, then by key; of keys that
	// were named, all.
	Checks   []FactCheck `json:"checks"`
	Withheld int         `json:"withheld"`
}

// FactCheck is the verdict on a fact.
type FactCheck struct {
	Key       facts.Key      `json:"key"`
	Claim     string         `json:"claim"`
	Scope     string         `json:"scope"`
	Freshness Freshness      `json:"freshness"` // the worst of its pointers
	Pointers  []PointerCheck `json:"pointers"`
}

// PointerCheck is the verdict on a pointer.
type PointerCheck struct {
	Ref       string    `json:"ref"`
	Digest    string    `json:"digest,omitempty"`
	Freshness Freshness `json:"freshness"`
	Now       string    `json:"now,omitempty"`    // where the same bytes stand, of what moved
	Reason    string    `json:"reason,omitempty"` // of what is missing or unchecked
	Diff      string    `json:"diff,omitempty"`   // of what drifted, where it was asked for
}

// Verify holds the evidence of facts against the code, however long that takes. It
// writes nothing: a fact is verified anew by a commit (Reverify). Conflicts and other
// bookkeeping are looked at where they are named. The error wraps ErrNotFound where no
// fact stands at a key, or is a *PermissionError.
func (m *Memory) Verify(ctx context.Context, in VerifyInput) (VerifyResult, error) {
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return VerifyResult{}, err
	}
	c, err := m.codeAt(ctx, tip, in.At)
	if err != nil {
		return VerifyResult{}, err
	}
	c.thorough, c.found = true, newLineIndex()
	result := VerifyResult{Answer: answer(tip), Commit: c.commit, WorkTree: c.work, Counts: make(map[Freshness]int), Checks: []FactCheck{}}
	for _, f := range evidence.Freshnesses() {
		result.Counts[f] = 0
	}
	list, withheld, err := m.resting(ctx, tip, in.Keys, in.Scope, m.reader(manifest, in.AskedBy))
	if err != nil {
		return result, err
	}
	result.Facts, result.Withheld = len(list), withheld
	for i, f := range list {
		check, err := c.fact(ctx, f, in.Diff)
		if err != nil {
			return result, err
		}
		result.Pointers += len(f.Pointers)
		result.Counts[check.Freshness]++
		if check.Freshness != Fresh || len(in.Keys) > 0 {
			result.Checks = append(result.Checks, check)
		}
		m.progress("verifying", i+1, len(list))
	}
	slices.SortFunc(result.Checks, func(a, b FactCheck) int {
		return cmp.Or(gravity(a.Freshness)-gravity(b.Freshness), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	return result, nil
}

// gravity orders verdicts, the worst first; what was not checked comes before what is
// well.
func gravity(f Freshness) int {
	return slices.Index([]Freshness{Missing, Drifted, Moved, Unchecked, Fresh}, f)
}

// fact is the verdict on a fact.
func (c *checker) fact(ctx context.Context, f facts.Fact, diff bool) (FactCheck, error) {
	checks, worst, err := c.judge(ctx, f.Pointers)
	if err != nil {
		return FactCheck{}, err
	}
	shown := FactCheck{Key: f.Key, Claim: f.Claim, Scope: f.Scope, Freshness: worst, Pointers: []PointerCheck{}}
	for _, check := range checks {
		if diff && check.Freshness == Drifted {
			if check.Diff, err = c.changed(ctx, check); err != nil {
				return shown, err
			}
		}
		shown.Pointers = append(shown.Pointers, check.PointerCheck)
	}
	return shown, nil
}

// changed is how what drifted became what stands there now, after a line that says
// where that is; "" where nobody can tell. Of a folder it is the names in it.
func (c *checker) changed(ctx context.Context, l located) (string, error) {
	r, err := c.region(ctx, l)
	if err != nil {
		return "", err
	}
	address, err := facts.ParseRef(l.Ref)
	if err != nil {
		return "", nil
	}
	place := address.Path
	switch {
	case r.first > 0:
		place += ":" + strconv.Itoa(r.first)
	case r.before == nil && c.files[place] != nil && c.files[place].Kind == gitstore.CodeFolder:
		before, _, err := c.before(ctx, address)
		if err != nil || before == nil || before.Kind != gitstore.CodeFolder || c.files[place].Name == "" {
			return "", err
		}
		if r.before, err = c.m.listing(ctx, before.Name); err != nil {
			return "", err
		}
		if r.now, err = c.m.listing(ctx, c.files[place].Name); err != nil {
			return "", err
		}
	}
	if r.before == nil {
		return "", nil
	}
	return "@@ " + place + "\n" + evidence.Diff(r.before, r.now), nil
}

// resting are the facts that rest on something: those that hold, or those at keys. They
// are ordered by the files that they rest on, so that each need be read once.
func (m *Memory) resting(ctx context.Context, tip string, keys []string, scope string, reads *reader) (list []facts.Fact, withheld int, err error) {
	branch, now := m.asksOn(""), m.moment()
	for _, text := range keys {
		key, err := facts.ParseKey(text)
		if err != nil {
			return nil, 0, err
		}
		f, err := m.factOn(ctx, past{revision: tip, date: now}, key, branch)
		if err == nil {
			err = reads.check(ctx, tip, f)
		}
		if err != nil {
			return nil, 0, err
		}
		list = append(list, f)
	}
	if len(keys) > 0 {
		return list, 0, nil
	}
	_, err = m.each(ctx, tip, "", func(f facts.Fact) error {
		if len(f.Pointers) == 0 || !open(f, now) || bookkeeping(f.Key) || !seenOn(f, branch) || !underScope(f.Scope, scope) {
			return nil
		}
		may, err := reads.mayFact(ctx, tip, f)
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

// region is where a pointer's part was, and where something stands in its place.
type region struct {
	before, now []byte // nil where it is not known
	first, last int    // of now; 0 of a whole file
}

// region finds what stands in the place of what drifted.
func (c *checker) region(ctx context.Context, l located) (region, error) {
	address, err := facts.ParseRef(l.Ref)
	if err != nil || !address.InRepository() || c.none != "" {
		return region{}, nil
	}
	now, err := c.file(ctx, address.Path)
	if err != nil || now.content == nil {
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
		address.FirstLine, address.LastLine = evidence.Mapped(before.content, now.content, address.FirstLine, address.LastLine)
	}
	part, err := evidence.Cut(address, now.content.Bytes())
	if err != nil {
		return r, nil
	}
	r.now, r.first, r.last = part.Text, address.FirstLine, address.LastLine
	if address.Name != "" {
		r.first, r.last = part.First, part.Last
	}
	return r, nil
}
