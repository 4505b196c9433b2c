package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"golang.org/x/term"
)

// streams are the standard streams and what is known of them.
type streams struct {
	in       io.Reader
	out      *bufio.Writer // data
	stdout   io.Writer     // what out writes to, for processes that inherit it
	err      io.Writer     // messages, progress and hints
	terminal bool          // out is one: readable text instead of tabs
	asks     bool          // in is one as well: somebody can be asked
	width    int           // of that terminal
	color    paint         // of out
	progress *progress
	now      func() time.Time
}

// Bounds within which text is wrapped.
const (
	minWidth = 40
	maxWidth = 100 // longer lines are hard to read
)

// systemStreams are those of the process. Colours follow https://no-color.org.
func systemStreams(now func() time.Time) *streams {
	out, errs := int(os.Stdout.Fd()), int(os.Stderr.Fd())
	s := &streams{
		in: os.Stdin, out: bufio.NewWriterSize(outputWriter{os.Stdout}, 64<<10), stdout: os.Stdout, err: os.Stderr,
		terminal: term.IsTerminal(out), width: 80, now: now,
		progress: newProgress(os.Stderr, term.IsTerminal(errs), now),
	}
	if s.terminal {
		s.asks = term.IsTerminal(int(os.Stdin.Fd()))
		if width, _, err := term.GetSize(out); err == nil && width > 0 {
			s.width = min(max(width, minWidth), maxWidth)
		}
		s.color = paint(os.Getenv("NO_COLOR") == "" && colorTerminal())
	}
	return s
}

func colorTerminal() bool {
	if runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" {
		return os.Getenv("TERM") != "" // an old console shows the codes themselves
	}
	return os.Getenv("TERM") != "dumb"
}

// outputWriter tells errors of standard output from all others.
type outputWriter struct{ w io.Writer }

func (o outputWriter) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		err = &outputError{err}
	}
	return n, err
}

func (io *streams) flush() error {
	io.progress.clear()
	return io.out.Flush()
}

// printf writes data. Errors are kept by the buffer and found by flush.
func (io *streams) printf(format string, args ...any) {
	fmt.Fprintf(io.out, format, args...)
}

// message writes a line to standard error. The texts it quotes may come from
// anybody who can write to the branch, so their control characters are made
// visible.
func (io *streams) message(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = plain(text)
		}
	}
	io.progress.clear()
	fmt.Fprintf(io.err, format+"\n", args...)
}

// json writes one answer as one object.
func (io *streams) json(v any) error { return writeJSON(io.out, v) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
