package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
)

// object is something read from the object store.
type object struct {
	name string // 40 hex digits
	kind string // commit, tree, blob, tag
	data []byte
}

// catFile reads objects through one `git cat-file --batch-command`, started at the
// first request. A git that died is started again once a request.
type catFile struct {
	dir    string
	turn   turn
	proc   *process
	closed bool
	local  bool // nothing is fetched
}

// turn is a mutex that can be waited for with a context: in a partial clone a
// request may take as long as its remote does.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) take(ctx context.Context) error {
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

func (t turn) give() { <-t }

// maxSpecs is how many objects are asked for at once: their names fit into the
// pipe while git is still busy with its first answer.
const maxSpecs = 256

// get reads the object that spec names: an object name, a reference, or
// revision:path. The error wraps ErrNotFound, or ErrTooLarge where the object
// has more than limit bytes.
func (c *catFile) get(ctx context.Context, spec string, limit int64) (object, error) {
	answers, err := c.getAll(ctx, []string{spec}, limit)
	if err != nil {
		return object{}, err
	}
	return answers[0].object, answers[0].err
}

// answer is an object, or why git has none to give.
type answer struct {
	object
	err error
}

// getAll is get for at most maxSpecs objects, in one round trip instead of one
// for each. What is too large goes through the pipe all the same, and is thrown away.
func (c *catFile) getAll(ctx context.Context, specs []string, limit int64) ([]answer, error) {
	return c.ask(ctx, question{"contents ", specs, limit})
}

// small is get for what may be anything that users have in their repositories: its
// size is asked first, because a gigabyte takes a second to throw away. The error also
// wraps ErrNotFound where it is of another kind.
func (c *catFile) small(ctx context.Context, spec, kind string, limit int64) (object, error) {
	answers, err := c.ask(ctx, question{"info ", []string{spec}, limit})
	if err != nil {
		return object{}, err
	}
	if info := answers[0]; info.err != nil || info.kind != kind {
		return object{}, cmp.Or(info.err, fmt.Errorf("%w: %s is a %s", ErrNotFound, spec, info.kind))
	}
	return c.get(ctx, spec, limit)
}

// question is what git is asked about objects: their contents, or no more than info of
// them.
type question struct {
	command string
	specs   []string
	limit   int64
}

func (c *catFile) ask(ctx context.Context, q question) ([]answer, error) {
	specs := q.specs
	for _, spec := range specs {
		if strings.ContainsAny(spec, "\n\x00") {
			return nil, fmt.Errorf("%w: %q", ErrNotFound, spec)
		}
	}
	if err := c.turn.take(ctx); err != nil {
		return nil, err
	}
	defer c.turn.give()
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

func (c *catFile) request(ctx context.Context, q question) ([]answer, error) {
	if c.proc == nil {
		cmd := command(context.Background(), c.dir, "cat-file", "--batch-command")
		if c.local {
			cmd = locally(cmd)
		}
		p, err := startProcess(cmd, "cat-file")
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
	return nil, p.failed(ctx, err)
}

// read asks a `git cat-file --batch-command` for objects.
func (p *process) read(q question) ([]answer, error) {
	if _, err := io.WriteString(p.in, q.command+strings.Join(q.specs, "\n"+q.command)+"\n"); err != nil {
		return nil, err
	}
	answers := make([]answer, len(q.specs))
	for i, spec := range q.specs {
		obj, err := readObject(p.out, spec, q)
		if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrTooLarge) {
			return nil, err
		}
		answers[i] = answer{obj, err}
	}
	return answers, nil
}

// lineReader is what readObject needs of a bufio.Reader.
type lineReader interface {
	io.Reader
	ReadString(delim byte) (string, error)
}

// readObject reads one answer of cat-file.
func readObject(r lineReader, spec string, q question) (object, error) {
	info, limit := q.command == "info ", q.limit
	header, err := r.ReadString('\n')
	if err != nil {
		return object{}, err
	}
	// "SPEC missing", "SPEC ambiguous"; "NAME submodule" since git 2.49.
	if rest, ok := strings.CutPrefix(header, spec+" "); ok && len(strings.Fields(rest)) == 1 {
		return object{}, fmt.Errorf("%w: %s is %s", ErrNotFound, spec, strings.TrimSpace(rest))
	}
	fields := strings.Fields(header)
	if len(fields) == 2 && fields[1] == "submodule" {
		return object{}, fmt.Errorf("%w: %s is a submodule", ErrNotFound, spec)
	}
	if len(fields) != 3 {
		return object{}, fmt.Errorf("git cat-file answered %q", header)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return object{}, fmt.Errorf("git cat-file answered %q", header)
	}
	obj := object{name: fields[0], kind: fields[1]}
	if size > limit {
		if !info {
			if _, err := io.CopyN(io.Discard, r, size+1); err != nil {
				return object{}, err
			}
		}
		return obj, fmt.Errorf("%w: %s has %d bytes; at most %d are read", ErrTooLarge, spec, size, limit)
	}
	if info {
		return obj, nil
	}
	obj.data = make([]byte, size+1)
	if _, err := io.ReadFull(r, obj.data); err != nil {
		return object{}, err
	}
	obj.data = obj.data[:size]
	return obj, nil
}

func (c *catFile) close() error {
	c.turn <- struct{}{}
	defer c.turn.give()
	c.closed = true
	if c.proc == nil {
		return nil
	}
	p := c.proc
	c.proc = nil
	return p.stop()
}
