package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// partSuffix marks an incomplete download.
const partSuffix = ".part"

// Pull downloads a model into the cache. Files that exist are checked and kept, and
// interrupted downloads continue. A file counts only if its size and SHA-256 are those of
// the catalogue. progress, which may be nil, is called with each file's bytes.
func (c *Cache) Pull(ctx context.Context, name string, progress func(file string, done, total int64)) error {
	e, ok := c.Lookup(name)
	if !ok {
		return &UnknownError{Value: name}
	}
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	for _, f := range e.Files {
		if problemOf(filepath.Join(c.Dir, e.Name), f) == "" {
			progress(f.Path, f.Size, f.Size)
			continue
		}
		p := pull{cache: c, entry: e, file: f, path: c.file(e, f), progress: progress}
		if err := p.run(ctx); err != nil {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			return fmt.Errorf("fetch %s of %s: %w", f.Path, name, err)
		}
	}
	c.record(e)
	return nil
}

// pull is the download of one file.
type pull struct {
	cache    *Cache
	entry    Entry
	file     File
	path     string
	progress func(file string, done, total int64)
}

func (p *pull) run(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(p.path), 0o755); err != nil {
		return err
	}
	part := p.path + partSuffix
	if err := p.download(ctx, part); err != nil {
		return err
	}
	digest, err := hashFile(os.DirFS(filepath.Dir(part)), filepath.Base(part))
	if err != nil {
		return err
	}
	if digest != p.file.SHA256 {
		return errors.Join(fmt.Errorf("%w: its SHA-256 is %s, not %s; the download was deleted", ErrDamaged, digest, p.file.SHA256), os.Remove(part))
	}
	return os.Rename(part, p.path)
}

// download completes the partial file.
func (p *pull) download(ctx context.Context, part string) error {
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = p.fill(ctx, f)
	if err == nil {
		err = f.Sync() // the file gets its name only once it is on the disk
	}
	err = errors.Join(err, f.Close())
	if errors.Is(err, ErrDamaged) { // continuing the download would not help
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

func (p *pull) fill(ctx context.Context, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	done := info.Size()
	if done > p.file.Size {
		done = 0 // of another file
	}
	if done == p.file.Size {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	patience := cmp.Or(max(0, p.cache.Patience), time.Minute)
	stalled := time.AfterFunc(patience, func() { cancel(fmt.Errorf("the server sent nothing for %v", patience)) })
	defer stalled.Stop()
	response, err := p.ask(ctx, done)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	if done, err = p.begin(response, done); err != nil {
		return err
	}
	done, err = p.save(f, response.Body, done, func() { stalled.Reset(patience) })
	if err != nil && !errors.Is(err, ErrDamaged) {
		return fmt.Errorf("interrupted after %d of %d bytes; pull again to continue: %w", done, p.file.Size, cmp.Or(context.Cause(ctx), err))
	}
	return err
}

// save writes the response to the file, from the byte done on, and returns the number of
// bytes so far. alive is called whenever something arrives.
func (p *pull) save(f *os.File, body io.Reader, done int64, alive func()) (int64, error) {
	if err := f.Truncate(done); err != nil {
		return done, err
	}
	if _, err := f.Seek(done, io.SeekStart); err != nil {
		return done, err
	}
	counted := writerFunc(func(b []byte) (int, error) {
		alive()
		n, err := f.Write(b)
		done += int64(n)
		p.progress(p.file.Path, done, p.file.Size)
		return n, err
	})
	_, err := io.Copy(counted, io.LimitReader(body, p.file.Size-done+1))
	switch {
	case done > p.file.Size:
		return done, fmt.Errorf("%w: the server sent more than %d bytes; the download was deleted", ErrDamaged, p.file.Size)
	case err == nil && done < p.file.Size:
		err = io.ErrUnexpectedEOF
	}
	return done, err
}

// ask requests the file, starting at a byte.
func (p *pull) ask(ctx context.Context, from int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.entry.address(cmp.Or(p.cache.Base, DefaultBase), p.file), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "engram")
	request.Header.Set("Accept-Encoding", "identity") // the catalogue has the sizes of uncompressed files
	if from > 0 {
		request.Header.Set("Range", "bytes="+strconv.FormatInt(from, 10)+"-")
	}
	return cmp.Or(p.cache.Client, http.DefaultClient).Do(request)
}

// begin returns the byte at which the response begins: from, or 0 if the server does not
// support ranges.
func (p *pull) begin(r *http.Response, from int64) (int64, error) {
	switch {
	case r.StatusCode == http.StatusOK:
		from = 0
	case r.StatusCode == http.StatusPartialContent && strings.HasPrefix(r.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)):
	case r.StatusCode == http.StatusPartialContent, r.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return 0, fmt.Errorf("%w: the file on the server has another size; the partial download was deleted", ErrDamaged)
	default:
		return 0, fmt.Errorf("%s: %s", r.Request.URL.Redacted(), r.Status)
	}
	if r.ContentLength >= 0 && from+r.ContentLength > p.file.Size {
		return 0, fmt.Errorf("%w: the file on the server has %d bytes, not %d; the partial download was deleted", ErrDamaged, from+r.ContentLength, p.file.Size)
	}
	return from, nil
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }
