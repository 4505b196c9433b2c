package hooks

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"engram/facts"
	"engram/memory"
)

// Bounds of what a pre-commit hook reads and prints.
const (
	maxStaged = 2000 // files
	maxListed = 5    // lines
)

// stagedGit runs git on the index of this commit. Only here does a variable of the hook
// count: `git commit FILE` has its own index.
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

// checkFacts checks what is staged on the memory branch.
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
	// Findings from before the time limit count.
	result, err := m.CheckStaged(ctx, files)
	if lines = staged(result); more > 0 {
		lines = append(lines, fmt.Sprintf("%d more files were not checked", more))
	}
	if result.Refused || len(result.Secrets) > 0 {
		exit = Refused
		lines = append(lines, "the commit was stopped; git commit --no-verify commits anyway")
	}
	return exit, lines, err
}

// staged describes the problems of staged facts, the worst first.
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
	if r.Withheld > 0 {
		all = append(all, fmt.Sprintf("%d staged facts contradict facts that may not be read here", r.Withheld))
	}
	if len(all) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%d problems in the staged files:", len(all))}
	if len(all) == 1 {
		lines[0] = "a problem in the staged files:"
	}
	return append(lines, listed(all, 2*maxListed)...)
}

// listed indents lines, and counts the omitted ones.
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

// readBlobs reads the content of files that are no larger than a fact can be.
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

// listEvidence lists the facts whose evidence this commit changes.
func (r *runner) listEvidence(ctx context.Context) ([]string, error) {
	if r.Place.WorkTree == "" || valueOf(r.Place, "refs/heads/"+r.Branch) == "" {
		return nil, nil
	}
	out, err := r.stagedGit(ctx, "", "diff", "--cached", "--raw", "-z", "-M", "-l400", "--no-abbrev", "--no-ext-diff", "--ignore-submodules")
	if err != nil || out == "" {
		return nil, err
	}
	files := touchedFiles(out)
	m, done, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	result, err := m.Evidence(ctx, files[:min(len(files), maxStaged)])
	if err != nil || len(result.Touched) == 0 {
		return nil, err
	}
	return touched(result), nil
}

// touchedFiles parses the output of `git diff --raw -z -M`.
func touchedFiles(out string) (files []memory.TouchedFile) {
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		// :100644 100644 OLD NEW R087
		meta := strings.Fields(fields[i])
		if len(meta) != 5 {
			break
		}
		f := memory.TouchedFile{Path: fields[i+1], Before: blobName(meta[2]), After: blobName(meta[3])}
		if meta[4][0] == 'R' && i+2 < len(fields) {
			i++
			f.From, f.Path = f.Path, fields[i+1]
		}
		files = append(files, f)
	}
	return files
}

// blobName returns the name of an object; "" for none.
func blobName(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}
