package exchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/bus"
	"engram/evidence"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/ask"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// TaskFinding is one thing that an agent found out, and the references that it rests on.
type TaskFinding = bus.Finding

// completeFindings returns findings with whole references, and the pointers of a fact with
// theirs. The error names the finding that cannot be checked here.
func (m *Bus) completeFindings(ctx context.Context, in ReportInput, pointers []core.Pointer) ([]bus.Finding, []core.Pointer, error) {
	var findings []bus.Finding
	for i, f := range in.Findings {
		name := fmt.Sprintf("finding %d (%.60q)", i+1, facts.FoldSpace(f.Text))
		done := bus.Finding{Text: facts.FoldSpace(f.Text)}
		if done.Text == "" {
			return nil, nil, core.UsageErrorf(findingHint, "finding %d says nothing; nothing was written", i+1)
		}
		readable := false
		for _, ref := range f.Pointers {
			whole, err := m.completeAll(ctx, in.Agent, nil, []core.Pointer{{Ref: ref}})
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w; nothing was written", name, err)
			}
			if !slices.Contains(done.Pointers, whole[0].Ref) {
				done.Pointers = append(done.Pointers, whole[0].Ref)
			}
			if !slices.ContainsFunc(pointers, func(p core.Pointer) bool { return p.Ref == whole[0].Ref }) {
				pointers = append(pointers, whole[0])
			}
			readable = readable || !strings.HasPrefix(whole[0].Ref, string(facts.PointURL)+":")
		}
		if !readable {
			return nil, nil, core.UsageErrorf(findingHint, "%s has no pointer to anything that can be read here; nothing was written", name)
		}
		findings = append(findings, done)
	}
	if len(findings) > 0 && len(pointers) > facts.MaxPointers {
		return nil, nil, core.UsageErrorf(hint.New("report the findings that matter, or point to wider places"),
			"the result has %d pointers in all, at most %d fit; nothing was written", len(pointers), facts.MaxPointers)
	}
	return findings, pointers, nil
}

var findingHint = hint.New("write it as TEXT @ POINTER, where POINTER is PATH:LINES, sam:SESSION@EVENT, artifact:DIGEST or the key of a fact")

// FindingsInput names a task that has a result.
type FindingsInput struct {
	Key     string `json:"key" help:"key of the task, sdd/FLOW/ID/CHILD"`
	AskedBy string `json:"asked_by,omitempty"`
}

// FindingsResult is what an agent found out, and how its evidence stands.
type FindingsResult struct {
	core.Answer
	Key   string `json:"key"`
	Claim string `json:"claim"` // the result
	Agent string `json:"agent_id,omitempty"`
	// Commit is that of the code that pointers into it were compared with, and WorkTree says that
	// it was the work tree; zero if no finding has such a pointer.
	Commit   string                 `json:"commit"`
	WorkTree bool                   `json:"work_tree"`
	Counts   map[core.Freshness]int `json:"counts"` // of findings
	Findings []FindingCheck         `json:"findings"`
}

// FindingCheck is a finding with the verdict on its evidence.
type FindingCheck struct {
	Text      string               `json:"text"`
	Freshness core.Freshness       `json:"freshness"` // the worst of its pointers
	Pointers  []proof.PointerCheck `json:"pointers"`
}

// Findings checks the evidence of each finding of a result, as Verify does. The error wraps
// ErrNotFound if the task has no result yet, and ErrUsage if it is not a task.
func (m *Bus) Findings(ctx context.Context, in FindingsInput) (FindingsResult, error) {
	there, err := m.ask.Get(ctx, ask.GetInput{Key: in.Key, AskedBy: in.AskedBy})
	if err != nil {
		return FindingsResult{}, err
	}
	f := there.Fact
	switch {
	case strings.HasPrefix(f.Claim, bus.TaskMark):
		return FindingsResult{}, core.NotFoundErrorf(hint.New("its agent states it with %s", hint.Do(hint.ReportResult, f.Key.String(), "RESULT")), "the task %s has no result yet", f.Key)
	case !strings.HasPrefix(f.Claim, bus.ResultMark):
		return FindingsResult{}, errNoTask(in.Key)
	}
	verified, err := m.proof.Verify(ctx, proof.VerifyInput{Keys: []string{f.Key.String()}, AskedBy: in.AskedBy})
	if err != nil {
		return FindingsResult{}, err
	}
	result := FindingsResult{
		Answer: verified.Answer, Key: f.Key.String(), Claim: f.Claim, Agent: f.AgentID,
		Counts: make(map[core.Freshness]int), Findings: []FindingCheck{},
	}
	for _, verdict := range evidence.Freshnesses() {
		result.Counts[verdict] = 0
	}
	_, list := bus.ParseFindings(f.Detail)
	for _, finding := range list {
		check := FindingCheck{Text: finding.Text, Pointers: []proof.PointerCheck{}}
		var all []core.Freshness
		for _, ref := range finding.Pointers {
			p := proof.PointerCheck{Ref: ref, Freshness: core.Unchecked, Reason: "the result does not have this pointer"}
			for _, c := range verified.Checks {
				if i := slices.IndexFunc(c.Pointers, func(of proof.PointerCheck) bool { return of.Ref == ref }); i >= 0 {
					p = c.Pointers[i]
				}
			}
			if a, err := facts.ParseRef(ref); err == nil && a.InRepository() {
				result.Commit, result.WorkTree = verified.Commit, verified.WorkTree
			}
			check.Pointers, all = append(check.Pointers, p), append(all, p.Freshness)
		}
		check.Freshness = evidence.Worst(all)
		result.Counts[check.Freshness]++
		result.Findings = append(result.Findings, check)
	}
	return result, nil
}

func errNoTask(key string) error {
	return core.UsageErrorf(hint.New("%s finds tasks by the word task:; %s states anything else", hint.Do(hint.Query), hint.Do(hint.Commit)), "%s is not a task", key)
}
