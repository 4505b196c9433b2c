package ask

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/archive"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// WhyInput names lines of the code.
type WhyInput struct {
	Path        string `json:"path"` // from the top of the repository
	First, Last int    // 0: all of the file
	AskedBy     string // the agent that reads; "" whom the memory was opened for
}

// WhyResult is the facts about some lines of the code.
type WhyResult struct {
	core.Answer
	Path     string    `json:"path"`
	First    int       `json:"first_line"` // 0: all of the file
	Last     int       `json:"last_line"`
	Facts    []WhyFact `json:"facts"` // those that name the fewest lines first
	Omitted  int       `json:"omitted"`
	Withheld int       `json:"withheld"`
	// Origins say which commit wrote the lines, and which exchange of a session led to it;
	// of a whole file, none.
	Origins []archive.Origin `json:"origins"`
	// Sessions are those that read or changed a whole file, the latest first; of lines, none.
	Sessions     []archive.Summary `json:"sessions"`
	MoreSessions int               `json:"more_sessions"` // that are not listed
	Notes        []string          `json:"notes,omitempty"`
}

// WhyFact is a fact whose evidence is on such a line.
type WhyFact struct {
	core.Fact
	Pointer proof.PointerCheck `json:"pointer"`
	// FirstLine and LastLine are the lines of its evidence now; 0 if the evidence is the
	// whole file or a folder.
	FirstLine int `json:"first_line"`
	LastLine  int `json:"last_line"`
}

// Bounds of Why.
const (
	maxWhy      = 200             // facts
	maxSessions = 5               // of a file
	whyTime     = 3 * time.Second // for earlier names of the file, and for checking evidence
)

// Why lists the facts about lines of the work tree or, in a bare repository, of HEAD. It
// follows lines that moved and files that git reports as renamed. Drifted evidence counts
// for the lines that are in its place now. Facts about lines come first, then facts about
// the whole file, then facts about a folder above it. Lines that moved here from a file
// that still exists are found only by Verify. The error wraps ErrNotFound if there are no
// facts and no such file or lines.
func (m *Reader) Why(ctx context.Context, in WhyInput) (WhyResult, error) {
	clean := path.Clean(in.Path)
	if in.First < 0 || in.Last < in.First {
		return WhyResult{}, core.UsageErrorf(hint.New("lines are counted from 1, as in %s", hint.Do(hint.WhyLines, "main.go:12-40")), "lines %d to %d are not a range", in.First, in.Last)
	}
	if err := facts.CheckPath(clean); err != nil {
		return WhyResult{}, core.UsageErrorf(hint.New("name a file of this repository"), "%.120q %w", in.Path, err)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return WhyResult{}, err
	}
	result := WhyResult{Answer: core.AnswerAt(tip), Path: clean, First: in.First, Last: in.Last, Facts: []WhyFact{}, Origins: []archive.Origin{}, Sessions: []archive.Summary{}}
	c, err := m.proof.CheckerHere(ctx, tip)
	if err != nil {
		return result, err
	}
	c.WithLimit(whyTime)
	w := lineQuery{Checker: c, path: clean, first: in.First, last: in.Last, paths: m.pathsOf(ctx, c, clean), result: &result}
	if err := w.find(ctx, m.Reader(manifest, in.AskedBy)); err != nil {
		return result, fmt.Errorf("look for facts on %s: %w", clean, err)
	}
	if err := m.addSessions(ctx, &result, in.AskedBy); err != nil {
		return result, err
	}
	if len(w.found)+len(result.Sessions) == 0 && result.Withheld == 0 {
		if err := w.checkExists(ctx); err != nil {
			return result, err
		}
	}
	slices.SortStableFunc(w.found, lineFact.compare)
	n := min(len(w.found), maxWhy)
	result.Omitted += len(w.found) - n
	for _, s := range w.found[:n] {
		result.Facts = append(result.Facts, s.WhyFact)
	}
	list := make([]*core.Fact, n)
	for i := range list {
		list[i] = &result.Facts[i].Fact
	}
	result.Notes = c.LateNotes()
	if err := m.addOrigins(ctx, &result, in.AskedBy); err != nil {
		return result, err
	}
	return result, m.audit.TellDisputed(ctx, tip, list...)
}

// addSessions adds the sessions that touched a file.
func (m *Reader) addSessions(ctx context.Context, result *WhyResult, agent string) error {
	if result.First > 0 {
		return nil
	}
	found, err := m.archive.List(ctx, archive.ListInput{Path: result.Path, Limit: maxSessions, AskedBy: agent})
	if err != nil {
		return fmt.Errorf("look for the sessions of %s: %w", result.Path, err)
	}
	result.Sessions, result.MoreSessions = found.Sessions, found.Total-len(found.Sessions)
	return nil
}

// addOrigins adds where the lines come from.
func (m *Reader) addOrigins(ctx context.Context, result *WhyResult, agent string) error {
	if result.First == 0 {
		return nil
	}
	origins, late, err := m.archive.Origins(ctx, result.Path, result.First, result.Last, agent)
	if err != nil {
		return fmt.Errorf("look for the sessions of %s: %w", result.Path, err)
	}
	result.Origins = append(result.Origins, origins...)
	if late {
		result.Notes = append(result.Notes, "there was no time to follow all lines to their commits and sessions; name fewer lines")
	}
	return nil
}

