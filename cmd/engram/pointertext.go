package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/facts"
)

const pointersTopic = `A pointer says where the evidence of a fact stands:

  repo:PATH#L12-L40@COMMIT    lines of a file; without lines the file, or what
                              is in a folder
  artifact:PATH#sec=NAME@COMMIT  a section of a document, by its heading
  test:PATH#NAME@COMMIT       a test: TestX, TestX/sub, TestClass::test_x
  diff:A..B#PATH              what changed there between two commits
  sam:KEY@VERSION             a fact of this memory
  url:https://...             a page; engram never fetches it

Paths are from the top of the repository, with forward slashes. A commit is 7 to
40 digits. Type less, and it is completed for the commit you are at:

  src/a.go                    a file or folder
  src/a.go:12                 a line, as compilers write it
  src/a.go:12-40              lines; src/a.go#L12-L40 is the same
  docs/spec.md#Budget rules   a section; #budget-rules and #BudgetRules find it
  src/a_test.go#TestX         a test
  domain/auth/session         a fact, as it is now

Typed in a folder, a path is from there. Lines are taken as your work tree has
them: where HEAD has the same lines elsewhere, those are meant, and what is not
committed yet gets no commit, with a warning. No symbolic link is followed.

With "engram commit --pointer" each gets a digest of what stands there, by which
it shows later whether that has changed.`

// fromTop makes a short form that was typed in a folder one from the top of the work
// tree. What may be a key, and is no file here, stays as it is.
func (g *globals) fromTop(top, pointer string) string {
	typed := filepath.ToSlash(pointer)
	if top == "" || facts.IsRef(typed) || strings.HasPrefix(typed, "https://") || strings.HasPrefix(typed, "http://") {
		return typed
	}
	dir, name := g.directory(), filepath.FromSlash(typed)
	if filepath.IsAbs(name) {
		dir, name = filepath.Split(name)
	} else if _, err := facts.ParseKey(typed); err == nil {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return typed
		}
	}
	below := folderBelow(top, dir)
	if below == "" || below == "." && dir == g.directory() {
		return typed
	}
	return filepath.ToSlash(filepath.Join(below, name))
}

// folderBelow is the way from one folder down to another: "." for the same, "" where
// the one is not below the other.
func folderBelow(top, dir string) string {
	for _, path := range []*string{&top, &dir} {
		if absolute, err := filepath.Abs(*path); err == nil {
			*path = absolute
		}
		if real, err := filepath.EvalSymlinks(*path); err == nil {
			*path = real
		}
	}
	below, err := filepath.Rel(top, dir)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return ""
	}
	return below
}

// completePointers leaves it to the shell to offer files, for the one argument.
func completePointers(_ *globals) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}
