// Package judge records what agents and people say of pairs of facts that the rules could
// not decide. A verdict is kept as the conflict of the pair: open if the two contradict each
// other, dismissed if both hold. It travels with the branch, so nobody is asked twice. It
// settles no conflict that was found by other means; package resolve does.
package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"engram/detect"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Judge records verdicts on pairs of facts.
type Judge struct {
	*core.Memory
	audit   *audit.Auditor
	compare *compare.Comparer
	write   *write.Writer
}

// New returns the Judge of a memory.
func New(m *core.Memory) *Judge {
	return &Judge{Memory: m, audit: audit.New(m), compare: compare.New(m), write: write.New(m)}
}

// The verdicts on a pair.
const (
	Contradicts = detect.SaysContradicts
	Same        = detect.SaysSame
	Evolves     = detect.SaysEvolves
	Compatible  = detect.SaysCompatible
)

// Verdicts lists the verdicts.
func Verdicts() []string { return []string{Contradicts, Same, Evolves, Compatible} }

// maxVerdicts bounds the verdicts of one call.
const maxVerdicts = 20

// maxReason bounds the characters of a reason, so that two of them fit into a claim.
const maxReason = 150

// Verdict is what a judge says of one pair.
type Verdict struct {
	A       string `json:"a" help:"key of one fact"`
	B       string `json:"b" help:"key of the other"`
	Verdict string `json:"verdict" enum:"contradicts,same,evolves,compatible" help:"contradicts: both cannot hold; same: they say the same; evolves: one is the newer state of the other; compatible: both hold"`
	Reason  string `json:"reason" help:"why, in one sentence"`
	Newer   string `json:"newer,omitempty" help:"for evolves: the key of the newer one"`
}

// Input is a list of verdicts by one judge.
type Input struct {
	Verdicts []Verdict `json:"verdicts" help:"the pairs, each with a verdict and a reason; at most 20"`
	Agent    string    `json:"agent_id,omitempty" flag:"agent,a,NAME" default:"the caller" help:"NAME of the agent that judges"`
	// Model is the language model that judged on behalf of the agent, which needs the
	// permissions; the verdicts are the model's. "" if the agent judged by itself.
	Model string `json:"-"`
}

// Judged says what became of one verdict.
type Judged struct {
	A          string `json:"a"`
	B          string `json:"b"`
	Verdict    string `json:"verdict"`
	ConflictID string `json:"conflict_id"`
	Status     string `json:"status"` // of the conflict now: open, dismissed, resolved
	Note       string `json:"note,omitempty"`
}

// Result says what became of the verdicts.
type Result struct {
	core.Answer
	Judged []Judged `json:"judged"`
}

