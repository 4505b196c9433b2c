package hooks

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"engram/facts"
	"engram/memory"
)

// Bounds of what a pre-commit looks at and says.
const (
	maxStaged = 2000 // files
	maxListed = 5    // lines
)

// stagedGit runs git on what this commit is going to be: the only place where a
// variable of the hook counts, because `git commit FILE` has an index of its own.
func (r *runner) stagedGit(ctx context.Context, stdin string, args ...string) (string, error) {
	var env []string
	if index := r.Getenv("GIT_INDEX_FILE"); index != "" {
		dir := r.Place.WorkTree
		if dir == "" {
			dir = r.Place.GitDir
		}
		env = append(env, "GIT_INDEX_FILE="+absolute(index, dir))
	}
	args = append([]string{"--git-dir=" + r.Place.GitDir, "--work-tree=" + r.Place.WorkTree}, args...)
	return git(ctx, r.Place.WorkTree, env, stdin, args...)
}

// checkFacts examines what is staged on the memory branch.
func (r *runner) checkFacts(ctx context.Context) (exit int, lines []string, err error) {
	files, more, err := r.stagedFiles(ctx)
	if err != nil || len(files) == 0 {
		return 0, nil, err
	}
	m, done, err := r.Open(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer done()
	// What was found before the time was over still counts.
	result, err := m.CheckStaged(ctx, files)
	if lines = staged(result); more > 0 {
		lines = append(lines, fmt.Sprintf("%d more files were not checked", more))
	}
	if result.Refused || len(result.Secrets) > 0 {
		exit = Refused
		lines = append(lines, "the commit was stopped; git commit --no-verify makes it all the same")
	}
	return exit, lines, err
}

// staged puts into words what is wrong with staged facts, the gravest first.
func staged(r memory.StagedResult) []string {
	var all []string
	for _, s := range r.Secrets {
		field := ""
		if s.Field != "" {
			field = " (" + s.Field + ")"
		}
		all = append(all, fmt.Sprintf("%s%s looks like a secret: %s", s.Path, field, s.Rule))
	}
	for _, f := range r.Findings {
		if f.Severity != memory.SeverityAdvice {
			all = append(all, f.Path+": "+strings.TrimSpace(f.Field+" "+f.Problem))
		}
	}
	for _, c := range r.Clashes {
		all = append(all, fmt.Sprintf("%s against %s: %s", c.Key, c.With, c.Explanation))
	}
	if len(all) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%d of the staged files need a look:", len(all))}
	if len(all) == 1 {
		lines[0] = "what is staged needs a look:"
	}
	return append(lines, listed(all, 2*maxListed)...)
}

// listed indents lines and counts those that are too many.
func listed(all []string, most int) []string {
	var lines []string
	for i, line := range all {
		if i == most {
			return append(lines, fmt.Sprintf("  … and %d more", len(all)-most))
		}
		lines = append(lines, "  "+line)
	}
	return lines
}

// stagedFiles reads the files that the commit adds or changes.
func (r *runner) stagedFiles(ctx context.Context) (files []memory.StagedFile, more int, err error) {
	out, err := r.stagedGit(ctx, "", "diff", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--diff-filter=d")
	if err != nil {
		return nil, 0, err
	}
	var names strings.Builder
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		// :100644 100644 OLD NEW M
		meta := strings.Fields(fields[i])
		if len(meta) != 5 || meta[1] != "100644" && meta[1] != "100755" {
			continue
		}
		if len(files) == maxStaged {
			more++
			continue
		}
		files = append(files, memory.StagedFile{Path: fields[i+1]})
		names.WriteString(meta[3] + "\n")
	}
	sizes, err := r.stagedGit(ctx, names.String(), "cat-file", "--batch-check=%(objectsize) %(objectname)")
	if err != nil {
		return nil, 0, err
	}
	return files, more, r.readBlobs(ctx, files, strings.Split(strings.TrimSpace(sizes), "\n"))
}

// readBlobs fills in the content of files no larger than a fact can be.
func (r *runner) readBlobs(ctx context.Context, files []memory.StagedFile, sizes []string) error {
	if len(sizes) != len(files) {
		return nil
	}
	var names strings.Builder
	var wanted []int
	for i, line := range sizes {
		size, name, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(size); err == nil && n <= facts.MaxFile {
			wanted = append(wanted, i)
			names.WriteString(name + "\n")
		}
	}
	out, err := r.stagedGit(ctx, names.String(), "cat-file", "--batch")
	if err != nil {
		return err
	}
	for _, i := range wanted {
		header, rest, ok := strings.Cut(out, "\n") // NAME blob SIZE
		fields := strings.Fields(header)
		if !ok || len(fields) != 3 {
			return fmt.Errorf("git cat-file answered %q", cut(header, 80))
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size+1 > len(rest) {
			return fmt.Errorf("git cat-file answered %q", cut(header, 80))
		}
		files[i].Data, out = []byte(rest[:size]), rest[size+1:]
	}
	return nil
}

// listEvidence lists the facts whose evidence the staged change touches.
func (r *runner) listEvidence(ctx context.Context) ([]string, error) {
	if r.Place.WorkTree == "" || valueOf(r.Place, "refs/heads/"+r.Branch) == "" {
		return nil, nil
	}
	out, err := r.stagedGit(ctx, "", "diff", "--cached", "--name-only", "-z", "--no-renames")
	if err != nil || out == "" {
		return nil, err
	}
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	files := make([]memory.TouchedFile, 0, len(names))
	for _, name := range names[:min(len(names), maxStaged)] {
		files = append(files, memory.TouchedFile{Path: name})
	}
	m, done, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	result, err := m.Evidence(ctx, files)
	if err != nil || len(result.Touched) == 0 {
		return nil, err
	}
	if files, err = r.withLines(ctx, files, result.Touched); err != nil {
		return nil, err
	}
	if files != nil {
		omitted := result.Omitted
		if result, err = m.Evidence(ctx, files); err != nil {
			return nil, err
		}
		result.Omitted = omitted
	}
	return touched(result), nil
}

// touched puts into words whose evidence changes.
func touched(r memory.EvidenceResult) []string {
	all := make([]string, 0, len(r.Touched))
	for _, e := range r.Touched {
		all = append(all, fmt.Sprintf("%s: %s (%s)", e.Key, cut(e.Claim, 90), e.Ref))
	}
	switch n := len(all) + r.Omitted; n {
	case 0:
		return nil
	case 1:
		return append([]string{"this commit changes what a fact rests on; does it still hold?"}, listed(all, maxListed)...)
	default:
		return append([]string{fmt.Sprintf("this commit changes what %d facts rest on; do they still hold?", n)}, listed(all, maxListed)...)
	}
}

// withLines finds which lines change of the files that pointers name lines of;
// nil where no pointer does.
func (r *runner) withLines(ctx context.Context, files []memory.TouchedFile, found []memory.Evidence) ([]memory.TouchedFile, error) {
	wanted := make(map[string]bool)
	var narrowed []string
	for _, e := range found {
		if e.Lines && !wanted[e.Path] {
			wanted[e.Path] = true
			narrowed = append(narrowed, e.Path)
		}
	}
	if len(narrowed) == 0 {
		return nil, nil
	}
	for i, f := range files {
		if !wanted[f.Path] {
			continue
		}
		out, err := r.stagedGit(ctx, "", "diff", "--cached", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--", f.Path)
		if err != nil {
			return nil, err
		}
		files[i].Lines = changedLines(out)
	}
	return files, nil
}

var hunk = regexp.MustCompile(`(?m)^@@ -([0-9]+)(?:,([0-9]+))? \+`)

// changedLines are the lines of the old file that a diff without context
// changes, as memory.TouchedFile has them; nil where it does not say, as of a
// binary file.
func changedLines(diff string) (lines [][2]int) {
	for _, m := range hunk.FindAllStringSubmatch(diff, -1) {
		first, _ := strconv.Atoi(m[1])
		count := 1
		if m[2] != "" {
			count, _ = strconv.Atoi(m[2])
		}
		if count == 0 {
			lines = append(lines, [2]int{first + 1, first})
		} else {
			lines = append(lines, [2]int{first, first + count - 1})
		}
	}
	return lines
}
