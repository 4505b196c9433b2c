package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// StagedFile is a file of the memory branch that a commit made by git would
// write.
type StagedFile struct {
	Path string // on the branch
	Data []byte // nil where it is larger than any fact
}

// StagedResult says what is wrong with what is staged.
type StagedResult struct {
	Answer
	Checked  int       `json:"checked"` // files
	Findings []Finding `json:"findings"`
	// Secrets are the files in which something looks like a secret.
	Secrets []StagedSecret `json:"secrets"`
	// Clashes are conflicts that the commit would bring, and that nobody has
	// settled.
	Clashes []StagedClash `json:"clashes"`
	// Compared is how many staged facts were held against the memory, Left how
	// many were not, because there are too many.
	Compared int          `json:"compared"`
	Left     int          `json:"left"`
	Gates    []facts.Gate `json:"gates"` // that the team set
	// Refused reports whether a gate forbids the commit, or a secret does.
	Refused bool `json:"refused"`
}

// StagedSecret is a text that may not be committed. It is never repeated.
type StagedSecret struct {
	Path  string `json:"path"`
	Field string `json:"field"` // of the fact; "" for the file as a whole
	Rule  string `json:"rule"`
}

// StagedClash is a clash of a staged fact with another one.
type StagedClash struct {
	Clash
	Key  string `json:"key"`  // of the staged fact, the side a
	With string `json:"with"` // of the other one
}

// maxStagedFacts is how many staged facts are held against the memory: somebody
// waits for the answer.
const maxStagedFacts = 50

// CheckStaged examines what a commit made by git on the memory branch would
// write: secrets, what Lint finds, and clashes by the rules alone. It writes
// nothing, and works where the branch has no commit yet.
func (m *Memory) CheckStaged(ctx context.Context, files []StagedFile) (StagedResult, error) {
	result := StagedResult{
		Answer: answer(""), Checked: len(files), Findings: []Finding{}, Secrets: []StagedSecret{}, Clashes: []StagedClash{}, Gates: []facts.Gate{},
	}
	tip, manifest, err := m.tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoBranch) && !errors.Is(err, ErrNotMemory) {
		return result, err
	}
	if err != nil {
		tip = ""
	}
	result.Answer, result.Gates = answer(tip), append(result.Gates, manifest.Gates...)
	l := newLinter(manifest)
	staged := make(map[facts.Key]*stated)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return result, context.Cause(ctx)
		}
		f, isFact := l.staged(file)
		result.Secrets = append(result.Secrets, m.stagedSecrets(file, f)...)
		if isFact {
			staged[f.Key] = &stated{f, "staged:" + file.Path, detect.Read(f)}
		}
	}
	result.Findings = append(result.Findings, l.findings...)
	if tip != "" {
		err = m.stagedClashes(ctx, tip, staged, &result)
	} else {
		err = nil
	}
	result.Refused = result.refused()
	return result, err
}

// refused is what the gates make of the result. Secrets need no gate.
func (r StagedResult) refused() bool {
	bad := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity != SeverityAdvice }) // what Lint says no to
	clashing := slices.ContainsFunc(r.Clashes, func(c StagedClash) bool { return c.Verdict != string(detect.Evolution) })
	return len(r.Secrets) > 0 || bad && slices.Contains(r.Gates, facts.GateLint) || clashing && slices.Contains(r.Gates, facts.GateConflicts)
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
	f, err := parse(onBranch)
	return f, err == nil
}

// stagedSecrets scans a file as it is, and every text of the fact in it: YAML
// may write a text so that no pattern sees it.
func (m *Memory) stagedSecrets(file StagedFile, f facts.Fact) (found []StagedSecret) {
	if rule, is := m.scanner.Scan(string(file.Data)); is {
		return []StagedSecret{{file.Path, "", rule}}
	}
	for _, text := range (draft{fact: f}).texts() {
		if rule, is := m.scanner.Scan(text.value); is && text.value != "" {
			found = append(found, StagedSecret{file.Path, text.field, rule})
		}
	}
	return found
}

// stagedClashes holds staged facts against those on the tip that are not staged
// themselves, and against each other.
func (m *Memory) stagedClashes(ctx context.Context, tip string, staged map[facts.Key]*stated, result *StagedResult) error {
	e := m.newExaminer(ctx, m.moment())
	var list []*stated
	for _, s := range staged {
		if e.concerns(s.fact) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *stated) int { return strings.Compare(a.fact.Key.String(), b.fact.Key.String()) })
	if len(list) > maxStagedFacts {
		result.Left = len(list) - maxStagedFacts
		list = list[:maxStagedFacts]
	}
	if len(list) == 0 {
		return nil
	}
	settled, err := m.conflictsAt(ctx, tip)
	if err != nil {
		return err
	}
	for i, s := range list {
		begin := len(e.clashes)
		if err := e.compareWithAll(tip, s); err != nil {
			return err
		}
		e.clashes = slices.DeleteFunc(e.clashes, func(c clash) bool {
			return c.a == s && staged[c.b.fact.Key] != nil // it is about to change
		})
		for _, other := range list[i+1:] {
			e.compare(pairing{a: s, b: other})
		}
		for _, c := range e.clashes[begin:] {
			if !known(settled, c) {
				result.Clashes = append(result.Clashes, StagedClash{showClash(c.Finding, c.a.fact.Claim, c.b.fact.Claim), c.a.fact.Key.String(), c.b.fact.Key.String()})
			}
		}
		result.Compared++
	}
	return nil
}

// known reports whether the branch has a clash already, as it is.
func known(conflicts map[string]detect.Conflict, c clash) bool {
	a, b := detect.Order(c.a.fact, c.b.fact)
	old, exists := conflicts[detect.ConflictID(a.Lineage, b.Lineage)]
	if !exists {
		return false
	}
	_, news := detect.NewConflict(a, b, c.Finding, c.basis).Succeeds(old)
	return !news
}
