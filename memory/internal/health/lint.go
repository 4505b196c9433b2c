package health

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// Severity says how much a finding matters.
type Severity string

// The severities. Lint fails for errors and files that are not canonical, not for advice.
const (
	SeverityError        Severity = "error"         // not a fact, or not valid
	SeverityNotCanonical Severity = "not-canonical" // a fact that engram would write in another way
	SeverityAdvice       Severity = "advice"
)

// Finding is one finding of Lint.
type Finding struct {
	Path       string   `json:"path"` // on the branch, or the text of a key
	Severity   Severity `json:"severity"`
	Field      string   `json:"field,omitempty"`
	Problem    string   `json:"problem"`
	Suggestion string   `json:"suggestion,omitempty"`
}

// fails reports whether a finding makes Lint fail.
func (f Finding) fails() bool { return f.Severity != SeverityAdvice }

// LintResult is the findings of Lint.
type LintResult struct {
	core.Answer
	Checked  int       `json:"checked"`  // files or keys
	Withheld int       `json:"withheld"` // files among them that are not told of, because they may not be read
	Findings []Finding `json:"findings"`
	// Canonical reports whether there are no findings other than advice.
	Canonical bool `json:"canonical"`
}

// CategoryAdvice is the number of facts in one category above which every
// commit to it gets slow: git rewrites the whole folder each time.
const CategoryAdvice = 2000

// Lint checks every file of the branch, or only the given texts as keys. A bad file is a
// finding, not an error.
func (m *Doctor) Lint(ctx context.Context, keys []string) (LintResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return LintResult{}, err
	}
	l := newLinter(manifest)
	l.reads = m.Reader(manifest, "")
	result := LintResult{Answer: core.AnswerAt(tip), Findings: []Finding{}}
	if len(keys) > 0 {
		result.Checked = len(keys)
		for _, key := range keys {
			if err := m.ScanText("key", key); err != nil { // findings repeat the key
				return result, err
			}
			l.key(key, key)
		}
	} else if result.Checked, err = m.lintBranch(ctx, tip, &l); err != nil {
		return result, err
	}
	result.Withheld = l.withheld
	result.Findings = append(result.Findings, l.findings...)
	result.Canonical = !slices.ContainsFunc(result.Findings, Finding.fails)
	return result, nil
}

func (m *Doctor) lintBranch(ctx context.Context, tip string, l *linter) (checked int, err error) {
	files, err := m.Store.Files(ctx, tip, "")
	if err != nil {
		return 0, err
	}
	for file, err := range m.Store.ReadAll(ctx, files) {
		if err != nil {
			return checked, err
		}
		checked++
		m.Progress("checking", checked, len(files))
		may, err := l.mayTell(ctx, tip, file)
		if err != nil {
			return checked, err
		}
		if may {
			l.file(file)
		} else {
			l.withheld++
		}
	}
	l.crossChecks()
	return checked, nil
}

// mayTell reports whether the reader may know of a file. Nothing says who may read a damaged one,
// so a limited reader may not.
func (l *linter) mayTell(ctx context.Context, tip string, file gitstore.File) (bool, error) {
	if l.reads == nil || !core.IsFactFile(file) {
		return true, nil
	}
	f, err := core.Parse(file)
	if err != nil {
		return false, nil
	}
	return l.reads.MayRead(ctx, tip, f)
}

type linter struct {
	reads    *core.Reader // whose files it tells of
	withheld int
	manifest facts.Manifest
	findings []Finding
	ids      map[string]string // path by version id
	open     map[string]string // path of the fact without an end by lineage
	folded   map[string]string // path by path in lower case
	folders  map[string]int    // facts by folder
}

func newLinter(manifest facts.Manifest) linter {
	return linter{
		manifest: manifest, ids: make(map[string]string), open: make(map[string]string), folders: make(map[string]int), folded: make(map[string]string),
	}
}

func (l *linter) add(path string, severity Severity, field, problem, suggestion string) {
	l.findings = append(l.findings, Finding{path, severity, field, problem, suggestion})
}

