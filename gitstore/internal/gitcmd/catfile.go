package gitcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"syscall"
)

// Object is something read from the object store.
type Object struct {
	Name string // 40 hex digits
	Kind string // commit, tree, blob, tag
	Data []byte
}

// CatFile reads objects through one `git cat-file --batch-command`, started at the
// first request. A git that died is started again once a request.
type CatFile struct {
	dir    string
	turn   Turn
	proc   *Process
	closed bool
	local  bool // nothing is fetched
}

// NewCatFile reads the objects of a git directory.
func NewCatFile(gitDir string) *CatFile { return &CatFile{dir: gitDir, turn: NewTurn()} }

// NewLocalCatFile is NewCatFile that fetches nothing: what a partial clone left
// to its remote is not found.
func NewLocalCatFile(gitDir string) *CatFile {
	return &CatFile{dir: gitDir, turn: NewTurn(), local: true}
}

// Turn is a mutex whose Take accepts a context: in a partial clone a
// request may take as long as its remote does.
type Turn chan struct{}

// NewTurn returns a free turn.
func NewTurn() Turn { return make(Turn, 1) }

// Take waits for the turn, or until ctx is done. The caller must call Give.
func (t Turn) Take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Give ends the turn.
func (t Turn) Give() { <-t }

// MaxSpecs is the largest number of objects in one request: their names fit into
// the pipe while git still writes its first answer.
const MaxSpecs = 256

// Get reads the object that spec names: an object name, a reference, or
// revision:path. The error wraps ErrNotFound, or ErrTooLarge if the object
// has more than limit bytes.
func (c *CatFile) Get(ctx context.Context, spec string, limit int64) (Object, error) {
	return c.one(ctx, "contents ", spec, limit)
}

// one asks for one object, or for its name, kind and size.
func (c *CatFile) one(ctx context.Context, command, spec string, limit int64) (Object, error) {
	answers, err := c.ask(ctx, Question{command, []string{spec}, limit})
	if err != nil {
		return Object{}, err
	}
	return answers[0].Object, answers[0].Err
}

// answer is an object, or the reason why git did not return it.
type answer struct {
	Object
	Err error
}

// GetAll is Get for at most MaxSpecs objects, in one round trip instead of one
// for each. An object that is too large still goes through the pipe and is discarded.
func (c *CatFile) GetAll(ctx context.Context, specs []string, limit int64) ([]answer, error) {
	return c.ask(ctx, Question{"contents ", specs, limit})
}

// Small is Get for what may be anything that users have in their repositories: its
// size is asked first, because a gigabyte takes a second to throw away. The error also
// wraps ErrNotFound if it is of another kind.
func (c *CatFile) Small(ctx context.Context, spec, kind string, limit int64) (Object, error) {
	info, err := c.one(ctx, "info ", spec, limit)
	if err == nil && info.Kind != kind {
		err = fmt.Errorf("%w: %s is a %s", ErrNotFound, spec, info.Kind)
	}
	if err != nil {
		return Object{}, err
	}
	return c.Get(ctx, spec, limit)
}

// Question is what git is asked about objects: their contents, or no more than info of
// them.
type Question struct {
	command string
	specs   []string
	Limit   int64
}

func (c *CatFile) ask(ctx context.Context, q Question) ([]answer, error) {
	specs := q.specs
	for _, spec := range specs {
		if strings.ContainsAny(spec, "\n\x00") {
			return nil, fmt.Errorf("%w: %q", ErrNotFound, spec)
		}
	}
	if err := c.turn.Take(ctx); err != nil {
		return nil, err
	}
	defer c.turn.Give()
	if c.closed {
		return nil, ErrClosed
	}
	fresh := c.proc == nil
	answers, err := c.request(ctx, q)
	if c.proc == nil && err != nil && !fresh && ctx.Err() == nil {
		answers, err = c.request(ctx, q)
	}
	return answers, err
}

func (c *CatFile) request(ctx context.Context, q Question) ([]answer, error) {
	if c.proc == nil {
		cmd := Command(context.Background(), c.dir, "cat-file", "--batch-command")
		if c.local {
			cmd = Locally(cmd)
		}
		p, err := StartProcess(cmd, "cat-file")
		if err != nil {
			return nil, err
		}
		c.proc = p
	}
	p := c.proc
	stop := context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
	answers, err := p.read(q)
	if stop() && err == nil {
		return answers, nil
	}
	c.proc = nil
	if err == nil { // cancelled, but too late
		p.kill()
		return answers, nil
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.EPIPE) {
		_ = p.cmd.Process.Kill() // it lives, but what it says makes no sense
	}
	return nil, p.Failed(ctx, err)
}

// read asks a `git cat-file --batch-command` for objects.
func (p *Process) read(q Question) ([]answer, error) {
	if _, err := io.WriteString(p.In, q.command+strings.Join(q.specs, "\n"+q.command)+"\n"); err != nil {
		return nil, err
	}
	answers := make([]answer, len(q.specs))
	for i, spec := range q.specs {
		obj, err := ReadObject(p.Out, spec, q)
		if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrTooLarge) {
			return nil, err
		}
		answers[i] = answer{obj, err}
	}
	return answers, nil
}

// lineReader is what ReadObject needs of a bufio.Reader.
type lineReader interface {
	io.Reader
	ReadString(delim byte) (string, error)
}

// ReadObject reads one answer of cat-file.
func ReadObject(r lineReader, spec string, q Question) (Object, error) {
	info, limit := q.command == "info ", q.Limit
	header, err := r.ReadString('\n')
	if err != nil {
		return Object{}, err
	}
	// "SPEC missing", "SPEC ambiguous"; "NAME submodule" since git 2.49.
	if rest, ok := strings.CutPrefix(header, spec+" "); ok && len(strings.Fields(rest)) == 1 {
		return Object{}, fmt.Errorf("%w: %s is %s", ErrNotFound, spec, strings.TrimSpace(rest))
	}
	fields := strings.Fields(header)
	if len(fields) == 2 && fields[1] == "submodule" {
		return Object{}, fmt.Errorf("%w: %s is a submodule", ErrNotFound, spec)
	}
	if len(fields) != 3 {
		return Object{}, fmt.Errorf("git cat-file answered %q", header)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return Object{}, fmt.Errorf("git cat-file answered %q", header)
	}
	obj := Object{Name: fields[0], Kind: fields[1]}
	if size > limit {
		if !info {
			if _, err := io.CopyN(io.Discard, r, size+1); err != nil {
				return Object{}, err
			}
		}
		return obj, fmt.Errorf("%w: %s has %d bytes; the limit is %d", ErrTooLarge, spec, size, limit)
	}
	if info {
		return obj, nil
	}
	obj.Data = make([]byte, size+1)
	if _, err := io.ReadFull(r, obj.Data); err != nil {
		return Object{}, err
	}
	obj.Data = obj.Data[:size]
	return obj, nil
}

// Close ends the git, after the request that it is busy with.
func (c *CatFile) Close() error {
	c.turn <- struct{}{}
	defer c.turn.Give()
	c.closed = true
	if c.proc == nil {
		return nil
	}
	p := c.proc
	c.proc = nil
	return p.Stop()
}

// Fits checks the size of an object without reading it.
func (c *CatFile) Fits(ctx context.Context, name string, limit int64) error {
	_, err := c.one(ctx, "info ", name, limit)
	return err
}

// Name returns the name of the object that spec names. The error wraps ErrNotFound.
func (c *CatFile) Name(ctx context.Context, spec string) (string, error) {
	obj, err := c.one(ctx, "info ", spec, math.MaxInt64)
	return obj.Name, err
}
