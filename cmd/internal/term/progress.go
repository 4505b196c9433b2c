package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Progress shows on one line of a terminal how far long work has come. Its methods may be
// called by several goroutines.
type Progress struct {
	w       io.Writer
	enabled bool
	now     func() time.Time

	mu    sync.Mutex
	began time.Time // of the present task
	task  string
	last  time.Time
	shown int // characters that stand on the line
}

// Work that is done sooner than patience shows nothing.
const (
	patience = 400 * time.Millisecond
	interval = 100 * time.Millisecond
	forecast = 5 * time.Second // from when on the time that is left can be told
)

// NewProgress returns a progress that shows nothing unless it is enabled.
func NewProgress(w io.Writer, enabled bool, now func() time.Time) *Progress {
	return &Progress{w: w, enabled: enabled, now: now}
}

// Update is memory.Options.Progress.
func (p *Progress) Update(task string, done, total int) {
	if !p.enabled {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if task != p.task {
		p.task, p.began = task, now
	}
	if now.Sub(p.began) < patience || now.Sub(p.last) < interval {
		return
	}
	p.last = now
	line := fmt.Sprintf("%s %d", task, done)
	if total > 0 {
		line += fmt.Sprintf(" of %d (%d %%)", total, 100*done/total)
		if elapsed := now.Sub(p.began); done > 0 && elapsed > forecast {
			line += ", about " + About(elapsed.Seconds()/float64(done)*float64(total-done)) + " left"
		}
	}
	n := utf8.RuneCountInString(line)
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", max(0, p.shown-n)))
	p.shown = n
}

// Clear erases the line, so that other text can be written.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}
