// Package thread keeps the references of sessions, refs/engram/sessions/..., each with
// a history and a tree of its own. It reads and extends them, joins two that both grew,
// exchanges them with remotes and removes what nothing refers to any more. It knows
// nothing of what is in the files.
package thread

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
)

// Prefix is what the name of each session's reference begins with.
const Prefix = "refs/engram/sessions/"

// remotes is what the references begin with that say where a remote's are.
const remotes = "refs/engram/remotes/"

// level of zlib is git's own default: sessions are large, and no person waits for one
// to be stored.
const level = 6

// Keeper keeps the sessions' references of a repository. It takes no lock of the memory
// branch: references move by compare-and-set alone.
type Keeper struct {
	repo    *repo.Repo
	commits *commit.Writer
	remote  *remote.Client
	moved   func(ctx context.Context, commit string)
}

// New returns a keeper of the sessions of a repository. It calls moved with each commit
// that it made, after a reference moved there.
func New(r *repo.Repo, w *commit.Writer, c *remote.Client, moved func(context.Context, string)) *Keeper {
	own := r.OnRef(Prefix, "sessions") // trees of sessions are not to push those of facts out of the cache
	own.Objects.Level = level
	return &Keeper{repo: own, commits: w.On(own), remote: c, moved: moved}
}

// Entry is a file that a session is to have: its path, and the name of its blob.
type Entry struct{ Path, Object string }

// TreeFile is a file that a session has.
type TreeFile struct {
	Path, Object string
	Size         int64
}

// Threads lists the sessions: the reference, in full, and the commit it is at.
func (k *Keeper) Threads(ctx context.Context) (map[string]string, error) { return k.list(ctx, Prefix) }

func (k *Keeper) list(ctx context.Context, prefix string) (map[string]string, error) {
	out, err := gitcmd.Run(ctx, k.repo.CommonDir, "for-each-ref", "--format=%(objectname) %(refname)", prefix)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", prefix, err)
	}
	all := make(map[string]string, strings.Count(out, "\n"))
	for line := range strings.Lines(out) {
		commit, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[ref] = commit
	}
	return all, nil
}

// ThreadTip is the commit that a session's reference is at, or "" if there is none.
func (k *Keeper) ThreadTip(ctx context.Context, ref string) (string, error) {
	if err := checkRef(ref); err != nil {
		return "", err
	}
	tip, err := k.repo.Cat.Name(ctx, ref) // a git that runs already reads references afresh
	if errors.Is(err, gitcmd.ErrNotFound) {
		return "", nil
	}
	return tip, err
}

// checkRef lets no name pass that is not a session's, because a mistake there could
// move or delete a branch.
func checkRef(ref string) error {
	name, ok := strings.CutPrefix(ref, Prefix)
	if !ok || name == "" || strings.Contains(ref, "/.") {
		return fmt.Errorf("%w: %q is not a session's reference", repo.ErrBranchName, ref)
	}
	return repo.CheckBranchName(name)
}

// PutBlobs makes blobs durable and returns their names. They are gone with git's next
// maintenance but one (in two weeks) unless a commit comes to have them.
func (k *Keeper) PutBlobs(ctx context.Context, data [][]byte) ([]string, error) {
	objects := k.repo.Objects.Batch()
	names := make([]string, len(data))
	for i, content := range data {
		names[i] = objects.Put("blob", content).String()
	}
	if len(objects.List) == 0 {
		return names, nil
	}
	return names, k.repo.Objects.Write(ctx, objects.List)
}

// Extend adds files to a session ("" is the tip of a new one) by one unsigned commit, and
// returns it, or the tip if there is nothing to add. The blobs have to be durable. build
// is called again with the new tip after a lost race.
//
// The error wraps ErrExists if the session has other content at a path, ErrClash,
// ErrMoved, ErrLocked, ErrNoIdentity or ErrDamaged, or is build's; then the reference has
// not moved.
func (k *Keeper) Extend(ctx context.Context, ref string, build func(tip string) ([]Entry, commit.Meta, error)) (string, error) {
	return k.move(ctx, ref, func(tip string) (string, error) {
		entries, meta, err := build(tip)
		if err != nil || len(entries) == 0 {
			return tip, err
		}
		return k.extended(ctx, tip, entries, meta)
	})
}

