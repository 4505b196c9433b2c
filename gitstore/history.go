package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Change is a file that differs between two revisions.
type Change struct {
	Path     string
	Old, New string // names of the blobs, "" where the file is absent
}

// Diff lists the files that differ between two revisions, by path.
func (s *Store) Diff(ctx context.Context, from, to string) ([]Change, error) {
	out, err := run(ctx, s.gitDir, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to)
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", from, to, err)
	}
	var changes []Change
	err = eachRaw(bufio.NewReader(strings.NewReader(out)), func(string) {}, func(c Change) { changes = append(changes, c) })
	return changes, err
}

// Relation says how two revisions lie to each other.
type Relation int

// The relations of a revision "from" to a revision "to".
const (
	Ahead    Relation = iota // to contains from
	Behind                   // from contains to
	Diverged                 // neither, or from is not in this repository
)

// Introduced lists what every commit that to contains and from does not put
// where: each path and blob once, by path. An empty from means the whole
// history. A removal has an empty New. Where the relation is not Ahead the
// list is empty.
func (s *Store) Introduced(ctx context.Context, from, to string) ([]Change, Relation, error) {
	commits, relation, err := s.between(ctx, from, to)
	if err != nil || relation != Ahead || len(commits) == 0 {
		return nil, relation, err
	}
	// -c shows of a merge what it has from neither parent.
	args := []string{"diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--no-abbrev"}
	cmd := command(ctx, s.gitDir, args...)
	cmd.Stdin = strings.NewReader(strings.Join(commits, "\n") + "\n")
	seen := make(map[Change]bool)
	err = pipe(ctx, cmd, args, func(r *bufio.Reader) error {
		return eachRaw(r, func(string) {}, func(c Change) { seen[Change{Path: c.Path, New: c.New}] = true })
	})
	if err != nil {
		return nil, Diverged, fmt.Errorf("read the history of %s: %w", to, err)
	}
	changes := make([]Change, 0, len(seen))
	for c := range seen {
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b Change) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.New, b.New)
	})
	return changes, Ahead, nil
}

// between lists the commits that to contains and from does not.
func (s *Store) between(ctx context.Context, from, to string) ([]string, Relation, error) {
	if from == to {
		return nil, Ahead, nil
	}
	span := to
	if from != "" {
		if _, err := s.cat.get(ctx, from, maxCommit); errors.Is(err, ErrNotFound) {
			return nil, Diverged, nil
		} else if err != nil {
			return nil, Diverged, err
		}
		span = from + "..." + to
	}
	out, err := run(ctx, s.gitDir, "rev-list", "--left-right", span)
	if err != nil {
		return nil, Diverged, fmt.Errorf("read the history of %s: %w", to, err)
	}
	var commits []string
	lost := false
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if name, isOld := strings.CutPrefix(line, "<"); isOld && name != "" {
			lost = true
		} else if name := strings.TrimPrefix(line, ">"); name != "" {
			commits = append(commits, name)
		}
	}
	switch {
	case lost && len(commits) > 0:
		return nil, Diverged, nil
	case lost:
		return nil, Behind, nil
	}
	return commits, Ahead, nil
}

// Entry is one commit in the history of a file.
type Entry struct {
	Revision string
	Author   string // name <email>
	Date     time.Time
	Subject  string
	Change
}

// History lists the commits that changed the file at path, newest first, at
// most limit of them (0: all).
func (s *Store) History(ctx context.Context, revision, path string, limit int) ([]Entry, error) {
	args := []string{"rev-list", "--topo-order", revision}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	out, err := run(ctx, s.gitDir, append(args, "--", path)...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", path, err)
	}
	if out == "" {
		return nil, nil
	}
	show := []string{"diff-tree", "--stdin", "-r", "-c", "--root", "--raw", "-z", "--no-renames", "--no-abbrev", "--always", "--", path}
	listing, err := runInput(ctx, s.gitDir, []byte(out), show...)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", path, err)
	}
	var entries []Entry
	err = eachRaw(bufio.NewReader(strings.NewReader(listing)),
		func(commit string) { entries = append(entries, Entry{Revision: commit}) },
		func(c Change) { entries[len(entries)-1].Change = c })
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if err := s.describe(ctx, &entries[i]); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// describe fills in what the commit says of itself.
func (s *Store) describe(ctx context.Context, e *Entry) error {
	obj, err := s.cat.get(ctx, e.Revision, maxCommit)
	if err != nil {
		return fmt.Errorf("read commit %s: %w", e.Revision, err)
	}
	header, message, _ := bytes.Cut(obj.data, []byte("\n\n"))
	e.Subject, _, _ = strings.Cut(string(message), "\n")
	for line := range strings.SplitSeq(string(header), "\n") {
		if rest, ok := strings.CutPrefix(line, "author "); ok {
			id, when, err := parseIdentity(rest)
			if err != nil {
				return fmt.Errorf("read commit %s: %w", e.Revision, err)
			}
			e.Author, e.Date = id.String(), when
		}
	}
	return nil
}

// pipe runs a git whose output is read while it comes.
func pipe(ctx context.Context, cmd *exec.Cmd, args []string, read func(*bufio.Reader) error) error {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return failure(ctx, args, "", err)
	}
	readErr := read(bufio.NewReaderSize(stdout, 256<<10))
	_, _ = io.Copy(io.Discard, stdout)
	if err := cmd.Wait(); err != nil {
		return failure(ctx, args, stderr.String(), err)
	}
	return readErr
}

// eachRaw reads what `git diff-tree --raw -z` prints: names of commits, each
// followed by its changes. A merge's lines begin with one colon a parent.
func eachRaw(r *bufio.Reader, commit func(name string), change func(Change)) error {
	for {
		meta, err := r.ReadString(0)
		if errors.Is(err, io.EOF) && meta == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read git's list of changes: %w", err)
		}
		meta = strings.TrimSuffix(meta, "\x00")
		if !strings.HasPrefix(meta, ":") {
			commit(strings.TrimSpace(meta))
			continue
		}
		path, err := r.ReadString(0)
		if err != nil {
			return fmt.Errorf("read git's list of changes: %w", err)
		}
		// :mode… mode name… name status, with one more mode and name than colons
		parents := len(meta) - len(strings.TrimLeft(meta, ":"))
		fields := strings.Fields(strings.TrimLeft(meta, ":"))
		if len(fields) != 2*(parents+1)+1 {
			return fmt.Errorf("git's list of changes has the line %q", meta)
		}
		names := fields[parents+1 : 2*(parents+1)]
		change(Change{Path: strings.TrimSuffix(path, "\x00"), Old: blobName(names[0]), New: blobName(names[parents])})
	}
}

func blobName(name string) string {
	if name == zeroName {
		return ""
	}
	return name
}
