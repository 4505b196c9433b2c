package term

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Asker puts questions to the person at the terminal.
type Asker struct {
	Io    *Streams
	lines *bufio.Reader
}

// ErrQuit ends a dialogue. What was decided before stays decided.
var ErrQuit = errors.New("quit")

// NewAsker returns an asker that reads answers until ctx ends.
func NewAsker(ctx context.Context, out *Streams) Asker {
	return Asker{out, bufio.NewReader(Interruptible(ctx, out.In))}
}

// Ask puts a question and returns the line that answers it, or otherwise for an
// empty line.
func (a *Asker) Ask(question, otherwise string) (string, error) {
	shown := ""
	if otherwise != "" {
		shown = " [" + otherwise + "]"
	}
	a.Io.Printf("  %s%s ", a.Io.Color.Bold(question), shown)
	if err := a.Io.Flush(); err != nil {
		return "", err
	}
	line, err := a.lines.ReadString('\n')
	line = strings.TrimSpace(line)
	if err != nil && !(errors.Is(err, io.EOF) && line != "") {
		a.Io.Printf("\n")
		return "", err
	}
	return cmp.Or(line, otherwise), nil
}

// Yes asks until the answer is yes or no. An empty line is yes.
func (a *Asker) Yes(question string) (bool, error) {
	for {
		answer, err := a.Ask(question, "")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "", "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
	}
}

// EachOf goes through a list with the person: it prints which of them is next and about
// what, and calls do. It stops if that person quits, and returns how many are left then.
func EachOf[T any](a Asker, list []T, about func(T) string, do func(T) error) (left int, err error) {
	for i, item := range list {
		a.Io.Printf("%s\n\n", a.Io.Color.Dim(Dotted(fmt.Sprintf("%d of %d", i+1, len(list)), about(item))))
		err := do(item)
		if errors.Is(err, ErrQuit) || errors.Is(err, io.EOF) {
			return len(list) - i, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// Interruptible reads from r until ctx ends. A read that waits for a person
// would otherwise not notice; the goroutine it leaves then ends with r or with
// the process.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, r)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { reader.CloseWithError(context.Cause(ctx)) })
	return reader
}