// move moves a reference to the commit that next makes of its tip, until no one else
// moves it meanwhile.
func (k *Keeper) move(ctx context.Context, ref string, next func(tip string) (string, error)) (string, error) {
	for races := (gitcmd.Race{Lost: repo.ErrMoved}); ; {
		tip, err := k.ThreadTip(ctx, ref)
		if err != nil {
			return "", err
		}
		commit, err := next(tip)
		if err != nil || commit == tip {
			return commit, err
		}
		lost := k.set(ctx, ref, commit, tip)
		if lost == nil {
			return commit, nil
		}
		if !races.Again(lost) {
			return "", lost
		}
		if err := races.Wait(ctx); err != nil {
			return "", err
		}
	}
}

// set moves a reference from old to a commit, either of which may be "" for none.
func (k *Keeper) set(ctx context.Context, ref, commit, old string) error {
	err := k.repo.Refs.Update(ctx, ref, commit, old)
	if err == nil && commit != "" {
		k.moved(ctx, commit)
	}
	return err
}

// extended makes the commit of tip and what is added to it.
func (k *Keeper) extended(ctx context.Context, tip string, entries []Entry, meta commit.Meta) (string, error) {
	base := ""
	var parents []string
	if tip != "" {
		var err error
		if base, err = k.repo.RootTree(ctx, tip); err != nil {
			return "", fmt.Errorf("read %s: %w", tip, err)
		}
		parents = []string{tip}
	}
	edits, err := editsOf(entries)
	if err != nil {
		return "", err
	}
	for _, e := range edits {
		old, found, err := k.repo.EntryIn(ctx, base, e.Path, false)
		if err != nil {
			return "", err
		}
		if found && old.Hash != e.Blob {
			return "", fmt.Errorf("%w: %s", ErrExists, e.Path)
		}
	}
	return k.commit(ctx, base, edits, parents, meta)
}

// editsOf checks entries and makes them edits of a tree.
func editsOf(entries []Entry) ([]commit.Edit, error) {
	edits := make([]commit.Edit, 0, len(entries))
	known := make(map[string]string, len(entries))
	for _, e := range entries {
		if err := object.CheckPath(e.Path); err != nil {
			return nil, err
		}
		if other, twice := known[e.Path]; twice && other != e.Object {
			return nil, fmt.Errorf("%w: %s is added twice", ErrExists, e.Path)
		}
		known[e.Path] = e.Object
		blob, err := object.ParseHash(e.Object)
		if err != nil {
			return nil, err
		}
		edits = append(edits, commit.Edit{Path: e.Path, Mode: object.ModeFile, Blob: blob})
	}
	return edits, nil
}

// commit makes a durable commit of what a tree becomes. It is the only parent if nothing
// changes.
func (k *Keeper) commit(ctx context.Context, base string, edits []commit.Edit, parents []string, meta commit.Meta) (string, error) {
	objects := k.repo.Objects.Batch()
	tree, err := commit.TreeEditor{Repo: k.repo, Put: objects.Put}.ApplyTop(ctx, base, edits)
	if err != nil {
		return "", err
	}
	if tree == "" {
		tree = objects.Put("tree", nil).String()
	}
	if tree == base && len(parents) == 1 {
		return parents[0], nil
	}
	meta.Sign, meta.Unsigned = false, true // no one is asked for a passphrase because a session goes on
	return k.commits.CommitTree(ctx, &objects, tree, parents, meta)
}