// key checks a text as a key; ok is whether it is one the team uses.
func (l *linter) key(path, text string) (ok bool) {
	key, err := facts.ParseKey(text)
	if err == nil {
		err = l.manifest.CheckKey(key)
	}
	if err == nil {
		return true
	}
	problem := err.Error()
	var bad *facts.KeyError
	if errors.As(err, &bad) {
		problem = bad.Problem
	}
	suggestion, note := l.manifest.SuggestKey(text)
	if note != "" {
		suggestion += " (" + note + ")"
	}
	l.add(path, SeverityError, "key", problem, suggestion)
	return false
}

func (l *linter) file(file gitstore.File) {
	if other, twin := l.folded[strings.ToLower(file.Path)]; twin {
		l.add(file.Path, SeverityError, "key", "differs from "+other+" by case alone; Windows and macOS can hold only one of them", "")
	}
	l.folded[strings.ToLower(file.Path)] = file.Path
	if !core.IsFactFile(file) {
		if strings.Contains(file.Path, facts.RivalMark) {
			l.add(file.Path, SeverityError, "", "gave way in a merge of two versions of one file", "take over from it what was lost (engram policy edit, for engram.yml), then remove it from the branch")
		}
		l.policy(file)
		return
	}
	if !strings.HasSuffix(file.Path, facts.FileSuffix) {
		l.add(file.Path, SeverityError, "", "is not a fact: facts are files named identifier"+facts.FileSuffix, "remove it from the branch")
		return
	}
	if !l.key(file.Path, strings.TrimSuffix(file.Path, facts.FileSuffix)) {
		return
	}
	l.folders[path.Dir(file.Path)]++
	f, err := core.Parse(file)
	if err != nil {
		l.add(file.Path, SeverityError, "", strings.TrimPrefix(err.Error(), file.Path+": "), "fix it on the branch, or restore an earlier version: engram log "+strings.TrimSuffix(file.Path, facts.FileSuffix))
		return
	}
	l.fact(file, f)
}

func (l *linter) fact(file gitstore.File, f facts.Fact) {
	var invalid *facts.ValidationError
	if errors.As(facts.Validate(f, l.manifest), &invalid) {
		for _, fault := range invalid.Faults {
			l.add(file.Path, SeverityError, fault.Field, fault.Problem, "")
		}
	}
	if _, ok := detect.ConflictOf(f); detect.IsConflict(f.Key) && !ok {
		l.add(file.Path, SeverityError, "", "has the place of a conflict and is not one (docs/format.md, 11)", "remove it on the branch; the next audit writes the conflict again if there is one")
	}
	if !bytes.Equal(facts.Marshal(f), file.Data) {
		l.add(file.Path, SeverityNotCanonical, "", "is not written the canonical way (order of fields, quotes or comments)", "engram export --format yaml "+f.Key.String()+" shows the canonical form")
	}
	if other, taken := l.ids[f.ID]; taken && f.ID != "" {
		l.add(file.Path, SeverityError, "id", "is the id of "+other+" as well", "give one of them a new ULID")
	}
	l.ids[f.ID] = file.Path
	if f.Window().Until.IsZero() {
		if other, taken := l.open[f.Lineage]; taken {
			l.add(file.Path, SeverityAdvice, "lineage", "is that of "+other+" as well, as after a file was moved while somebody changed it", "retire the one that does not hold")
		}
		l.open[f.Lineage] = file.Path
	}
	for _, a := range facts.Lint(f) {
		l.add(file.Path, SeverityAdvice, a.Field, a.Problem, a.Suggestion)
	}
}

// policy checks engram.yml for unknown names. A misspelled name is an error, because the
// intended rule would not apply.
func (l *linter) policy(file gitstore.File) {
	if file.Path != facts.ManifestPath {
		return
	}
	for _, u := range facts.UnknownFields(file.Data) {
		severity, suggestion := SeverityAdvice, "a newer engram may know it"
		if u.Nearest != "" {
			severity, suggestion = SeverityError, "`engram policy edit`: did you mean "+u.Nearest+"?"
		}
		l.add(file.Path, severity, u.Name, "is not a field that this version knows, and has no effect", suggestion)
	}
}

// crossChecks checks what no single file shows, such as duplicate ids.
func (l *linter) crossChecks() {
	for folder, n := range l.folders {
		if n > CategoryAdvice {
			l.add(folder, SeverityAdvice, "key", fmt.Sprintf("holds %d facts; above %d each commit to it gets slow", n, CategoryAdvice), "split the category")
		}
	}
}
