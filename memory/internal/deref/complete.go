package deref

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Completed is a pointer that was completed from a short form.
type Completed struct {
	core.Pointer
	Notes []string `json:"notes,omitempty"`
}

// Complete makes a whole pointer, with commit and digest, of what a person types, for
// the commit that this work tree is at:
//
//	internal/auth.go          the file
//	internal/auth.go:12       a line
//	internal/auth.go:12-40    lines
//	docs/spec.md#Budget rules a section
//	repo:path#L12-L40         a reference without a commit
//	domain/auth/session       a fact, as it is now
//
// A whole reference gets the digest that it lacks. Lines that are not committed yet as
// the work tree has them get a digest and no commit, with a note. The error wraps
// ErrUsage, with a hint that names what is near, where there is nothing of the kind.
func (m *Reader) Complete(ctx context.Context, text string) (Completed, error) {
	return m.CompleteFor(ctx, "", text)
}

// CompleteFor is Complete for an agent, as far as that may read.
func (m *Reader) CompleteFor(ctx context.Context, agent, text string) (Completed, error) {
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return Completed{}, err
	}
	c := Completer{M: m, Tip: tip, Who: Requester{Agent: agent}}
	done, err := c.complete(ctx, text)
	var nothing *core.AbsentError
	if errors.As(err, &nothing) {
		err = core.Wrong(nothing.Hint, "%w", err)
	}
	return done, err
}

// Completer completes pointers of one request.
type Completer struct {
	M    *Reader
	Tip  string // of the memory branch
	Who  Requester
	head *string
}

// headCommit is the commit that this work tree is at; "" where there is none.
func (c *Completer) headCommit(ctx context.Context) (string, error) {
	if c.head == nil {
		head, err := c.M.Store.CodeHead(ctx)
		if err != nil {
			return "", err
		}
		c.head = &head
	}
	return *c.head, nil
}

// complete is Complete, with an error that wraps ErrNotFound where nothing is there.
func (c *Completer) complete(ctx context.Context, text string) (Completed, error) {
	a, err := parsePointer(text, false)
	if err != nil {
		return Completed{}, err
	}
	if a.Type == facts.PointURL {
		return Completed{Pointer: core.Pointer{Ref: a.Ref()}}, nil
	}
	if !a.InRepository() || a.Commit != "" {
		found, err := c.M.Locate(ctx, c.Tip, a, c.Who)
		if err != nil {
			return Completed{}, err
		}
		return completed(found), nil
	}
	head, err := c.headCommit(ctx)
	if err != nil {
		return Completed{}, err
	}
	var notes []string
	if key, ok := typedKey(text, a); ok {
		fact, also, err := c.M.preferFact(ctx, c.Tip, head, a, key)
		if err != nil {
			return Completed{}, err
		}
		if fact.Type != "" && !c.onDisk(a) {
			found, err := c.M.Locate(ctx, c.Tip, fact, c.Who)
			return completed(found), err
		}
		notes = also
	}
	done, err := c.completeFromWorkTree(ctx, a, head)
	done.Notes = append(notes, done.Notes...)
	return done, err
}

func (c *Completer) onDisk(a facts.Address) bool {
	_, err := c.M.Store.WorkFile(a.Path)
	return err == nil
}

// completed is the pointer to what was found.
func completed(s target) Completed {
	return Completed{Pointer: core.Pointer{Ref: abbreviated(s.address).Ref(), Digest: s.digest}}
}

// abbreviated is an address with commits as long as a reference has room for.
func abbreviated(a facts.Address) facts.Address {
	const abbreviated = 12
	if len(a.Ref()) > facts.MaxRef {
		for _, commit := range []*string{&a.Commit, &a.From, &a.To} {
			*commit = (*commit)[:min(len(*commit), abbreviated)]
		}
	}
	return a
}

