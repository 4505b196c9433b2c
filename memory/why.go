package memory

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
)

// WhyInput names lines of the code.
type WhyInput struct {
	Path        string `json:"path"` // from the top of the repository
	First, Last int    // 0: all of the file
	AskedBy     string // the agent that reads; "" whom the memory was opened for
}

// WhyResult is what is known about lines of the code.
type WhyResult struct {
	Answer
	Path     string    `json:"path"`
	First    int       `json:"first_line"` // 0: all of the file
	Last     int       `json:"last_line"`
	Facts    []WhyFact `json:"facts"` // those that name the fewest lines first
	Omitted  int       `json:"omitted"`
	Withheld int       `json:"withheld"`
	Notes    []string  `json:"notes,omitempty"`
}

// WhyFact is a fact that stands on a line.
type WhyFact struct {
	Fact
	Pointer PointerCheck `json:"pointer"`
	// FirstLine and LastLine are where its evidence stands now; 0 where it is of the
	// whole file or a folder.
	FirstLine int `json:"first_line"`
	LastLine  int `json:"last_line"`
}

// Bounds of Why.
const (
	maxWhy  = 200             // facts
	whyTime = 3 * time.Second // for the names that a file had, and the evidence
)

// Why lists the facts that stand on lines of the work tree as it is (without one, of
// HEAD), also those whose lines moved since, or whose file git says was renamed to this
// one. Of what drifted the lines are those that stand in its place now. Facts that rest
// on all of the file come after those that rest on lines, and after these those that
// rest on a folder above it. What was moved here out of a file that still exists is
// found by Verify, and not here. The error wraps ErrNotFound where no fact stands there
// and there is no such file, or no such lines in it.
func (m *Memory) Why(ctx context.Context, in WhyInput) (WhyResult, error) {
	clean := path.Clean(in.Path)
	if in.First < 0 || in.Last < in.First {
		return WhyResult{}, wrong(hint.New("lines are counted from 1, as in %s", hint.Do(hint.WhyLines, "main.go:12-40")), "lines %d to %d are none", in.First, in.Last)
	}
	if err := facts.CheckPath(clean); err != nil {
		return WhyResult{}, wrong(hint.New("name a file of this repository"), "%.120q %w", in.Path, err)
	}
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return WhyResult{}, err
	}
	result := WhyResult{Answer: answer(tip), Path: clean, First: in.First, Last: in.Last, Facts: []WhyFact{}}
	c, err := m.codeHere(ctx, tip)
	if err != nil {
		return result, err
	}
	c.within(whyTime)
	w := why{checker: c, path: clean, first: in.First, last: in.Last, paths: m.namesOf(ctx, c, clean), result: &result}
	if err := w.find(ctx, m.reader(manifest, in.AskedBy)); err != nil {
		return result, fmt.Errorf("look for facts on %s: %w", clean, err)
	}
	if len(w.found) == 0 && result.Withheld == 0 {
		if err := w.standsThere(ctx); err != nil {
			return result, err
		}
	}
	slices.SortStableFunc(w.found, standingOn.compare)
	n := min(len(w.found), maxWhy)
	result.Omitted += len(w.found) - n
	for _, s := range w.found[:n] {
		result.Facts = append(result.Facts, s.WhyFact)
	}
	list := make([]*Fact, n)
	for i := range list {
		list[i] = &result.Facts[i].Fact
	}
	result.Notes = c.lateNote()
	return result, m.tellDisputed(ctx, tip, list...)
}

// standsThere is an error where nobody could have meant what was asked: there is no such
// file, or it has fewer lines.
func (w *why) standsThere(ctx context.Context) error {
	f, err := w.file(ctx, w.path)
	switch {
	case err != nil || w.none != "":
		return err
	case f.Kind == gitstore.CodeNone && f.problem == "":
		return absent(hint.New("%s says where the evidence of facts went", hint.Do(hint.Verify)), "there is no %s", w.path)
	case f.content != nil && w.first > evidence.Count(f.content.Bytes()):
		return absent(hint.New("%s says where the evidence of facts went", hint.Do(hint.Verify)), "%s has %s", w.path, counted(evidence.Count(f.content.Bytes()), "line"))
	}
	return nil
}

