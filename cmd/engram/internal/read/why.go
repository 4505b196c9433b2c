package read

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/internal/lazyregexp"
	"engram/memory"
)

const whyLong = `List the facts whose evidence is a file or some of its lines. PATH is relative
to the current folder. The list includes facts whose lines have moved, and facts
about a file that git says was renamed to this one. For drifted evidence, the
lines are those now in its place. Facts about the fewest lines come first; facts
about the whole file or a parent folder come last.

In a pipe it prints, tab-separated: first line, last line (0 for the whole
file), freshness, key, agent, committed_at, pointer, claim, and "disputed" if
the fact has an open conflict.`

const whyExample = `  engram why auth/session.go
  engram why auth/session.go:42
  engram why auth/session.go:12-40
  engram why auth/session.go:42 --json | jq -r '.facts[].claim'`

// NewWhyCmd returns "engram why".
func NewWhyCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "why PATH[:LINE[-LINE]]", Short: "List the facts about a file or its lines", Long: whyLong, Example: whyExample,
		Args: app.One("file", "name lines of it with a colon: engram why main.go:12-40"),
		RunE: func(cmd *cobra.Command, args []string) error { return runWhy(cmd.Context(), g, args[0]) },
	}
}

func runWhy(ctx context.Context, g *app.Globals, file string) error {
	return app.Answer(ctx, g, g.Open, printWhy, func(m *memory.Memory, s config.Settings) (r memory.WhyResult, err error) {
		in, err := whyInput(file, g.Directory(), m.WorkTree())
		if err != nil {
			return r, err
		}
		in.AskedBy = s.Agent
		return m.Why(ctx, in)
	})
}

var linesForm = lazyregexp.New(`^(.+?):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?$`)

// whyInput takes PATH:LINE apart; the path becomes one from the top of the work tree.
func whyInput(file, dir, top string) (in memory.WhyInput, err error) {
	in.Path = file
	if m := linesForm.FindStringSubmatch(file); m != nil {
		in.Path = m[1]
		in.First, _ = strconv.Atoi(m[2])
		if in.Last = in.First; m[3] != "" {
			in.Last, _ = strconv.Atoi(m[3])
		}
	}
	if top == "" { // a bare repository: from the top
		in.Path = filepath.ToSlash(in.Path)
		return in, nil
	}
	in.Path, err = belowTop(dir, top, in.Path)
	return in, err
}

// belowTop is a path, relative to a folder, from the top of a work tree. Links in the
// way to the folder make no difference.
func belowTop(dir, top, path string) (string, error) {
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

// printWhy prints facts by line, as git blame does.
func printWhy(out *term.Streams, r memory.WhyResult) {
	var disputed show.Disputed
	for _, f := range r.Facts {
		mark := disputed.Add(f.Key.String(), f.HasConflict)
		if !out.Terminal {
			out.Row(strconv.Itoa(f.FirstLine), strconv.Itoa(f.LastLine), string(f.Pointer.Freshness), f.Key.String(), f.AgentID, term.Stamp(f.Committed), f.Pointer.Ref, f.Claim, mark)
			continue
		}
		if mark != "" {
			mark = out.Color.Dim(" · ") + out.Color.Yellow(mark)
		}
		place := standsAt(f, r.Path)
		const indent = "  "
		meta := term.Dotted(cmp.Or(f.AgentID, show.NameOf(f.Engineer)), term.Ago(out.Now(), f.Committed))
		out.Printf("%s  %s  %s  %s\n", out.Color.Bold(place), show.Freshness(out, f.Pointer.Freshness), term.Plain(f.Key.String()), out.Color.Dim(meta)+mark)
		out.Printf("%s%s\n", indent, term.Indented(term.Plain(f.Claim), out.Width, indent))
		if f.Pointer.Reason != "" {
			out.Printf("%s%s\n", indent, out.Color.Dim(term.Plain(f.Pointer.Reason)))
		}
	}
	show.DisputeWarning(out, disputed)
	show.Notes(out, r.Notes)
	show.Withheld(out, r.Withheld, "rest on it")
	if r.Omitted > 0 {
		out.Message("note: %s left out; name fewer lines", term.Plural(r.Omitted, "fact was", "facts were"))
	}
	if len(r.Facts) == 0 {
		out.Message("no fact rests on it; `engram query` finds what is known by words")
	}
}

// standsAt says which lines of a path a fact is about.
func standsAt(f memory.WhyFact, path string) string {
	switch {
	case f.FirstLine == 0:
		return term.Plain(path)
	case f.LastLine > f.FirstLine:
		return fmt.Sprintf("%d-%d", f.FirstLine, f.LastLine)
	}
	return strconv.Itoa(f.FirstLine)
}
