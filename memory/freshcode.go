package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/evidence"
	"engram/gitstore"
	"engram/internal/hint"
)

// checker holds pointers against one state of the code. It serves one answer, in one
// goroutine: pointers into one file share a reading, those of one commit a search.
type checker struct {
	m      *Memory
	tip    string // of the memory branch, for pointers to facts
	now    time.Time
	commit string // of the code; "" where there is none
	work   bool   // the work tree as it is, beyond that commit
	none   string // why there is nothing to hold evidence against; "" where there is
	// until is when no more is begun, zero: never. late counts pointers that were not
	// checked for it.
	until time.Time
	late  int
	// thorough also looks for what is neither committed nor staged.
	thorough bool

	files    map[string]*codeFile    // of that state, by path
	then     map[[2]string]*codeFile // by commit and path
	blobs    map[string]*evidence.Content
	held     int                // bytes in blobs
	commits  map[string]string  // by the digits that name them; "" where they are not here
	searches map[string]*search // by commit
	unstaged []string           // files of the work tree that are not as they are staged; nil: not asked
	// unstagedMore: these are not all.
	unstagedMore bool
	found        *lineIndex
	keep         *verdicts
}

// codeFile is what stands at a path in a state of the code.
type codeFile struct {
	gitstore.Code
	content *evidence.Content // of a file; nil where it was not read yet, or is too large
	problem string            // why it was not read
}

// maxHeldCode is how many bytes of code are kept to be compared with again.
const maxHeldCode = 64 << 20

// codeHere is the state of the code that this process stands in: the work tree as it
// is or, without one, HEAD.
func (m *Memory) codeHere(ctx context.Context, tip string) (*checker, error) {
	return m.codeAt(ctx, tip, "")
}

// headName asks for what is committed instead of the work tree.
const headName = "HEAD"

// codeAt is codeHere, or a commit in any name that git knows.
func (m *Memory) codeAt(ctx context.Context, tip, at string) (*checker, error) {
	c := &checker{
		m: m, tip: tip, now: m.moment(), files: make(map[string]*codeFile), then: make(map[[2]string]*codeFile),
		blobs: make(map[string]*evidence.Content), commits: make(map[string]string), searches: make(map[string]*search), found: newLineIndex(),
	}
	if m.from != nil {
		c.none = "it is about another repository"
		return c, nil
	}
	var err error
	switch {
	case at == "" || at == headName:
		c.commit, err = m.store.CodeHead(ctx)
		c.work = at == "" && m.store.WorkTree() != ""
	default:
		if c.commit, err = m.store.CommitNamed(ctx, at); errors.Is(err, gitstore.ErrNotFound) {
			return nil, wrong(hint.New("%s shows the commits", hint.Do(hint.Git, "log")), "%.60q is no commit of this repository", at)
		}
	}
	if err != nil {
		return nil, err
	}
	if c.commit == "" {
		c.none = "there is no code here to hold it against"
		if c.work && m.store.CodeBranch() != "" { // nothing is committed yet, and there are files
			memory, err := m.store.OnMemory(ctx)
			if err != nil {
				return nil, err
			}
			if !memory {
				c.none = ""
			}
		}
	}
	c.keep = m.verdictsFor(m.store.CodeStamp(c.commit), c.work)
	c.found = c.keep.lines()
	return c, nil
}

// within gives a checker so much time from now on, or as much as the memory's options
// say.
func (c *checker) within(limit time.Duration) *checker {
	if c.m.evidenceTime != 0 {
		limit = c.m.evidenceTime
	}
	c.until = time.Now().Add(limit)
	return c
}

// over reports whether the time is.
func (c *checker) over() bool { return !c.until.IsZero() && time.Now().After(c.until) }

// limited is a context that ends with the checker's time.
func (c *checker) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, c.until)
}

// file is what stands at a path in the state that the checker is for.
func (c *checker) file(ctx context.Context, path string) (*codeFile, error) {
	if f, known := c.files[path]; known {
		return f, nil
	}
	f, err := c.readFile(ctx, path)
	if err == nil {
		c.files[path] = f
	}
	return f, err
}

