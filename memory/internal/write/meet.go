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
	"engram/memory/internal/audit"
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
	p.examiner = e
	var err error
	if e.Doubted, err = p.lookup.doubted(); err != nil {
		return err
	}
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
	p.tellSides(c, func(r *CommitResult, met Met) {
		met.Grade, met.Verdict = string(detect.GradeLikely), string(c.Verdict)
		r.Likely = append(r.Likely, met)
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
		p.offers = append(p.offers, compare.OfferNear(s, n))
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
			list = append(list, analyzed(f))
		}
	}
	slices.SortFunc(list, func(a, b *core.AnalyzedFact) int { return strings.Compare(a.Fact.Key.String(), b.Fact.Key.String()) })
	return list
}

// analyzed reads a planned fact, which has no blob yet: its id names it.
func analyzed(f facts.Fact) *core.AnalyzedFact {
	return &core.AnalyzedFact{Fact: f, Blob: hex.EncodeToString(facts.DigestOf(f.ID)), Claim: detect.Read(f)}
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
		if old.Status == detect.Open {
			// Its versions are left to the next audit: if somebody settles it meanwhile, a
			// merge of the two files must not settle versions that they have not seen.
			p.tell(e, c)
			return nil
		}
		next, write := c.Succeeds(*old)
		if !write {
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
	p.conflictLines = append(p.conflictLines, core.MessageLine("conflict", f.Key, c.Explanation))
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
	p.tellSides(e.Clashes[i], func(r *CommitResult, met Met) {
		met.Grade, met.Verdict, met.ConflictID = string(detect.GradeContradiction), string(c.Verdict), c.ID
		if c.Explanation != e.Clashes[i].Explanation { // a model's, a judge's, or none because of a secret
			met.Explanation = c.Explanation
		}
		r.Contradicts = append(r.Contradicts, met)
	})
}

// tellSides calls tell with the result of each fact of a clash that this commit writes, and
// with the other fact as the writer sees it, if the writer may read it.
func (p *Planner) tellSides(c compare.Clash, tell func(r *CommitResult, met Met)) {
	for _, side := range []detect.Side{detect.SideA, detect.SideB} {
		mine, other := c.First.Fact, c.Second.Fact
		if side == detect.SideB {
			mine, other = other, mine
		}
		if !p.m.Reader(p.Manifest, mine.Provenance.Agent).MayReadScope(other.Scope) {
			continue
		}
		for r := range p.Results {
			if p.Results[r].Key == mine.Key.String() && !p.Results[r].Duplicate {
				tell(&p.Results[r], Met{FactID: other.ID, Key: other.Key.String(), Claim: other.Claim, Explanation: c.SeenFrom(side)})
			}
		}
	}
}

// closeEnded closes the open conflicts that end with what is planned, as the next audit
// would, byte for byte: a side is retired or superseded, or says what the other one says. A
// conflict that a model found stays open if its sides have changed, because only the model
// can say whether they still clash.
func (p *Planner) closeEnded(ctx context.Context) error {
	ids, err := p.disputed(ctx)
	for _, id := range ids {
		c, err := p.m.audit.ConflictAt(ctx, p.Tip, id)
		if errors.Is(err, core.ErrUnreadable) {
			continue // lint reports it
		}
		if err != nil {
			return err
		}
		if c != nil && c.Status == detect.Open {
			err = p.recheck(ctx, *c)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// disputed returns the open conflicts of the facts that are planned, except those that are
// planned themselves, by id.
func (p *Planner) disputed(ctx context.Context) ([]string, error) {
	d, err := p.m.audit.DisputesAt(ctx, p.Tip, nil)
	if err != nil {
		return nil, err
	}
	var ids []string
	for key := range p.pending {
		for _, id := range d.IDs[key.String()] {
			if _, planned := p.pending[detect.ConflictKey(id)]; !planned {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// recheck closes an open conflict if it ends with its sides as they are planned, and tells of
// it if they still clash.
func (p *Planner) recheck(ctx context.Context, c detect.Conflict) error {
	a, err := p.side(ctx, c.A)
	if err != nil {
		return err
	}
	b, err := p.side(ctx, c.B)
	if err != nil {
		return err
	}
	reason, at, over := audit.Ended(c, a, b, p.Now)
	if !over {
		if detect.PartyOf(a.Fact) == c.A && detect.PartyOf(b.Fact) == c.B || c.Tier == detect.TierNLI || c.Tier == detect.TierLLM {
			return nil
		}
		if found, err := p.clash(ctx, a, b); found || err != nil {
			return err
		}
		if reason, at, over = audit.Unclashed(c, a, b); !over {
			return nil
		}
	}
	f := c.Close(reason, at).Fact()
	p.Set(f)
	p.conflictLines = append(p.conflictLines, core.MessageLine("close", f.Key, reason))
	p.noteEnd(c.A, b, reason)
	p.noteEnd(c.B, a, reason)
	return nil
}

// side reads a side of a conflict as this commit leaves it; nil if nothing stands there.
func (p *Planner) side(ctx context.Context, party detect.Party) (*core.AnalyzedFact, error) {
	if f, planned := p.pending[party.Key]; planned {
		return analyzed(f), nil
	}
	return p.m.ConflictSide(ctx, p.Tip, party)
}

// clash reports whether two facts still clash, and tells of it if they were not compared
// before.
func (p *Planner) clash(ctx context.Context, a, b *core.AnalyzedFact) (found bool, err error) {
	if p.examiner == nil {
		p.examiner = p.m.compare.NewExaminer(p.Now)
		if p.examiner.Doubted, err = p.m.audit.Doubted(ctx, p.Tip, nil); err != nil {
			return false, err
		}
	}
	pair, fresh := p.examiner.Pair(a, b, 0)
	if !fresh {
		found = slices.ContainsFunc(p.examiner.Clashes, func(c compare.Clash) bool {
			return c.First.Blob == pair.First.Blob && c.Second.Blob == pair.Second.Blob
		})
		return found, nil
	}
	if !p.examiner.Compare(ctx, pair) {
		return false, nil
	}
	c := p.examiner.Clashes[len(p.examiner.Clashes)-1]
	return true, p.open(ctx, p.examiner, detect.NewConflict(c.First.Fact, c.Second.Fact, c.Finding, c.Basis))
}

// noteEnd tells the writer of one side that its conflict with the other side is over, if
// the writer may read that one.
func (p *Planner) noteEnd(mine detect.Party, other *core.AnalyzedFact, reason string) {
	f, planned := p.pending[mine.Key]
	if !planned || other == nil || !p.m.Reader(p.Manifest, f.Provenance.Agent).MayReadScope(other.Fact.Scope) {
		return
	}
	for i := range p.Results {
		if p.Results[i].Key == mine.Key.String() && !p.Results[i].Duplicate {
			p.Results[i].Notes = append(p.Results[i].Notes, fmt.Sprintf("this ends the conflict with %s: %s", other.Fact.Key, reason))
		}
	}
}

// message returns the message of the commit.
func (p *Planner) message(verb string) string {
	message := core.CommitMessage(verb, p.Lines)
	if len(p.conflictLines) > 0 {
		message += "\n" + strings.Join(p.conflictLines, "\n") + "\n"
	}
	return message
}
