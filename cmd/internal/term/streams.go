// Package term writes to a terminal or a pipe: colour, wrapped text, tables,
// progress, and questions to the person who sits there. It knows nothing of facts.
package term

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"golang.org/x/term"

	"engram/internal/visible"
)

// Streams are the standard streams and what is known of them.
type Streams struct {
	In       io.Reader
	Data     *bufio.Writer // data
	Stdout   io.Writer     // what out writes to, for processes that inherit it
	Err      io.Writer     // messages, progress and hints
	Terminal bool          // out is one: readable text instead of tabs
	Asks     bool          // in is one as well: somebody can be asked
	Width    int           // of that terminal
	Color    Paint         // of out
	Progress *Progress
	Now      func() time.Time
	// Hide removes from a message what must not be repeated; nil removes nothing.
	Hide func(string) string
}

// Bounds within which text is wrapped.
const (
	minWidth = 40
	maxWidth = 100 // longer lines are hard to read
)

// SystemStreams are those of the process. Colours follow https://no-color.org.
func SystemStreams(now func() time.Time) *Streams {
	out, errs := int(os.Stdout.Fd()), int(os.Stderr.Fd())
	s := &Streams{
		In: os.Stdin, Data: bufio.NewWriterSize(outputWriter{os.Stdout}, 64<<10), Stdout: os.Stdout, Err: os.Stderr,
		Terminal: term.IsTerminal(out), Width: 80, Now: now,
		Progress: NewProgress(os.Stderr, term.IsTerminal(errs), now),
	}
	if s.Terminal {
		s.Asks = term.IsTerminal(int(os.Stdin.Fd()))
		if width, _, err := term.GetSize(out); err == nil && width > 0 {
			s.Width = min(max(width, minWidth), maxWidth)
		}
		s.Color = Paint(os.Getenv("NO_COLOR") == "" && colorTerminal())
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
		err = &OutputError{err}
	}
	return n, err
}

// Flush writes the data that is buffered.
func (out *Streams) Flush() error {
	out.Progress.Clear()
	return out.Data.Flush()
}

// Printf writes data. Errors are kept by the buffer and found by flush.
func (out *Streams) Printf(format string, args ...any) {
	fmt.Fprintf(out.Data, format, args...)
}

// Message writes a line to standard error. The texts it quotes may come from
// anybody who can write to the branch, so their control characters are made
// visible. The data before it is written first.
func (out *Streams) Message(format string, args ...any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = Plain(text)
		}
	}
	out.Progress.Clear()
	_ = out.Data.Flush() // the buffer keeps an error
	text := fmt.Sprintf(format, args...)
	if out.Hide != nil {
		text = out.Hide(text)
	}
	fmt.Fprintln(out.Err, text)
}

// Print writes a result as JSON, or as text with print.
func Print[T any](out *Streams, asJSON bool, result T, print func(*Streams, T)) error {
	if asJSON {
		return out.JSON(result)
	}
	print(out, result)
	return nil
}

// JSON writes one answer as one object.
func (out *Streams) JSON(v any) error { return WriteJSON(out.Data, v) }

// WriteJSON writes v as one indented object, with invisible characters made visible.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(visible.ShowJSON(b.Bytes()))
	return err
}

// OutputError is standard output that did not take what was written to it.
type OutputError struct{ err error }

func (e *OutputError) Error() string { return "write standard output: " + e.err.Error() }

func (e *OutputError) Unwrap() error { return e.err }

// LogWriter returns a writer to standard error that erases the line of progress first.
func (out *Streams) LogWriter() io.Writer { return logWriter{out} }

type logWriter struct{ out *Streams }

func (w logWriter) Write(p []byte) (int, error) {
	w.out.Progress.Clear()
	return w.out.Err.Write(p)
}
