package health

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// StagedFile is a file of the memory branch that a commit made by git would
// write.
type StagedFile struct {
	Path string // on the branch
	Data []byte // nil if it is larger than any fact
}

// StagedResult says what is wrong with the staged files.
type StagedResult struct {
	core.Answer
	Checked  int       `json:"checked"` // files
	Findings []Finding `json:"findings"`
	// Secrets are the files in which something looks like a secret.
	Secrets []StagedSecret `json:"secrets"`
	// Clashes are conflicts that the commit would add and that are not settled.
	Clashes []StagedClash `json:"clashes"`
	// Withheld counts such conflicts with facts that may not be read. They can forbid the commit.
	Withheld int `json:"withheld"`
	// Compared is how many staged facts were compared with the memory, Left how many were
	// not because there are too many.
	Compared int          `json:"compared"`
	Left     int          `json:"left"`
	Gates    []facts.Gate `json:"gates"` // that the team set
	// Refused reports whether a gate forbids the commit, or a secret does.
	Refused bool `json:"refused"`

	clashing bool // a clash is no evolution, listed or not
}

// StagedSecret is a text that must not be committed. It is never repeated.
type StagedSecret struct {
	Path  string `json:"path"`
	Field string `json:"field"` // of the fact; "" for the file as a whole
	Rule  string `json:"rule"`
}

// StagedClash is a clash of a staged fact with another one.
type StagedClash struct {
	core.Clash
	Key  string `json:"key"`  // of the staged fact, the side a
	With string `json:"with"` // of the other one
}

// maxStagedFacts is how many staged facts are compared with the memory: a user waits for
// the answer.
const maxStagedFacts = 50

// CheckStaged examines what a commit made by git on the memory branch would
// write: secrets, what Lint finds, and clashes by the rules alone. It writes
// nothing, and works before the first commit on the branch.
func (m *Doctor) CheckStaged(ctx context.Context, files []StagedFile) (StagedResult, error) {
	result := StagedResult{
		Answer: core.AnswerAt(""), Checked: len(files), Findings: []Finding{}, Secrets: []StagedSecret{}, Clashes: []StagedClash{}, Gates: []facts.Gate{},
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoBranch) && !errors.Is(err, core.ErrNotMemory) {
		return result, err
	}
	if err != nil {
		tip = ""
	}
	result.Answer, result.Gates = core.AnswerAt(tip), append(result.Gates, manifest.Gates...)
	l := newLinter(manifest)
	staged := make(map[facts.Key]*core.AnalyzedFact)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return result, context.Cause(ctx)
		}
		f, isFact := l.staged(file)
		result.Secrets = append(result.Secrets, m.stagedSecrets(file, f)...)
		if isFact {
			staged[f.Key] = &core.AnalyzedFact{Fact: f, Blob: "staged:" + file.Path, Claim: detect.Read(f)}
		}
	}
	result.Findings = append(result.Findings, l.findings...)
	if tip != "" {
		err = m.stagedClashes(ctx, tip, m.Reader(manifest, ""), staged, &result)
	} else {
		err = nil
	}
	result.Refused = result.rejected()
	return result, err
}

// rejected reports whether the gates forbid the commit. Secrets need no gate.
func (r StagedResult) rejected() bool {
	bad := slices.ContainsFunc(r.Findings, Finding.fails)
	return len(r.Secrets) > 0 || bad && slices.Contains(r.Gates, facts.GateLint) || r.clashing && slices.Contains(r.Gates, facts.GateConflicts)
}

// staged lints one staged file, the manifest included.
func (l *linter) staged(file StagedFile) (f facts.Fact, isFact bool) {
	if file.Path == facts.ManifestPath {
		if _, err := facts.ParseManifest(file.Data); err != nil {
			l.add(file.Path, SeverityError, "", err.Error(), "")
		}
		return f, false
	}
	onBranch := gitstore.File{Path: file.Path, Data: file.Data}
	if file.Data == nil {
		onBranch.Err = fmt.Errorf("%w: no fact has more than %d bytes", gitstore.ErrTooLarge, facts.MaxFile)
	}
	l.file(onBranch)
	f, err := core.Parse(onBranch)
	return f, err == nil
}

// stagedSecrets scans the bytes of a file and every text of its fact: YAML can encode a
// text so that no pattern matches its bytes.
func (m *Doctor) stagedSecrets(file StagedFile, f facts.Fact) (found []StagedSecret) {
	if rule, is := m.Scanner.Scan(string(file.Data)); is {
		return []StagedSecret{{file.Path, "", rule}}
	}
	for _, text := range (write.Draft{Fact: f}).Texts() {
		if rule, is := m.Scanner.Scan(text.Value); is && text.Value != "" {
			found = append(found, StagedSecret{file.Path, text.Path, rule})
		}
	}
	return found
}

// stagedClashes compares staged facts with those at the tip that are not staged, and with
// each other.
func (m *Doctor) stagedClashes(ctx context.Context, tip string, reads *core.Reader, staged map[facts.Key]*core.AnalyzedFact, result *StagedResult) error {
	e := m.compare.NewExaminer(m.Moment())
	var list []*core.AnalyzedFact
	for _, s := range staged {
		if e.MayConflict(s.Fact) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *core.AnalyzedFact) int { return strings.Compare(a.Fact.Key.String(), b.Fact.Key.String()) })
	if len(list) > maxStagedFacts {
		result.Left = len(list) - maxStagedFacts
		list = list[:maxStagedFacts]
	}
	if len(list) == 0 {
		return nil
	}
	settled, err := m.audit.ConflictsAt(ctx, tip)
	if err == nil {
		e.Doubted, err = m.audit.Doubted(ctx, tip, nil)
	}
	if err != nil {
		return err
	}
	for i, s := range list {
		begin := len(e.Clashes)
		if err := e.CompareWithAll(ctx, tip, s); err != nil {
			return err
		}
		e.Clashes = slices.DeleteFunc(e.Clashes, func(c compare.Clash) bool {
			return c.First == s && staged[c.Second.Fact.Key] != nil // it is about to change
		})
		for _, other := range list[i+1:] {
			e.Compare(ctx, compare.Pairing{First: s, Second: other})
		}
		for _, c := range e.Clashes[begin:] {
			if known(settled, c) {
				continue
			}
			result.clashing = result.clashing || c.Finding.Verdict != detect.Evolution
			if staged[c.Second.Fact.Key] == nil && !reads.MayReadScope(c.Second.Fact.Scope) {
				result.Withheld++
			} else {
				result.Clashes = append(result.Clashes, StagedClash{compare.ShowClash(c.Finding, c.First.Fact.Claim, c.Second.Fact.Claim), c.First.Fact.Key.String(), c.Second.Fact.Key.String()})
			}
		}
		result.Compared++
	}
	return nil
}

// known reports whether the branch has a clash already.
func known(conflicts map[string]detect.Conflict, c compare.Clash) bool {
	a, b := detect.Order(c.First.Fact, c.Second.Fact)
	old, exists := conflicts[detect.ConflictID(a.Lineage, b.Lineage)]
	if !exists {
		return false
	}
	_, news := detect.NewConflict(a, b, c.Finding, c.Basis).Succeeds(old)
	return !news
}
