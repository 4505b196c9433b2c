package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

// maxText bounds a text from standard input or a file, far above what any
// field may hold.
const maxText = 1 << 20

// Text is an argument, or standard input if the argument is "-".
func (g *Globals) Text(ctx context.Context, name, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	if g.stdinTaken != "" {
		return "", fault.Usage(fmt.Sprintf("%s and %s cannot both come from standard input", g.stdinTaken, name), "put one of them in a file or on the command line")
	}
	g.stdinTaken = name
	return readText(name, term.Interruptible(ctx, g.Out.In))
}

// FileText reads a file, or standard input if the path is "-".
func (g *Globals) FileText(ctx context.Context, name, path string) (string, error) {
	if path == "-" {
		return g.Text(ctx, name, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fault.Usage(fmt.Sprintf("read %s: %v", name, err), "")
	}
	defer f.Close()
	return readText(name, f)
}

func readText(name string, r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return "", fault.Usage(fmt.Sprintf("read %s: %v", name, err), "")
	}
	if len(b) > maxText {
		return "", fault.Usage(fmt.Sprintf("%s has more than %d bytes", name, maxText), "a claim has at most 500 characters, a detail 8 KiB; a fact points to long texts with --pointer")
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}

// TimeFlag reads a moment that an option names; "" is the zero time.
func TimeFlag(name, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := parseTime(text, now)
	if err != nil {
		return t, fault.Usage(fmt.Sprintf("--%s: %v", name, err), "`engram help times` lists what is understood")
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

// FormatOf is the format that was asked for or that a file's name says.
func FormatOf(format, path string) (memory.Format, error) {
	switch format {
	case "":
		switch strings.ToLower(filepath.Ext(path)) {
		case ".yml", ".yaml":
			return memory.YAML, nil
		}
		return memory.JSONL, nil
	case string(memory.JSONL), string(memory.YAML):
		return memory.Format(format), nil
	}
	return "", fault.Usage(fmt.Sprintf("--format %q is neither jsonl nor yaml", term.Plain(format)), "")
}

// Ended is the error of a command that runs until it is stopped: being stopped is no error.
func Ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// BelowTop is a path, relative to a folder, from the top of a work tree. Links in the
// way to the folder make no difference.
func BelowTop(dir, top, path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	resolved := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		return p
	}
	below, err := filepath.Rel(resolved(top), filepath.Join(resolved(filepath.Dir(abs)), filepath.Base(abs)))
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return "", fault.Usage(path+" is not in this repository", "name a file of it, from the folder you are in")
	}
	return filepath.ToSlash(below), nil
}
