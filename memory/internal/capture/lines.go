package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"

	"engram/session"
	"engram/session/scrub"
	"engram/session/transcript"
)

// Bounds of a batch of lines, which one goroutine scrubs.
const (
	batchBytes = 1 << 20
	batchLines = 512
	// hookBatch is that of a reading whose time is bounded: it takes at least one.
	hookBatch = 64 << 10
)

// batch is some lines of a transcript.
type batch struct {
	lines []line
	done  chan struct{} // closed when they are scrubbed
}

// line is one line, without its newline.
type line struct {
	raw   []byte
	open  bool // it has none
	clean scrub.Result
}

// lines reads lines from the cursor on. Lines are scrubbed by all processors, and taken
// in order.
func (r *reading) lines(ctx context.Context, f *os.File) error {
	if r.cursor.Offset == 0 && r.cursor.Meta.Session == "" {
		r.lookAhead(f)
	}
	if _, err := f.Seek(r.cursor.Offset, io.SeekStart); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	ordered := make(chan *batch, runtime.GOMAXPROCS(0)+1)
	work := make(chan *batch)
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for b := range work {
				for i := range b.lines {
					b.lines[i].clean = scrub.Line(b.lines[i].raw, r.redactor, nil)
				}
				close(b.done)
			}
		})
	}
	failed := make(chan error, 1)
	running.Go(func() {
		defer close(ordered)
		defer close(work)
		failed <- r.batches(ctx, f, func(b *batch) bool {
			select {
			case ordered <- b:
			case <-ctx.Done():
				return false
			}
			select {
			case work <- b:
			case <-ctx.Done():
				close(b.done)
				return false
			}
			return true
		})
	})
	for b := range ordered {
		<-b.done
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i := range b.lines {
			if err := r.takeLine(ctx, &b.lines[i]); err != nil {
				return err
			}
		}
		if !r.until.IsZero() && r.now().After(r.until) {
			r.late = true
			return nil // the deferred cancel ends the rest
		}
	}
	return <-failed
}

// aheadBytes is how many bytes are looked at for the id and the folder of a session.
const aheadBytes = 4 << 20

// lookAhead reads the first id of a session in a transcript: it is also that of the records
// before, such as the titles of older sessions. It notes the first folder as well.
func (r *reading) lookAhead(f *os.File) {
	in := bufio.NewReader(io.NewSectionReader(f, 0, aheadBytes))
	var meta transcript.Meta
	for err := error(nil); err == nil && (meta.Session == "" || meta.Cwd == "" && r.whole); {
		var raw []byte
		if raw, err = in.ReadBytes('\n'); err != nil && !r.whole {
			break
		}
		clean := scrub.Line(bytes.TrimSuffix(raw, []byte("\n")), r.redactor, nil).Raw
		if r.first == "" {
			r.first = session.Digest(clean)[:firstDigits]
		}
		named := meta.Session
		_, meta = r.cursor.Format.Line(clean, meta)
		meta.Session = cmp.Or(named, meta.Session)
	}
	r.cursor.Meta.Session, r.folder = meta.Session, meta.Cwd
}

// firstDigits is how many digits of the first record's digest are in an id.
const firstDigits = 8

// batches reads lines and hands them on until hand returns false.
func (r *reading) batches(ctx context.Context, f *os.File, hand func(*batch) bool) error {
	in := bufio.NewReaderSize(f, 256<<10)
	next := &batch{done: make(chan struct{})}
	size, most := 0, batchBytes
	if !r.until.IsZero() {
		most = hookBatch
	}
	for {
		raw, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(raw) > 0 && (err == nil || r.whole) {
			l := line{raw: raw, open: err != nil}
			if !l.open {
				l.raw = raw[:len(raw)-1]
			}
			next.lines = append(next.lines, l)
			size += len(raw)
		}
		ended := err != nil
		if len(next.lines) > 0 && (ended || size >= most || len(next.lines) >= batchLines) {
			if !hand(next) {
				return nil
			}
			next, size = &batch{done: make(chan struct{})}, 0
		}
		if ended || ctx.Err() != nil {
			return nil
		}
	}
}

// takeLine takes a line that was scrubbed.
func (r *reading) takeLine(ctx context.Context, l *line) error {
	rec, meta := r.cursor.Format.Line(l.clean.Raw, r.cursor.Meta)
	rec.Item, rec.Open = r.cursor.Item, l.open
	rec.Redacted, rec.Omitted = l.clean.Redacted, l.clean.Omitted
	if err := r.take(ctx, l.raw, rec, meta); err != nil {
		return err
	}
	if r.bytes += int64(len(l.raw)); r.progress != nil {
		r.progress.Add(int64(len(l.raw)))
	}
	if l.open { // it is read again, when it is whole
		r.cursor.Open = r.opened
		return nil
	}
	if r.key != 0 {
		r.keys = append(r.keys, r.key)
	}
	r.cursor.Open = ""
	r.cursor.Meta = meta
	r.cursor.Item++
	r.cursor.Length = len(l.raw) + 1
	r.cursor.Offset += int64(r.cursor.Length)
	r.last = l.raw
	return nil
}

// markCursor sets what tells whether the file is still the one that was read.
func (r *reading) markCursor() {
	if r.last != nil {
		r.cursor.Sum = session.Digest(append(r.last[:len(r.last):len(r.last)], '\n'))[:16]
	}
}

// occurrence returns how many records like this one were before it in the transcript, and
// counts it. If the transcript is continued, the records before are counted first.
func (r *reading) occurrence(raw []byte) int {
	if r.counts == nil {
		r.counts = map[uint64]int{}
		if keys, ok := r.local.Keys(r.path, r.cursor.Keys); ok {
			for _, key := range append(keys, r.keys...) {
				r.counts[key]++
			}
		} else if r.begunAt > 0 {
			r.countBefore()
		}
	}
	key := session.RecordKey(raw)
	r.key = key
	n := r.counts[key]
	r.counts[key]++
	return n
}

// countBefore counts the records before the place where this reading began.
func (r *reading) countBefore() {
	f, err := os.Open(r.path)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReaderSize(io.LimitReader(f, r.begunAt), 256<<10)
	for {
		raw, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		r.counts[session.RecordKey(raw[:len(raw)-1])]++
	}
}
