package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/repo"
)

// OtherBranches counts the local branches other than the memory branch.
func (r *Reader) OtherBranches(ctx context.Context) (int, error) {
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, "for-each-ref", "--format=%(refname)", "refs/heads/")
	if err != nil {
		return 0, fmt.Errorf("list branches: %w", err)
	}
	n := 0
	for ref := range strings.Lines(out) {
		if strings.TrimSpace(ref) != r.repo.Ref {
			n++
		}
	}
	return n, nil
}

// MemoryBranch reports whether a branch holds memory rather than code.
func (r *Reader) MemoryBranch(name string) bool {
	return name == r.repo.Branch || name == r.repo.Branch+facts.ProposedSuffix
}

// CodeBranch is the branch that this work tree is on, linked ones included: "" in a
// bare repository, on the memory branch, and if HEAD is detached, unless that is
// because the branch is being rebased. It reads a file and starts no git.
func (r *Reader) CodeBranch() string {
	if r.repo.Bare {
		return ""
	}
	for _, ref := range repo.RefsOfWorkTree(r.repo.GitDir) {
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok && !r.MemoryBranch(name) {
			return name
		}
	}
	return ""
}

// Head is CodeBranch, and the commit that this work tree is at: "" if there is
// none yet.
func (r *Reader) Head(ctx context.Context) (branch, commit string, err error) {
	out, err := gitcmd.Run(ctx, r.repo.GitDir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil && !gitcmd.SaidNo(err) {
		return "", "", fmt.Errorf("find out where HEAD is: %w", err)
	}
	return r.CodeBranch(), strings.TrimSpace(out), nil
}

// CodeBranches are all branches of code with the commits that they are at, here and
// as they were last fetched from each remote, by name without the remote's.
func (r *Reader) CodeBranches(ctx context.Context) (map[string][]string, error) {
	remotes, err := r.remotes(ctx)
	if err != nil {
		return nil, err
	}
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, "for-each-ref", "--format=%(objectname) %(refname)%00%(symref)", "refs/heads/", "refs/remotes/")
	if err != nil {
		return nil, fmt.Errorf("list branches: %w", err)
	}
	branches := make(map[string][]string)
	for line := range strings.Lines(out) {
		line, symbolic, _ := strings.Cut(strings.TrimSpace(line), "\x00")
		commit, ref, _ := strings.Cut(line, " ")
		name := remotes.branch(ref)
		if symbolic == "" && name != "" && !r.MemoryBranch(name) && !slices.Contains(branches[name], commit) {
			branches[name] = append(branches[name], commit)
		}
	}
	return branches, nil
}

// remotes says of each remote's name whether all its branches are fetched.
type remotes map[string]bool

func (r *Reader) remotes(ctx context.Context) (remotes, error) {
	settings, err := r.repo.Settings(ctx, `^remote\..*\.(url|fetch)$`)
	if err != nil {
		return nil, err
	}
	known := make(remotes)
	for key, values := range settings {
		name, fetched := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".fetch")
		if !fetched {
			name = strings.TrimSuffix(name, ".url")
		}
		all := fetched && slices.ContainsFunc(values, func(spec string) bool { return strings.Contains(spec, "refs/heads/*:") })
		known[name] = known[name] || all
	}
	return known, nil
}

// branch is the name of a branch without that of the remote it was fetched from;
// the longest remote's name counts, since these may have slashes.
func (r remotes) branch(ref string) string {
	if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
		return name
	}
	rest := strings.TrimPrefix(ref, "refs/remotes/")
	best := ""
	for name := range r {
		if strings.HasPrefix(rest, name+"/") && len(name) > len(best) {
			best = name
		}
	}
	if best == "" { // of a remote that is gone
		_, name, _ := strings.Cut(rest, "/")
		return name
	}
	return rest[len(best)+1:]
}

// FollowsRemotes reports whether a branch that is on a remote would be seen here:
// every remote's branches are all fetched.
func (r *Reader) FollowsRemotes(ctx context.Context) (bool, error) {
	remotes, err := r.remotes(ctx)
	for _, all := range remotes {
		if !all {
			return false, err
		}
	}
	return true, err
}

// Trunk is the branch that work is merged into.
type Trunk struct {
	Name   string // main
	Ref    string // refs/remotes/origin/main, say
	Commit string
}

