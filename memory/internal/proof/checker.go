package proof

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/evidence"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Checker compares pointers with one state of the code. It serves one answer and is not
// safe for concurrent use: pointers into the same file share its content, pointers of the
// same commit share a search.
type Checker struct {
	Verifier *Verifier
	Tip      string // of the memory branch, for pointers to facts
	Now      time.Time
	Commit   string // of the code; "" if there is none
	work     bool   // compare with the work tree, not only the commit
	NoCode   string // why there is no code to compare with; "" if there is
	// until is when checking stops; zero is never. late counts the facts that were not
	// checked in time.
	until time.Time
	late  int
	// thorough also searches files that are neither committed nor staged.
	thorough bool

	files          map[string]*codeFile    // of that state, by path
	committedFiles map[[2]string]*codeFile // by commit and path
	blobs          map[string]*evidence.Content
	keptBytes      int                // bytes in blobs
	commits        map[string]string  // by abbreviated name; "" if the commit is not here
	searches       map[string]*search // by commit
	unstaged       []string           // files of the work tree that differ from the staged ones; nil: not known yet
	// unstagedMore reports that the list is not complete.
	unstagedMore bool
	lines        *lineIndex
	cache        *verdictCache
}

// codeFile is what is at a path in a state of the code.
type codeFile struct {
	gitstore.Code
	Content *evidence.Content // of a file; nil if it was not read or is too large
	Problem string            // why it was not read
}

// maxKeptCode is how many bytes of code are kept for further comparisons.
const maxKeptCode = 64 << 20

// CheckerHere returns a Checker for the work tree or, in a bare repository, for HEAD.
func (m *Verifier) CheckerHere(ctx context.Context, tip string) (*Checker, error) {
	return m.CheckerAt(ctx, tip, "")
}

// HeadName makes CheckerAt compare with HEAD instead of the work tree.
const HeadName = "HEAD"

// CheckerAt returns a Checker for a commit in any form that git knows, or, for "", the one
// of CheckerHere.
func (m *Verifier) CheckerAt(ctx context.Context, tip, at string) (*Checker, error) {
	c := &Checker{
		Verifier: m, Tip: tip, Now: m.Moment(), files: make(map[string]*codeFile), committedFiles: make(map[[2]string]*codeFile),
		blobs: make(map[string]*evidence.Content), commits: make(map[string]string), searches: make(map[string]*search), lines: newLineIndex(),
	}
	if m.From != nil {
		c.NoCode = "it is about another repository"
		return c, nil
	}
	var err error
	switch {
	case at == "" || at == HeadName:
		c.Commit, err = m.Store.CodeHead(ctx)
		c.work = at == "" && m.Store.WorkTree() != ""
	default:
		if c.Commit, err = m.Store.CommitNamed(ctx, at); errors.Is(err, gitstore.ErrNotFound) {
			return nil, core.UsageErrorf(hint.New("%s shows the commits", hint.Do(hint.Git, "log")), "%.60q is not a commit of this repository", at)
		}
	}
	if err != nil {
		return nil, err
	}
	if c.Commit == "" {
		c.NoCode = "there is no code here to compare it with"
		if c.work && m.Store.CodeBranch() != "" { // nothing is committed yet, and there are files
			memory, err := m.Store.OnMemory(ctx)
			if err != nil {
				return nil, err
			}
			if !memory {
				c.NoCode = ""
			}
		}
	}
	c.cache = m.cacheFor(m.Store.CodeStamp(c.Commit), c.work)
	c.lines = c.cache.lines()
	return c, nil
}

// WithLimit limits the time of a Checker from now on; EvidenceTime of the memory's options
// takes precedence.
func (c *Checker) WithLimit(limit time.Duration) *Checker {
	if c.Verifier.EvidenceTime != 0 {
		limit = c.Verifier.EvidenceTime
	}
	c.until = time.Now().Add(limit)
	return c
}

// timedOut reports whether the time limit has passed.
func (c *Checker) timedOut() bool { return !c.until.IsZero() && time.Now().After(c.until) }

// Limited returns a context that ends with the Checker's time limit.
func (c *Checker) Limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, c.until)
}

