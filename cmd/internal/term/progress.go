package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Progress shows how far long work has come: on one line of a terminal, and elsewhere on a line of
// its own now and then. Its methods may be called by several goroutines.
type Progress struct {
	w        io.Writer
	terminal bool
	now      func() time.Time

	mu     sync.Mutex
	silent bool
	began  time.Time // of the present task
	task   string
	called time.Time // Update, the last time
	last   time.Time // something was shown
	shown  int       // characters that stand on the line
}

// Work that is done sooner than patience shows nothing.
const (
	patience = 400 * time.Millisecond
	interval = 100 * time.Millisecond
	between  = 10 * time.Second // lines, where there is no terminal, and before the first
	forecast = 5 * time.Second  // from when on the time that is left can be told
)

// NewProgress returns a progress for a terminal, or for other output.
func NewProgress(w io.Writer, terminal bool, now func() time.Time) *Progress {
	return &Progress{w: w, terminal: terminal, now: now}
}

// Silence makes a progress show nothing where there is no terminal: for programs that read what is
// written there.
func (p *Progress) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = !p.terminal
}

// Update is memory.Options.Progress.
func (p *Progress) Update(task string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silent {
		return
	}
	now := p.now()
	first, often := patience, interval
	if !p.terminal {
		first, often = between, between
	}
	if task != p.task || !p.terminal && now.Sub(p.called) > 2*between { // the same task, begun again
		p.task, p.began = task, now
	}
	if p.called = now; now.Sub(p.began) < first || now.Sub(p.last) < often {
		return
	}
	p.last = now
	line := fmt.Sprintf("%s %d", task, done)
	if total > 0 {
		line += fmt.Sprintf(" of %d (%d %%)", total, 100*done/total)
		if elapsed := now.Sub(p.began); done > 0 && done < total && elapsed > forecast {
			line += ", about " + About(elapsed.Seconds()/float64(done)*float64(total-done)) + " left"
		}
	}
	if !p.terminal {
		fmt.Fprintln(p.w, line)
		return
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