// Trunk finds the branch that work is merged into; the zero Trunk if none is
// known.
//
//  1. The configured one, a branch or REMOTE/BRANCH. The error wraps ErrNotFound
//     if it does not exist.
//  2. What origin says its default branch is.
//  3. In a bare repository, the branch of HEAD.
//  4. init.defaultBranch, main or master, whichever exists.
//
// Of the local branch and origin's, it takes the one that contains the other. If
// they have diverged it takes origin's, which everyone has.
func (r *Reader) Trunk(ctx context.Context, configured string) (Trunk, error) {
	if configured != "" {
		t, err := r.trunkAt(ctx, configured)
		if err == nil && t.Ref == "" {
			t, err = r.trunkAtRefs(ctx, configured, "refs/remotes/"+configured)
			_, t.Name, _ = strings.Cut(configured, "/")
		}
		if err == nil && t.Ref == "" {
			err = fmt.Errorf("%w: there is no branch %s to use as the trunk", gitcmd.ErrNotFound, configured)
		}
		return t, err
	}
	for _, name := range r.trunkNames(ctx) {
		if t, err := r.trunkAt(ctx, name); err != nil || t.Ref != "" {
			return t, err
		}
	}
	return Trunk{}, nil
}

func (r *Reader) trunkNames(ctx context.Context) (names []string) {
	ask := func(prefix string, args ...string) {
		out, err := gitcmd.Run(ctx, r.repo.CommonDir, args...)
		if name, ok := strings.CutPrefix(strings.TrimSpace(out), prefix); err == nil && ok && name != "" {
			names = append(names, name)
		}
	}
	ask("refs/remotes/origin/", "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
	if r.repo.Bare {
		ask("refs/heads/", "symbolic-ref", "--quiet", "HEAD")
	}
	ask("", "config", "--get", "init.defaultBranch")
	return append(names, "main", "master")
}

func (r *Reader) trunkAt(ctx context.Context, name string) (Trunk, error) {
	// Local commits have not landed for everyone, so origin's branch counts.
	t, err := r.trunkAtRefs(ctx, name, "refs/remotes/origin/"+name)
	if err == nil && t.Ref == "" {
		t, err = r.trunkAtRefs(ctx, name, "refs/heads/"+name)
	}
	return t, err
}

// trunkAtRefs takes the ref that contains the others, otherwise the first.
func (r *Reader) trunkAtRefs(ctx context.Context, name string, refs ...string) (Trunk, error) {
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, append([]string{"for-each-ref", "--format=%(refname) %(objectname)"}, refs...)...)
	if err != nil {
		return Trunk{}, fmt.Errorf("find the trunk: %w", err)
	}
	at := make(map[string]string)
	for line := range strings.Lines(out) {
		ref, commit, _ := strings.Cut(strings.TrimSpace(line), " ")
		at[ref] = commit // for-each-ref also lists what is below
	}
	best := Trunk{}
	for _, ref := range refs {
		commit := at[ref]
		if commit == "" {
			continue
		}
		ahead := best.Commit == ""
		if !ahead && commit != best.Commit {
			if ahead, err = r.Contains(ctx, commit, best.Commit); err != nil {
				return best, err
			}
		}
		if ahead {
			best = Trunk{name, ref, commit}
		}
	}
	return best, nil
}

// Contains reports whether a commit is, or descends from, another.
func (r *Reader) Contains(ctx context.Context, commit, ancestor string) (bool, error) {
	return r.repo.Contains(ctx, commit, ancestor)
}

// Outermost are those of some commits that no other of them contains. Commits that
// are not in this repository are omitted.
func (r *Reader) Outermost(ctx context.Context, commits []string) ([]string, error) {
	var known []string
	for _, c := range commits {
		ok, err := r.repo.Knows(ctx, c)
		if err != nil {
			return nil, err
		}
		if ok {
			known = append(known, c)
		}
	}
	if len(known) < 2 {
		return known, nil
	}
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, append([]string{"merge-base", "--independent"}, known...)...)
	if err != nil {
		return nil, fmt.Errorf("compare branches: %w", err)
	}
	return strings.Fields(out), nil
}

// Holder is a reference that contains a commit; "" if there is none. Stashes and
// what engram keeps do not count.
func (r *Reader) Holder(ctx context.Context, commit string) (string, error) {
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, "for-each-ref", "--contains="+commit, "--format=%(refname)")
	if err != nil {
		return "", fmt.Errorf("find what contains %s: %w", commit, err)
	}
	for line := range strings.Lines(out) {
		ref := strings.TrimSpace(line)
		if ref != "refs/stash" && ref != r.repo.Ref && ref != r.repo.Ref+facts.ProposedSuffix && !strings.HasPrefix(ref, "refs/engram/") {
			return ref, nil
		}
	}
	return "", nil
}