// File returns what is at a path in the state of the code.
func (c *Checker) File(ctx context.Context, path string) (*codeFile, error) {
	if f, known := c.files[path]; known {
		return f, nil
	}
	f, err := c.readFile(ctx, path)
	if err == nil {
		c.files[path] = f
	}
	return f, err
}

func (c *Checker) readFile(ctx context.Context, path string) (*codeFile, error) {
	if !c.work {
		return c.committed(ctx, c.Commit, path)
	}
	data, err := c.Verifier.Store.WorkFile(path)
	switch {
	case err == nil:
		f := &codeFile{Content: c.keepContent("", data)}
		f.Kind, f.Name = gitstore.CodeFile, c.Verifier.Store.BlobName(data)
		return f, nil
	case errors.Is(err, gitstore.ErrTooLarge):
		return c.largeFile(ctx, path)
	case !errors.Is(err, gitstore.ErrNotFound):
		return &codeFile{Problem: err.Error(), Code: gitstore.Code{Kind: gitstore.CodeFile}}, nil
	}
	return c.readObject(ctx, path)
}

// largeFile returns a file of the work tree that is too large to be read; its blob name
// can still be compared with committed files.
func (c *Checker) largeFile(ctx context.Context, path string) (*codeFile, error) {
	f := &codeFile{Problem: tooLarge, Code: gitstore.Code{Kind: gitstore.CodeFile}}
	name, err := c.Verifier.Store.WorkName(ctx, path)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		f.Name = name
	}
	return f, nil
}

const tooLarge = "it is larger than what engram reads"

func (c *Checker) committedHere(ctx context.Context, path string) (*codeFile, error) {
	if c.Commit == "" {
		return &codeFile{}, nil
	}
	return c.committed(ctx, c.Commit, path)
}

// committed returns what is at a path in a commit, files with their content.
func (c *Checker) committed(ctx context.Context, commit, path string) (*codeFile, error) {
	if f, known := c.committedFiles[[2]string{commit, path}]; known {
		return f, nil
	}
	code, err := c.Verifier.Store.CodeAt(ctx, commit, path)
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrDamaged) {
		code, err = gitstore.Code{}, nil // a clone without the trees of old commits
	}
	if err != nil {
		return nil, err
	}
	f := &codeFile{Code: code}
	if code.Kind == gitstore.CodeFile {
		if f.Content, err = c.blob(ctx, code.Name); err != nil {
			return nil, err
		}
		if f.Content == nil {
			f.Problem = "it is larger than what engram reads, or missing from this clone"
		}
	}
	c.committedFiles[[2]string{commit, path}] = f
	return f, nil
}

// blob returns the content of an object, or nil if it is too large or not here.
func (c *Checker) blob(ctx context.Context, name string) (*evidence.Content, error) {
	if content, known := c.blobs[name]; known {
		return content, nil
	}
	data, err := c.Verifier.Store.CodeBlob(ctx, name)
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c.keepContent(name, data), nil
}

// keepContent parses a content and keeps it, within maxKeptCode.
func (c *Checker) keepContent(name string, data []byte) *evidence.Content {
	if c.keptBytes += len(data); c.keptBytes > maxKeptCode {
		clear(c.blobs)
		clear(c.files)
		clear(c.committedFiles)
		c.keptBytes = len(data)
	}
	content := evidence.Read(data)
	if name != "" {
		c.blobs[name] = content
	}
	return content
}

// commitOf returns the full name of the commit that a pointer names, or "" if the commit
// is not here.
func (c *Checker) commitOf(ctx context.Context, digits string) (string, error) {
	if digits == "" {
		return "", nil
	}
	if commit, known := c.commits[digits]; known {
		return commit, nil
	}
	commit, err := c.Verifier.Store.CommitOf(ctx, digits)
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrTooLarge) {
		commit, err = "", nil
	}
	if err == nil {
		c.commits[digits] = commit
	}
	return commit, err
}

// isLFSPointer reports whether git stores a Git LFS pointer instead of the file; the content
// of the work tree is never compared with it.
func isLFSPointer(content *evidence.Content) bool {
	return content != nil && evidence.IsLFS(content.Bytes())
}

// LateNotes returns a note if not everything was checked in time.
func (c *Checker) LateNotes() []string {
	if c == nil || c.late == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the evidence of %s was not checked in time; `engram verify` takes as long as it needs", core.Plural(c.late, "fact"))}
}
