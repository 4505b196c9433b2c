package write

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// maxMeeting bounds how many facts of one commit are compared with each other.
const maxMeeting = 50

// meet compares what is planned with the facts on the tip and with each other, and plans
// the conflicts that it finds, so that a fact and its conflicts arrive in one commit. They
// are what the rules of an audit find, byte for byte. Proposals meet when they are
// accepted, and a large import when it is audited.
func (p *Planner) meet(ctx context.Context) error {
	if p.lookup.meet == nil || p.memoryTip != "" {
		return nil
	}
	e := p.m.compare.NewExaminer(p.Now)
	stated := p.stated(e)
	replaced := func(key facts.Key) bool {
		_, writes := p.pending[key]
		return writes || slices.Contains(p.Ending, key)
	}
	for _, s := range stated {
		if err := p.lookup.meet(e, s, replaced); err != nil {
			return err
		}
	}
	e.MeetEachOther(ctx, stated[:min(len(stated), maxMeeting)])
	for _, c := range e.Found() {
		if err := p.open(ctx, e, c); err != nil {
			return err
		}
	}
	for _, c := range e.Likely {
		if err := p.doubt(ctx, c); err != nil {
			return err
		}
	}
	for _, s := range stated[:min(len(stated), maxMeeting)] {
		if err := p.relate(ctx, e, s, replaced); err != nil {
			return err
		}
	}
	return nil
}

// doubt tells both sides of a likely contradiction, unless somebody has decided about them.
func (p *Planner) doubt(ctx context.Context, c compare.Clash) error {
	decided, err := p.decided(ctx, c.First.Fact, c.Second.Fact)
	if err != nil || decided {
		return err
	}
	p.offers = append(p.offers, compare.OfferOf(c))
	p.tellSides([2]facts.Fact{c.First.Fact, c.Second.Fact}, func(r *CommitResult, other facts.Fact) {
		r.Likely = append(r.Likely, Met{
			FactID: other.ID, Key: other.Key.String(), Claim: other.Claim, Grade: string(detect.GradeLikely),
			Explanation: c.Explanation, Verdict: string(c.Verdict),
		})
	})
	return nil
}

// relate tells of the facts about the same matter that nobody has decided about.
func (p *Planner) relate(ctx context.Context, e *compare.Examiner, s *core.AnalyzedFact, replaced func(facts.Key) bool) error {
	i := slices.IndexFunc(p.Results, func(r CommitResult) bool { return r.Key == s.Fact.Key.String() && !r.Duplicate })
	if i < 0 {
		return nil
	}
	near, err := p.lookup.related(e, s)
	if err != nil {
		return err
	}
	reads := p.m.Reader(p.Manifest, s.Fact.Provenance.Agent)
	for _, n := range near {
		decided, err := p.decided(ctx, s.Fact, n.Fact)
		if err != nil {
			return err
		}
		if decided || replaced(n.Fact.Key) || slices.ContainsFunc(p.Results[i].Likely, func(m Met) bool { return m.FactID == n.Fact.ID }) || !reads.MayReadScope(n.Fact.Scope) {
			continue
		}
		met := Met{FactID: n.Fact.ID, Key: n.Fact.Key.String(), Claim: n.Fact.Claim, Grade: string(detect.GradeRelated), Explanation: "about the same matter; nobody has judged the two yet"}
		p.Results[i].Related = append(p.Results[i].Related, met)
		p.offers = append(p.offers, compare.Offer{KeyA: s.Fact.Key.String(), KeyB: met.Key, A: s.Fact.ID, B: met.FactID, Grade: met.Grade, Score: n.Nearness})
	}
	return nil
}

// decided reports whether a pair has a conflict, planned, open or settled, about the facts as
// they are.
func (p *Planner) decided(ctx context.Context, a, b facts.Fact) (bool, error) {
	if _, planned := p.pending[detect.ConflictKey(detect.ConflictID(a.Lineage, b.Lineage))]; planned {
		return true, nil
	}
	return p.m.audit.Decided(ctx, p.Tip, a, b)
}

// stated returns what is planned and can be a side of a conflict, by key.
func (p *Planner) stated(e *compare.Examiner) []*core.AnalyzedFact {
	var list []*core.AnalyzedFact
	for _, f := range p.pending {
		if e.MayConflict(f) {
			list = append(list, &core.AnalyzedFact{Fact: f, Blob: hex.EncodeToString(facts.DigestOf(f.ID)), Claim: detect.Read(f)})
		}
	}
	slices.SortFunc(list, func(a, b *core.AnalyzedFact) int { return strings.Compare(a.Fact.Key.String(), b.Fact.Key.String()) })
	return list
}

// open plans a conflict, unless the branch has it already or the pair was settled.
func (p *Planner) open(ctx context.Context, e *compare.Examiner, c detect.Conflict) error {
	old, err := p.m.audit.ConflictAt(ctx, p.Tip, c.ID)
	if errors.Is(err, core.ErrUnreadable) {
		return nil // lint reports it
	}
	if err != nil {
		return err
	}
	if old != nil {
		next, write := c.Succeeds(*old)
		if !write {
			if old.Status == detect.Open {
				p.tell(e, *old)
			}
			return nil
		}
		c = next
	}
	if _, secret := p.m.Scanner.Scan(c.Explanation); secret {
		c.Explanation = core.SecretClash
	}
	f := c.Fact()
	if err := facts.Validate(f, p.Manifest); err != nil {
		return fmt.Errorf("conflict with %s: %w", c.B.Key, err)
	}
	p.Set(f)
	p.opened = append(p.opened, core.MessageLine("conflict", f.Key, c.Explanation))
	p.tell(e, c)
	return nil
}

// tell adds a conflict to the results of both of its sides.
func (p *Planner) tell(e *compare.Examiner, c detect.Conflict) {
	i := slices.IndexFunc(e.Clashes, func(x compare.Clash) bool {
		return detect.ConflictID(x.First.Fact.Lineage, x.Second.Fact.Lineage) == c.ID
	})
	if i < 0 {
		return
	}
	p.tellSides([2]facts.Fact{e.Clashes[i].First.Fact, e.Clashes[i].Second.Fact}, func(r *CommitResult, other facts.Fact) {
		r.Contradicts = append(r.Contradicts, Met{
			FactID: other.ID, Key: other.Key.String(), Claim: other.Claim, Grade: string(detect.GradeContradiction),
			Explanation: c.Explanation, Verdict: string(c.Verdict), ConflictID: c.ID,
		})
	})
}

// tellSides calls tell with the result of each fact of a pair that this commit writes, and
// with the other fact if the writer may read it.
func (p *Planner) tellSides(sides [2]facts.Fact, tell func(r *CommitResult, other facts.Fact)) {
	for n, mine := range sides {
		other := sides[1-n]
		if !p.m.Reader(p.Manifest, mine.Provenance.Agent).MayReadScope(other.Scope) {
			continue
		}
		for r := range p.Results {
			if p.Results[r].Key == mine.Key.String() && !p.Results[r].Duplicate {
				tell(&p.Results[r], other)
			}
		}
	}
}

// message returns the message of the commit.
func (p *Planner) message(verb string) string {
	message := core.CommitMessage(verb, p.Lines)
	if len(p.opened) > 0 {
		message += "\n" + strings.Join(p.opened, "\n") + "\n"
	}
	return message
}