// completeFromWorkTree completes an address without a commit. What is meant is what the work tree
// has, because that is what somebody looks at:
//
//  1. The work tree has no such file, or nothing to compare: what HEAD has.
//  2. HEAD has the same there: that.
//  3. git converts the file when it checks it out: what HEAD has, if it was not changed.
//  4. HEAD has the same lines elsewhere, once: those, with a note.
//  5. git tracks no such file: refused.
//  6. Anything else is not committed yet: no commit, with a note.
func (c *Completer) completeFromWorkTree(ctx context.Context, a facts.Address, head string) (Completed, error) {
	var here target
	err := core.Absent(nothingCommittedHint, "no code is committed here")
	if head != "" {
		here, err = c.M.Locate(ctx, c.Tip, atCommit(a, head), c.Who)
	}
	if err != nil && !errors.Is(err, core.ErrNotFound) {
		return Completed{}, err
	}
	disk, diskErr := c.M.workFile(ctx, head, a.Path)
	if diskErr != nil || evidence.IsLFS(here.content) { // nothing to compare it with
		if err == nil {
			return completed(here), nil
		}
		return Completed{}, c.absentOnDisk(a, err, diskErr)
	}
	seen, cutErr := cut(a, disk)
	if cutErr != nil || err != nil || !sameText(seen.span.Text, here.span.Text) {
		if stored, no := c.converted(ctx, a, here, err); stored || no != nil {
			return completed(here), no
		}
	}
	switch {
	case cutErr != nil && err == nil:
		done := completed(here)
		done.Notes = []string{fmt.Sprintf("%s in the work tree has nothing there; the pointer is to what is committed", a.Path)}
		return done, nil
	case cutErr != nil:
		return Completed{}, workTreeError(cutErr, a, disk)
	case err == nil && sameText(seen.span.Text, here.span.Text):
		return completed(here), nil
	}
	if at, once := uniqueLine(here.content, seen.span.Text); once && a.FirstLine > 0 {
		a.LastLine += at - a.FirstLine
		a.FirstLine = at
		moved, err := cut(atCommit(a, head), here.content)
		done := completed(moved)
		done.Notes = []string{fmt.Sprintf("the work tree has changes that are not committed: these lines are %s at HEAD", done.Ref)}
		return done, err
	}
	return Completed{
		Pointer: core.Pointer{Ref: a.Ref(), Digest: seen.digest},
		Notes:   []string{fmt.Sprintf("%s is not committed yet as the work tree has it, so the pointer names no commit; once it is committed, `engram verify KEY --commit` adds that", a.Path)},
	}, nil
}

// converted reports whether what HEAD has stands for a file that git converts when it
// checks it out; the bytes of the work tree never do.
func (c *Completer) converted(ctx context.Context, a facts.Address, here target, hereErr error) (stored bool, err error) {
	conversion, err := c.M.Store.Conversion(ctx, a.Path)
	if err != nil || conversion.Attribute == "" {
		return false, err
	}
	if conversion.Stored == "" || conversion.Stored != gitstore.BlobName(here.content) {
		return false, core.Wrong(hint.New("commit it, and then point at it"), "git stores other bytes of %s than the work tree has (%s), and it was changed", a.Path, conversion.Attribute)
	}
	return true, hereErr
}

// workFile reads a file of a work tree that is at a commit of the code, if any: where the
// memory is checked out, the files are facts.
func (m *Reader) workFile(ctx context.Context, head, path string) ([]byte, error) {
	if head == "" {
		if memory, err := m.Store.OnMemory(ctx); err != nil || memory {
			return nil, cmp.Or(err, fmt.Errorf("%w: the memory is checked out here", gitstore.ErrNotFound))
		}
	}
	disk, err := m.Store.WorkFile(path)
	if err != nil {
		return nil, err
	}
	tracked, err := m.tracked(ctx, head, path)
	if err == nil && !tracked {
		err = core.Wrong(hint.New("add and commit it first, or omit the pointer"), "git does not track %s", path)
	}
	return disk, err
}

// tracked reports whether HEAD or the index has a file. Of any other not even a digest gets
// into the memory: what is ignored, such as .env, is often a secret and easily guessed.
func (m *Reader) tracked(ctx context.Context, head, path string) (bool, error) {
	if head != "" {
		code, err := m.Store.CodeAt(ctx, head, path)
		if err != nil || code.Kind == gitstore.CodeFile {
			return err == nil, err
		}
	}
	return m.Store.Staged(ctx, path)
}

// workTreeError says what the work tree has, where an address names something else.
func workTreeError(err error, a facts.Address, disk []byte) error {
	var nothing *core.AbsentError
	if errors.As(err, &nothing) && !strings.HasPrefix(nothing.Message, a.Path+" in the work tree") {
		return core.Absent(hint.Hint{}, "%s in the work tree, which has %d lines: %v", a.Path, evidence.Count(disk), err)
	}
	return err
}

// absentOnDisk says why something stands neither at HEAD nor in the work tree.
func (c *Completer) absentOnDisk(a facts.Address, err, diskErr error) error {
	var usage *core.UsageError
	switch {
	case errors.As(diskErr, &usage):
		return diskErr
	case errors.Is(diskErr, gitstore.ErrTooLarge):
		return core.Wrong(blobHint, "%s is too large to be read: %w", a.Path, diskErr)
	}
	return err
}

// sameText compares texts whose lines may end differently: git converts them when it
// checks out.
func sameText(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.Equal(unixLines(a), unixLines(b))
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// uniqueLine is the line at which a text stands in a content, if it stands there once.
func uniqueLine(content, text []byte) (line int, once bool) {
	content, text = unixLines(content), unixLines(text)
	if len(bytes.TrimSpace(text)) == 0 {
		return 0, false
	}
	for at := 0; ; {
		next := bytes.Index(content[at:], text)
		if next < 0 {
			return line, once
		}
		at += next
		begins, rest := at == 0 || content[at-1] == '\n', content[at+len(text):]
		if begins && (text[len(text)-1] == '\n' || len(rest) == 0 || rest[0] == '\n') {
			if once {
				return 0, false
			}
			line, once = bytes.Count(content[:at], []byte("\n"))+1, true
		}
		at++
	}
}