var movedHint = hint.New("%s says where the evidence of facts went", hint.Do(hint.Verify))

// checkExists returns an error if there is no such file or it has fewer lines.
func (w *lineQuery) checkExists(ctx context.Context) error {
	f, err := w.File(ctx, w.path)
	switch {
	case err != nil || w.NoCode != "":
		return err
	case f.Kind == gitstore.CodeNone && f.Problem == "":
		return core.NotFoundErrorf(movedHint, "there is no %s", w.path)
	case f.Content != nil && w.first > evidence.Count(f.Content.Bytes()):
		return core.NotFoundErrorf(movedHint, "%s has %s", w.path, core.Plural(evidence.Count(f.Content.Bytes()), "line"))
	}
	return nil
}

// pathsOf returns a path, the folders above it, and the earlier names of the file.
func (m *Reader) pathsOf(ctx context.Context, c *proof.Checker, file string) []string {
	paths := core.WithParentFolders([]string{file})
	if c.Commit == "" {
		return paths
	}
	limited, cancel := c.Limited(ctx)
	defer cancel()
	return append(paths, m.Store.EarlierPaths(limited, c.Commit, file)...)
}

// lineQuery is one question about lines of a file.
type lineQuery struct {
	*proof.Checker
	path        string
	first, last int
	paths       []string
	result      *WhyResult
	found       []lineFact
}

// lineFact is a fact with the breadth of its evidence: the number of lines; a whole file is
// broader than any lines, and a folder broader than a file, the more the nearer to the
// top.
type lineFact struct {
	WhyFact
	breadth int
}

const (
	wholeFile   = 1 << 30
	wholeFolder = 1 << 31
)

func (w *lineQuery) find(ctx context.Context, reads *core.Reader) error {
	q := index.Query{Now: w.Now, Pointing: w.paths, Ephemeral: true, Branch: w.Verifier.ResolveBranch(""), Access: reads.ScopeRules(), Without: core.InternalPrefixes(""), Limit: 10 * maxWhy}
	var hits []index.Hit
	_, err := w.Verifier.Index.View(ctx, w.Tip, func(view *index.View) (err error) {
		var total int
		if hits, total, err = view.Search(ctx, q); err != nil {
			return err
		}
		w.result.Omitted = max(0, total-len(hits))
		if reads != nil {
			q.Access, q.Limit = reads.WithheldRules(), 1
			_, w.result.Withheld, err = view.Search(ctx, q)
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.Verifier.EachHit(ctx, hits, func(hit index.Hit, f facts.Fact) error { return w.add(ctx, f, hit) })
}

// add adds a fact by the narrowest of its pointers that overlaps the lines.
func (w *lineQuery) add(ctx context.Context, f facts.Fact, hit index.Hit) error {
	checks, worst, err := w.Judge(ctx, f.Pointers)
	if err != nil {
		return err
	}
	var found *lineFact
	shown := core.Show(f, hit.Window, w.Now)
	shown.Freshness = worst
	for i, check := range checks {
		shown.Pointers[i].Freshness, shown.Pointers[i].Now = check.Freshness, check.Now
		one, on, err := w.on(ctx, check)
		if err != nil {
			return err
		}
		if on && (found == nil || one.breadth < found.breadth) {
			found = &one
		}
	}
	if found != nil {
		found.Fact = shown
		w.found = append(w.found, *found)
	}
	return nil
}

// on reports whether a pointer overlaps the lines of the question, and where.
func (w *lineQuery) on(ctx context.Context, check proof.Verdict) (s lineFact, on bool, err error) {
	s.Pointer = check.PointerCheck
	address, err := facts.ParseRef(check.Ref)
	if err != nil || !address.InRepository() || !slices.Contains(w.paths, check.Path) {
		return s, false, nil
	}
	if check.Path != w.path {
		s.breadth = wholeFolder - strings.Count(check.Path, "/")
		return s, strings.HasPrefix(w.path, check.Path+"/"), nil
	}
	if address.FirstLine == 0 && address.Name == "" {
		s.breadth = wholeFile
		return s, true, nil
	}
	s.FirstLine, s.LastLine = check.First, check.Last
	if check.Freshness == core.Drifted {
		r, err := w.Region(ctx, check)
		if err != nil {
			return s, false, err
		}
		if r.First > 0 {
			s.FirstLine, s.LastLine = r.First, max(r.First, r.Last)
		}
	}
	if s.breadth = s.LastLine - s.FirstLine + 1; s.FirstLine == 0 {
		s.breadth = wholeFile
	}
	return s, w.first == 0 || s.FirstLine == 0 || s.FirstLine <= w.last && w.first <= s.LastLine, nil
}

func (s lineFact) compare(t lineFact) int {
	return cmp.Or(cmp.Compare(s.breadth, t.breadth), cmp.Compare(s.FirstLine, t.FirstLine), cmp.Compare(s.Key.String(), t.Key.String()))
}