// namesOf are a path, the folders above it, and the names that the file had before.
func (m *Memory) namesOf(ctx context.Context, c *checker, file string) []string {
	paths := withFolders([]string{file})
	if c.commit == "" {
		return paths
	}
	limited, cancel := c.limited(ctx)
	defer cancel()
	return append(paths, m.store.EarlierPaths(limited, c.commit, file)...)
}

// why is one question for what stands on lines.
type why struct {
	*checker
	path        string
	first, last int
	paths       []string
	result      *WhyResult
	found       []standingOn
}

// standingOn is a fact with how much it stands on: so many lines; a whole file is more
// than any lines, and a folder more than a file, the more so the nearer to the top.
type standingOn struct {
	WhyFact
	breadth int
}

const (
	wholeFile   = 1 << 30
	wholeFolder = 1 << 31
)

func (w *why) find(ctx context.Context, reads *reader) error {
	q := index.Query{Now: w.now, Pointing: w.paths, Ephemeral: true, Branch: w.m.asksOn(""), Access: reads.access(), Without: unasked(""), Limit: 10 * maxWhy}
	var hits []index.Hit
	_, err := w.m.index.View(ctx, w.tip, func(view *index.View) (err error) {
		var total int
		if hits, total, err = view.Search(ctx, q); err != nil {
			return err
		}
		w.result.Omitted = max(0, total-len(hits))
		if reads != nil {
			q.Access, q.Limit = reads.withheld(), 1
			_, w.result.Withheld, err = view.Search(ctx, q)
		}
		return err
	})
	if err != nil {
		return err
	}
	names := make([]string, len(hits))
	for i, hit := range hits {
		names[i] = hit.Blob
	}
	blobs, err := w.m.store.Blobs(ctx, names)
	if err != nil {
		return err
	}
	for i, data := range blobs {
		f, err := facts.Parse(data)
		if err != nil {
			continue // the index holds only facts; a damaged one is lint's to report
		}
		if err := w.add(ctx, f, hits[i]); err != nil {
			return err
		}
	}
	return nil
}

// add adds a fact by the narrowest of its pointers that stands on the lines.
func (w *why) add(ctx context.Context, f facts.Fact, hit index.Hit) error {
	checks, worst, err := w.judge(ctx, f.Pointers)
	if err != nil {
		return err
	}
	var found *standingOn
	shown := show(f, hit.Window, w.now)
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

// on reports whether a pointer stands on the lines that are asked about, and where.
func (w *why) on(ctx context.Context, check located) (s standingOn, on bool, err error) {
	s.Pointer = check.PointerCheck
	address, err := facts.ParseRef(check.Ref)
	if err != nil || !address.InRepository() || !slices.Contains(w.paths, check.path) {
		return s, false, nil
	}
	if check.path != w.path {
		s.breadth = wholeFolder - strings.Count(check.path, "/")
		return s, strings.HasPrefix(w.path, check.path+"/"), nil
	}
	if address.FirstLine == 0 && address.Name == "" {
		s.breadth = wholeFile
		return s, true, nil
	}
	s.FirstLine, s.LastLine = check.first, check.last
	if check.Freshness == Drifted {
		r, err := w.region(ctx, check)
		if err != nil {
			return s, false, err
		}
		if r.first > 0 {
			s.FirstLine, s.LastLine = r.first, max(r.first, r.last)
		}
	}
	if s.breadth = s.LastLine - s.FirstLine + 1; s.FirstLine == 0 {
		s.breadth = wholeFile
	}
	return s, w.first == 0 || s.FirstLine == 0 || s.FirstLine <= w.last && w.first <= s.LastLine, nil
}

func (s standingOn) compare(t standingOn) int {
	return cmp.Or(cmp.Compare(s.breadth, t.breadth), cmp.Compare(s.FirstLine, t.FirstLine), cmp.Compare(s.Key.String(), t.Key.String()))
}
