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

// Complete turns a short form into a pointer with the commit of this work tree and a
// digest:
//
//	internal/auth.go          the file
//	internal/auth.go:12       a line
//	internal/auth.go:12-40    lines
//	docs/spec.md#Budget rules a section
//	repo:path#L12-L40         a reference without a commit
//	domain/auth/session       a fact, as it is now
//
// A whole reference gets its digest. Lines that are not committed yet get a digest, no
// commit, and a note. If there is no such thing, the error wraps ErrUsage and its hint
// suggests similar names.
func (m *Reader) Complete(ctx context.Context, text string) (Completed, error) {
	return m.CompleteFor(ctx, "", text)
}

// CompleteFor is Complete for an agent, limited to what the agent may read.
func (m *Reader) CompleteFor(ctx context.Context, agent, text string) (Completed, error) {
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return Completed{}, err
	}
	c := Completer{M: m, Tip: tip, Who: Requester{Agent: agent}}
	done, err := c.complete(ctx, text)
	var nothing *core.NotFoundError
	if errors.As(err, &nothing) {
		err = core.UsageErrorf(nothing.Hint, "%w", err)
	}
	return done, err
}

// Completer completes the pointers of one request. It is not safe for concurrent use.
type Completer struct {
	M    *Reader
	Tip  string // of the memory branch
	Who  Requester
	head *string
}

// headCommit returns the commit of this work tree, or "" if it has none.
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

// complete is Complete, except that its error wraps ErrNotFound if nothing is there.
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

// completed returns the pointer to a target.
func completed(s target) Completed {
	return Completed{Pointer: core.Pointer{Ref: abbreviated(s.address).Ref(), Digest: s.digest}}
}

// abbreviated returns the address with commits shortened if its reference is too long.
func abbreviated(a facts.Address) facts.Address {
	const abbreviated = 12
	if len(a.Ref()) > facts.MaxRef {
		for _, commit := range []*string{&a.Commit, &a.From, &a.To} {
			*commit = (*commit)[:min(len(*commit), abbreviated)]
		}
	}
	return a
}

// completeFromWorkTree completes an address without a commit. The content of the work
// tree decides, because that is what the user sees:
//
//  1. The work tree has no such file, or nothing to compare: the content of HEAD.
//  2. HEAD has the same content there: that.
//  3. git converts the file on checkout: the content of HEAD, if the file is unchanged.
//  4. HEAD has the same lines elsewhere, once: those lines, with a note.
//  5. git does not track the file: rejected.
//  6. Anything else is not committed yet: no commit, with a note.
func (c *Completer) completeFromWorkTree(ctx context.Context, a facts.Address, head string) (Completed, error) {
	var here target
	err := core.NotFoundErrorf(nothingCommittedHint, "no code is committed here")
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

// converted reports whether the file is one that git converts on checkout, so that the
// content of HEAD is used and never the bytes of the work tree.
func (c *Completer) converted(ctx context.Context, a facts.Address, here target, hereErr error) (stored bool, err error) {
	conversion, err := c.M.Store.Conversion(ctx, a.Path)
	if err != nil || conversion.Attribute == "" {
		return false, err
	}
	if conversion.Stored == "" || conversion.Stored != c.M.Store.BlobName(here.content) {
		return false, core.UsageErrorf(hint.New("commit it, and then point at it"), "git stores other bytes of %s than the work tree has (%s), and it was changed", a.Path, conversion.Attribute)
	}
	return true, hereErr
}

// workFile reads a file of the work tree. It is not found if the memory branch is checked
// out, because the files are facts then.
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
		err = core.UsageErrorf(hint.New("add and commit it first, or omit the pointer"), "git does not track %s", path)
	}
	return disk, err
}

// tracked reports whether HEAD or the index has a file. Of an untracked file not even the
// digest is recorded: an ignored file such as .env often holds a secret that can be
// guessed from its digest.
func (m *Reader) tracked(ctx context.Context, head, path string) (bool, error) {
	if head != "" {
		code, err := m.Store.CodeAt(ctx, head, path)
		if err != nil || code.Kind == gitstore.CodeFile {
			return err == nil, err
		}
	}
	return m.Store.Staged(ctx, path)
}

// workTreeError adds to an error how many lines the file in the work tree has.
func workTreeError(err error, a facts.Address, disk []byte) error {
	var nothing *core.NotFoundError
	if errors.As(err, &nothing) && !strings.HasPrefix(nothing.Message, a.Path+" in the work tree") {
		return core.NotFoundErrorf(hint.Hint{}, "%s in the work tree, which has %d lines: %v", a.Path, evidence.Count(disk), err)
	}
	return err
}

// absentOnDisk returns why something is neither at HEAD nor in the work tree.
func (c *Completer) absentOnDisk(a facts.Address, err, diskErr error) error {
	var usage *core.UsageError
	switch {
	case errors.As(diskErr, &usage):
		return diskErr
	case errors.Is(diskErr, gitstore.ErrTooLarge):
		return core.UsageErrorf(blobHint, "%s is too large to be read: %w", a.Path, diskErr)
	}
	return err
}

// sameText compares texts without regard to line endings, which git may convert on
// checkout.
func sameText(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.Equal(unixLines(a), unixLines(b))
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// uniqueLine returns the line at which a text begins in a content if the content has it
// exactly once.
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