// ThreadFiles lists the files of a commit of a session, in git's order of paths.
func (k *Keeper) ThreadFiles(ctx context.Context, commit string) ([]TreeFile, error) {
	var files []TreeFile
	err := k.lines(ctx, []string{"ls-tree", "-r", "-l", "-z", "--full-tree", commit}, func(line string) error {
		meta, path, _ := strings.Cut(line, "\t") // mode SP type SP name SP+ size TAB path
		f := TreeFile{Path: path}
		var mode, kind string
		if _, err := fmt.Sscan(meta, &mode, &kind, &f.Object, &f.Size); err != nil || kind != "blob" {
			return fmt.Errorf("%w: %q is not a file of a session", gitcmd.ErrDamaged, path)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", commit, err)
	}
	return files, nil
}

// Changed lists what one commit of a session has and another ("" for none) has not, in
// git's order of paths.
func (k *Keeper) Changed(ctx context.Context, from, to string) ([]Entry, error) {
	if from == "" {
		from = k.repo.Objects.Format.EmptyTree()
	}
	var entries []Entry
	name := ""
	err := k.lines(ctx, []string{"diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AM", from, to}, func(field string) error {
		if meta, ok := strings.CutPrefix(field, ":"); ok && name == "" {
			fields := strings.Fields(meta) // mode mode name name status
			if len(fields) != 5 {
				return fmt.Errorf("git diff-tree answered %q", field)
			}
			name = fields[3]
			return nil
		}
		entries = append(entries, Entry{field, name})
		name = ""
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", to, from, err)
	}
	return entries, nil
}

// lines hands over what a git prints between zero bytes. The revisions in args are
// checked.
func (k *Keeper) lines(ctx context.Context, args []string, take func(string) error) error {
	for _, revision := range args[len(args)-1:] {
		if err := gitcmd.CheckRevision(revision); err != nil {
			return err
		}
	}
	return gitcmd.Pipe(ctx, gitcmd.Command(ctx, k.repo.CommonDir, args...), args, func(r *bufio.Reader) error {
		for {
			line, err := r.ReadString(0)
			if line == "" {
				return nil // git's own exit says whether it ended early
			}
			if err != nil {
				return err
			}
			if err := take(line[:len(line)-1]); err != nil {
				return err
			}
		}
	})
}

// ReplaceThread gives a session that is at old a commit without parents that has exactly
// these files, and forgets where it was: the log of the reference and what was fetched
// of it from remotes go. The objects stay until Discard. The error wraps ErrMoved.
func (k *Keeper) ReplaceThread(ctx context.Context, ref, old string, entries []Entry, meta commit.Meta) (string, error) {
	if err := checkRef(ref); err != nil {
		return "", err
	}
	edits, err := editsOf(entries)
	if err != nil {
		return "", err
	}
	commit, err := k.commit(ctx, "", edits, nil, meta)
	if err != nil {
		return "", err
	}
	if err := k.set(ctx, ref, commit, old); err != nil {
		return "", err
	}
	return commit, k.forget(ctx, ref)
}

// DeleteThread deletes the reference of a session that is at old, with its log and what
// was fetched of it from remotes. The objects stay until Discard. The error wraps
// ErrMoved.
func (k *Keeper) DeleteThread(ctx context.Context, ref, old string) error {
	if err := checkRef(ref); err != nil {
		return err
	}
	if err := k.set(ctx, ref, "", old); err != nil {
		return err
	}
	return k.forget(ctx, ref)
}

// forget deletes what else leads to where a session was.
func (k *Keeper) forget(ctx context.Context, ref string) error {
	if k.logged(ref) {
		if _, err := gitcmd.Run(ctx, k.repo.CommonDir, "reflog", "expire", "--expire=all", ref); err != nil {
			return fmt.Errorf("empty the log of %s: %w", ref, err)
		}
	}
	fetched, err := k.list(ctx, remotes)
	if err != nil {
		return err
	}
	suffix := "/sessions/" + strings.TrimPrefix(ref, Prefix)
	for tracking, commit := range fetched {
		if strings.HasSuffix(tracking, suffix) {
			if err := k.repo.Refs.Update(ctx, tracking, "", commit); err != nil {
				return err
			}
		}
	}
	return nil
}

// names are the keys of a map, in order.
func names[V any](m map[string]V) []string {
	all := make([]string, 0, len(m))
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// ErrExists: a session has other content at a path that was to be added.
var ErrExists = errors.New("the session has other content at this path")