// Record writes verdicts, in one commit: all of them or none. It never settles a conflict
// that was found otherwise, and ends no fact.
func (m *Judge) Record(ctx context.Context, in Input) (Result, error) {
	in.Verdicts = slices.Clone(in.Verdicts)
	for i := range in.Verdicts {
		v := &in.Verdicts[i]
		v.A, v.B, v.Newer = strings.TrimSpace(v.A), strings.TrimSpace(v.B), strings.TrimSpace(v.Newer)
	}
	if err := m.check(in); err != nil {
		return Result{}, err
	}
	if tip, err := m.Store.Tip(ctx); err == nil && tip != "" {
		m.write.Warm(ctx, tip) // the trust in the judge comes from the index; other writers must not wait for that
	}
	var result Result
	revision, err := m.write.Update(ctx, "judge", func(p *write.Planner) error {
		result.Judged = []Judged{}
		judge, err := m.judgeOf(ctx, p, in)
		if err != nil {
			return err
		}
		for i, v := range in.Verdicts {
			judged, err := m.one(ctx, p, judge, v)
			if err != nil {
				return in.at(i, err)
			}
			if slices.ContainsFunc(result.Judged, func(j Judged) bool { return j.ConflictID == judged.ConflictID }) {
				return core.UsageErrorf(hint.New("give one verdict on each pair"), "verdict %d: there are two verdicts on %s and %s", i+1, v.A, v.B)
			}
			result.Judged = append(result.Judged, judged)
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	result.Answer = core.AnswerAt(revision)
	return result, nil
}

// check rejects malformed verdicts.
func (m *Judge) check(in Input) error {
	switch n := len(in.Verdicts); {
	case n == 0:
		return core.UsageErrorf(hint.New("%s takes a verdict on two facts; %s shows which pairs wait for one", hint.Do(hint.Judge), hint.Do(hint.ListUndecided)), "no verdict was given")
	case n > maxVerdicts:
		return core.UsageErrorf(hint.New("send the rest in another call"), "%d verdicts in one call; at most %d are allowed", n, maxVerdicts)
	}
	for i, v := range in.Verdicts {
		if err := m.checkVerdict(v); err != nil {
			return in.at(i, err)
		}
	}
	if detect.IsPerson(in.Agent) || detect.IsPerson(in.Model) {
		return core.UsageErrorf(hint.New("omit it if a person judges"), "%.40q is no name of an agent", cmp.Or(in.Model, in.Agent))
	}
	return cmp.Or(m.ScanText("agent", in.Agent), m.ScanText("model", in.Model))
}

// checkVerdict rejects a malformed verdict.
func (m *Judge) checkVerdict(v Verdict) error {
	switch {
	case !slices.Contains(Verdicts(), v.Verdict):
		return core.UsageErrorf(core.DidYouMean(v.Verdict, Verdicts()), "the verdict %.40q is not one of %s", v.Verdict, core.JoinOr(Verdicts()))
	case facts.FoldSpace(v.Reason) == "":
		return core.UsageErrorf(hint.New("say in %s why, in one sentence", hint.Reason), "the reason is missing")
	case utf8.RuneCountInString(v.Reason) > maxReason:
		return core.UsageErrorf(hint.New("one sentence is enough for %s", hint.Reason), "the reason has more than %d characters", maxReason)
	case v.Verdict == Evolves && v.Newer == "":
		return core.UsageErrorf(hint.New("name it in %s", hint.Newer), "the verdict evolves needs the key of the newer fact")
	case v.Verdict != Evolves && v.Newer != "":
		return core.UsageErrorf(hint.New("omit %s, or give the verdict evolves", hint.Newer), "the verdict %s takes no newer fact", v.Verdict)
	case v.Newer != "" && v.Newer != v.A && v.Newer != v.B:
		return core.UsageErrorf(hint.New("%s is one of the two keys", hint.Newer), "the newer fact %.80q is neither %s nor %s", v.Newer, v.A, v.B)
	}
	return m.ScanText("reason", v.Reason)
}

// at says which of several verdicts an error is about.
func (in Input) at(i int, err error) error {
	if len(in.Verdicts) == 1 {
		return err
	}
	return fmt.Errorf("verdict %d: %w", i+1, err)
}

// oneJudge is who gives the verdicts of one call.
type oneJudge struct {
	agent    string // whose permissions and rate count
	name     string // in the verdicts: the model or the agent; "" is a person
	engineer string
	disputed bool            // most facts of the judge are disputed
	doubted  map[string]bool // families that open no conflicts
}

// disputedBelow is the trust below which an agent counts less as a judge.
const disputedBelow = 0.5

func (m *Judge) judgeOf(ctx context.Context, p *write.Planner, in Input) (j oneJudge, err error) {
	j = oneJudge{agent: in.Agent, name: p.StoredName(cmp.Or(in.Model, in.Agent)), engineer: p.Engineer}
	if j.doubted, err = m.audit.Doubted(ctx, p.Tip, nil); err != nil || j.name == "" {
		return j, err
	}
	trust, err := m.audit.TrustOf(ctx, p.Tip, j.name)
	j.disputed = trust < disputedBelow
	return j, err
}

// one plans one verdict.
func (m *Judge) one(ctx context.Context, p *write.Planner, j oneJudge, v Verdict) (Judged, error) {
	a, err := m.side(ctx, p, j.agent, v.A)
	if err != nil {
		return Judged{}, err
	}
	b, err := m.side(ctx, p, j.agent, v.B)
	if err != nil {
		return Judged{}, err
	}
	if a.Lineage == b.Lineage {
		return Judged{}, core.UsageErrorf(hint.New("name two facts"), "%s and %s are the same fact", v.A, v.B)
	}
	o := opinion{verdict: v.Verdict, reason: facts.FoldSpace(v.Reason), agent: j.name, engineer: j.engineer, disputed: j.disputed, at: p.Now}
	newer := b.Lineage
	if v.Newer == v.A {
		newer = a.Lineage
	}
	o.a, o.b = detect.Order(a, b)
	o.newer = detect.SideB
	if o.a.Lineage == newer {
		o.newer = detect.SideA
	}
	return m.plan(ctx, p, j, o)
}

// plan plans what the conflict of a pair becomes. It notes the family of what the rules find,
// so that the verdict counts for or against that.
func (m *Judge) plan(ctx context.Context, p *write.Planner, j oneJudge, o opinion) (Judged, error) {
	id := detect.ConflictID(o.a.Lineage, o.b.Lineage)
	judged := Judged{A: o.a.Key.String(), B: o.b.Key.String(), Verdict: o.verdict, ConflictID: id}
	old, err := m.audit.ConflictAt(ctx, p.Tip, id)
	if err != nil {
		return judged, err
	}
	found, clash := detect.Assess(detect.Read(o.a), detect.Read(o.b))
	if clash && found.Grade != detect.GradeRelated {
		o.family, o.grade = found.Family, found.Grade
	}
	if clash && found.Grade == detect.GradeContradiction && !j.doubted[found.Family] && (old == nil || old.Status == detect.Closed || !o.about(*old)) {
		judged.Status, judged.Note = string(detect.Open), settleIt(found.Tier, id)
		return judged, nil
	}
	next, note, writes := o.on(old)
	judged.Status, judged.Note = string(next.Status), note
	if !writes {
		return judged, nil
	}
	f := next.Fact()
	if err := facts.Validate(f, p.Manifest); err != nil {
		return Judged{}, err
	}
	p.Charge(j.agent)
	p.Set(f)
	p.Lines = append(p.Lines, core.MessageLine("judge", f.Key, f.Claim))
	return judged, nil
}

// side reads one fact of a pair, which must stand and be readable and writable by the judge.
func (m *Judge) side(ctx context.Context, p *write.Planner, agent, name string) (facts.Fact, error) {
	key, err := facts.ParseKey(name)
	if err != nil {
		return facts.Fact{}, err
	}
	f, found, err := p.At(ctx, key)
	switch {
	case err != nil:
		return f, err
	case !found || !m.Reader(p.Manifest, agent).MayReadScope(f.Scope) || !compare.MayConflict(f, p.Now):
		return f, fmt.Errorf("%w: %s is not a durable current fact", core.ErrNotFound, key)
	}
	return f, p.MayWrite(agent, f.Scope, p.Now)
}