func (c *checker) readFile(ctx context.Context, path string) (*codeFile, error) {
	if !c.work {
		return c.committed(ctx, c.commit, path)
	}
	data, err := c.m.store.WorkFile(path)
	switch {
	case err == nil:
		f := &codeFile{content: c.hold("", data)}
		f.Kind, f.Name = gitstore.CodeFile, gitstore.BlobName(data)
		return f, nil
	case errors.Is(err, gitstore.ErrTooLarge):
		return c.largeFile(ctx, path)
	case !errors.Is(err, gitstore.ErrNotFound):
		return &codeFile{problem: err.Error(), Code: gitstore.Code{Kind: gitstore.CodeFile}}, nil
	}
	return c.readObject(ctx, path)
}

// largeFile is a file of the work tree that is too large to be read: its name says
// whether it is what is committed somewhere.
func (c *checker) largeFile(ctx context.Context, path string) (*codeFile, error) {
	f := &codeFile{problem: tooLarge, Code: gitstore.Code{Kind: gitstore.CodeFile}}
	name, err := c.m.store.WorkName(ctx, path)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		f.Name = name
	}
	return f, nil
}

const tooLarge = "it is larger than what engram reads"

func (c *checker) committedHere(ctx context.Context, path string) (*codeFile, error) {
	if c.commit == "" {
		return &codeFile{}, nil
	}
	return c.committed(ctx, c.commit, path)
}

// committed is what stands at a path in a commit, files with their content.
func (c *checker) committed(ctx context.Context, commit, path string) (*codeFile, error) {
	if f, known := c.then[[2]string{commit, path}]; known {
		return f, nil
	}
	code, err := c.m.store.CodeAt(ctx, commit, path)
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrDamaged) {
		code, err = gitstore.Code{}, nil // a clone that has no trees of so long ago
	}
	if err != nil {
		return nil, err
	}
	f := &codeFile{Code: code}
	if code.Kind == gitstore.CodeFile {
		if f.content, err = c.blob(ctx, code.Name); err != nil {
			return nil, err
		}
		if f.content == nil {
			f.problem = "it is larger than what engram reads, or missing from this clone"
		}
	}
	c.then[[2]string{commit, path}] = f
	return f, nil
}

// blob is the content of an object; nil where it is too large, or not here.
func (c *checker) blob(ctx context.Context, name string) (*evidence.Content, error) {
	if content, known := c.blobs[name]; known {
		return content, nil
	}
	data, err := c.m.store.CodeBlob(ctx, name)
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c.hold(name, data), nil
}

// hold takes a content apart and keeps it, as far as there is room.
func (c *checker) hold(name string, data []byte) *evidence.Content {
	if c.held += len(data); c.held > maxHeldCode {
		clear(c.blobs)
		clear(c.files)
		clear(c.then)
		c.held = len(data)
	}
	content := evidence.Read(data)
	if name != "" {
		c.blobs[name] = content
	}
	return content
}

// commitOf is the full name of the commit that a pointer names, "" where it is not
// here.
func (c *checker) commitOf(ctx context.Context, digits string) (string, error) {
	if digits == "" {
		return "", nil
	}
	if commit, known := c.commits[digits]; known {
		return commit, nil
	}
	commit, err := c.m.store.CommitOf(ctx, digits)
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrTooLarge) {
		commit, err = "", nil
	}
	if err == nil {
		c.commits[digits] = commit
	}
	return commit, err
}

// isStandIn reports whether git keeps a stand-in for a file that lies elsewhere (git
// lfs): what the work tree has is never compared with that.
func isStandIn(content *evidence.Content) bool {
	return content != nil && evidence.IsLFS(content.Bytes())
}

// lateNote says that not everything was checked in time.
func (c *checker) lateNote() []string {
	if c == nil || c.late == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the evidence of %s was not checked in time; `engram verify` takes as long as it needs", counted(c.late, "fact"))}
}
