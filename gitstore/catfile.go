package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// object is something read from the object store.
type object struct {
	name string // 40 hex digits
	kind string // commit, tree, blob, tag
	data []byte
}

// catFile reads objects through one `git cat-file --batch`, started at the
// first request. A git that died is started again once a request.
type catFile struct {
	dir  string
	mu   sync.Mutex
	proc *process
}

// get reads the object that spec names: an object name, a reference, or
// revision:path. The error wraps ErrNotFound, or ErrTooLarge where the object
// has more than limit bytes.
func (c *catFile) get(ctx context.Context, spec string, limit int64) (object, error) {
	if strings.ContainsAny(spec, "\n\x00") {
		return object{}, fmt.Errorf("%w: %q", ErrNotFound, spec)
	}
	if err := ctx.Err(); err != nil {
		return object{}, context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := c.proc == nil
	obj, err := c.request(ctx, spec, limit)
	if c.proc == nil && err != nil && !fresh && ctx.Err() == nil {
		obj, err = c.request(ctx, spec, limit)
	}
	return obj, err
}

func (c *catFile) request(ctx context.Context, spec string, limit int64) (object, error) {
	if c.proc == nil {
		p, err := startProcess(c.dir, "cat-file", "--batch")
		if err != nil {
			return object{}, err
		}
		c.proc = p
	}
	// A partial clone may go to its remote for an object: that must be cancellable.
	stop := context.AfterFunc(ctx, func() { _ = c.proc.cmd.Process.Kill() })
	obj, err := c.exchange(spec, limit)
	if !stop() || err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrTooLarge) {
		p := c.proc
		c.proc = nil
		if err == nil { // killed after its last answer
			p.kill()
			return obj, nil
		}
		return object{}, p.failed(ctx, err)
	}
	return obj, err
}

func (c *catFile) exchange(spec string, limit int64) (object, error) {
	if _, err := io.WriteString(c.proc.in, spec+"\n"); err != nil {
		return object{}, err
	}
	return readObject(c.proc.out, spec, limit)
}

// lineReader is what readObject needs of a bufio.Reader.
type lineReader interface {
	io.Reader
	ReadString(delim byte) (string, error)
	Discard(n int) (int, error)
}

// readObject reads one answer of cat-file --batch.
func readObject(r lineReader, spec string, limit int64) (object, error) {
	header, err := r.ReadString('\n')
	if err != nil {
		return object{}, err
	}
	fields := strings.Fields(strings.TrimPrefix(header, spec))
	if strings.HasPrefix(header, spec+" ") && len(fields) == 1 { // "SPEC missing", "SPEC ambiguous"
		return object{}, fmt.Errorf("%w: %s is %s", ErrNotFound, spec, fields[0])
	}
	if fields = strings.Fields(header); len(fields) != 3 {
		return object{}, fmt.Errorf("git cat-file answered %q", header)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return object{}, fmt.Errorf("git cat-file answered %q", header)
	}
	obj := object{name: fields[0], kind: fields[1]}
	if size > limit {
		if _, err := r.Discard(int(size) + 1); err != nil {
			return object{}, err
		}
		return obj, fmt.Errorf("%w: %s has %d bytes; at most %d are read", ErrTooLarge, spec, size, limit)
	}
	obj.data = make([]byte, size+1)
	if _, err := io.ReadFull(r, obj.data); err != nil {
		return object{}, err
	}
	obj.data = obj.data[:size]
	return obj, nil
}

func (c *catFile) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proc == nil {
		return nil
	}
	p := c.proc
	c.proc = nil
	return p.stop()
}
