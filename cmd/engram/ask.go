package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
)

// asker puts questions to the person at the terminal.
type asker struct {
	io    *streams
	lines *bufio.Reader
}

// errQuit ends a dialogue. What was decided before stays decided.
var errQuit = errors.New("quit")

// newAsker returns an asker that reads answers until ctx ends.
func newAsker(ctx context.Context, out *streams) asker {
	return asker{out, bufio.NewReader(interruptible(ctx, out.in))}
}

// ask puts a question and returns the line that answers it, or otherwise for an
// empty line.
func (a *asker) ask(question, otherwise string) (string, error) {
	shown := ""
	if otherwise != "" {
		shown = " [" + otherwise + "]"
	}
	a.io.printf("  %s%s ", a.io.color.bold(question), shown)
	if err := a.io.flush(); err != nil {
		return "", err
	}
	line, err := a.lines.ReadString('\n')
	line = strings.TrimSpace(line)
	if err != nil && !(errors.Is(err, io.EOF) && line != "") {
		a.io.printf("\n")
		return "", err
	}
	return cmp.Or(line, otherwise), nil
}

// yes asks until the answer is yes or no. An empty line is yes.
func (a *asker) yes(question string) (bool, error) {
	for {
		answer, err := a.ask(question, "")
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

// interruptible reads from r until ctx ends. A read that waits for a person
// would otherwise not notice; the goroutine it leaves then ends with r or with
// the process.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, r)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { reader.CloseWithError(context.Cause(ctx)) })
	return reader
}
