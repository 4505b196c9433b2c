package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"engram/facts"
)

// maxText bounds a text from standard input or a file, far above what any
// field may hold.
const maxText = 1 << 20

// text is an argument, or standard input where that is "-".
func (g *globals) text(ctx context.Context, name, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	if g.stdinTaken != "" {
		return "", usage(fmt.Sprintf("%s and %s cannot both come from standard input", g.stdinTaken, name), "put one of them in a file or on the command line")
	}
	g.stdinTaken = name
	return readText(name, interruptible(ctx, g.io.in))
}

// fileText reads a file, or standard input where that is "-".
func (g *globals) fileText(ctx context.Context, name, path string) (string, error) {
	if path == "-" {
		return g.text(ctx, name, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", usage(fmt.Sprintf("read %s: %v", name, err), "")
	}
	defer f.Close()
	return readText(name, f)
}

func readText(name string, r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return "", usage(fmt.Sprintf("read %s: %v", name, err), "")
	}
	if len(b) > maxText {
		return "", usage(fmt.Sprintf("%s has more than %d bytes", name, maxText), "a claim has at most 500 characters, a detail 8 KiB; a fact points to long texts with --pointer")
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}

// timeFlag reads a moment that an option names; "" is the zero time.
func timeFlag(name, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := parseTime(text, now)
	if err != nil {
		return t, usage(fmt.Sprintf("--%s: %v", name, err), "`engram help times` lists what is understood")
	}
	return t, nil
}

// parseTime reads what facts.ParseTime does and the words of `engram help
// times`, counted from now.
func parseTime(text string, now time.Time) (time.Time, error) {
	now = now.UTC().Truncate(time.Millisecond)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch text {
	case "now":
		return now, nil
	case "today":
		return midnight, nil
	case "yesterday":
		return midnight.AddDate(0, 0, -1), nil
	}
	if t, ok := relative(text, now); ok {
		return t, nil
	}
	t, err := facts.ParseTime(text)
	if err != nil {
		err = errors.New(err.Error() + `, and not one such as "3d ago" or yesterday`)
	}
	return t, err
}

// relative reads a number, a unit and perhaps "ago".
func relative(text string, now time.Time) (time.Time, bool) {
	text = strings.TrimSpace(strings.TrimSuffix(text, "ago"))
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil || n > 1_000_000 {
		return time.Time{}, false
	}
	switch strings.TrimSpace(text[digits:]) {
	case "s", "second", "seconds":
		return now.Add(-time.Duration(n) * time.Second), true
	case "m", "minute", "minutes":
		return now.Add(-time.Duration(n) * time.Minute), true
	case "h", "hour", "hours":
		return now.Add(-time.Duration(n) * time.Hour), true
	case "d", "day", "days":
		return now.AddDate(0, 0, -n), true
	case "w", "week", "weeks":
		return now.AddDate(0, 0, -7*n), true
	case "month", "months":
		return now.AddDate(0, -n, 0), true
	case "y", "year", "years":
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}
