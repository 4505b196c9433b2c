package thread

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Discard deletes objects, given by their full names, that nothing refers to any more,
// and tells which are gone and which are still here: because a reference, a log, an index
// or the HEAD of any work tree leads to them, or because they are in a pack that has to
// stay (.keep, .promisor) or in another object store (alternates). No other object is
// deleted, though nothing may refer to it either.
//
// What stands loose is unlinked. A pack is rewritten without them, and checked, before
// it goes.
func (k *Keeper) Discard(ctx context.Context, candidates []string) (gone, kept []string, err error) {
	doomed := make(map[string]bool, len(candidates))
	for _, name := range candidates {
		if _, err := object.ParseHash(name); err != nil {
			return nil, nil, err
		}
		doomed[strings.ToLower(name)] = true
	}
	all := names(doomed)
	if len(all) == 0 {
		return nil, nil, nil
	}
	if err := k.spareReachable(ctx, doomed); err != nil {
		return nil, all, fmt.Errorf("look for what is still referred to: %w", err)
	}
	if err := k.discard(ctx, doomed); err != nil {
		return nil, all, fmt.Errorf("delete objects: %w", err)
	}
	present, err := k.present(ctx, all)
	if err != nil {
		return nil, all, err
	}
	for _, name := range all {
		if present[name] {
			kept = append(kept, name)
		} else {
			gone = append(gone, name)
		}
	}
	return gone, kept, k.renewGraph(ctx)
}

// spareReachable removes from doomed what any reference, log, index or HEAD leads to, as
// git's own prune sees it.
func (k *Keeper) spareReachable(ctx context.Context, doomed map[string]bool) error {
	args := []string{"-c", "core.commitGraph=false", "rev-list", "--objects", "--no-object-names", "--exclude-promisor-objects", "--all", "--reflog", "--indexed-objects"}
	// A pending merge, rebase or pick has commits that only it knows.
	for _, name := range []string{"HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
		if out, err := gitcmd.Run(ctx, k.repo.GitDir, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err == nil {
			args = append(args, strings.TrimSpace(out))
		}
	}
	return gitcmd.Pipe(ctx, gitcmd.Locally(gitcmd.Command(ctx, k.repo.GitDir, args...)), args, func(r *bufio.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			delete(doomed, lines.Text())
		}
		return lines.Err()
	})
}

func (k *Keeper) discard(ctx context.Context, doomed map[string]bool) error {
	indexes, err := filepath.Glob(filepath.Join(globQuoted(k.repo.Objects.Path), "pack", "pack-*.idx"))
	if err != nil {
		return err
	}
	for _, index := range indexes {
		if err := k.rewritePack(ctx, strings.TrimSuffix(index, ".idx"), doomed); err != nil {
			return err
		}
	}
	folders := map[string]bool{}
	for name := range doomed {
		folder := filepath.Join(k.repo.Objects.Path, name[:2])
		err := os.Remove(filepath.Join(folder, name[2:]))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		folders[folder] = true
	}
	for folder := range folders {
		if err := object.SyncFolder(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// globQuoted keeps the letters of a path from being read as a pattern.
func globQuoted(path string) string {
	return strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(path)
}

// rewritePack replaces a pack, given without its extension, by one without what is
// doomed. One that git was told to keep, and one of a partial clone, stay.
func (k *Keeper) rewritePack(ctx context.Context, pack string, doomed map[string]bool) error {
	for _, mark := range []string{".keep", ".promisor"} {
		if _, err := os.Lstat(pack + mark); err == nil {
			return nil
		}
	}
	all, err := k.packed(ctx, pack+".idx")
	if err != nil {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return doomed[name] })
	if len(rest) == len(all) {
		return nil
	}
	if len(rest) > 0 {
		if err := k.writePack(ctx, pack, rest); err != nil {
			return err
		}
	}
	return k.removePack(ctx, pack)
}

// packed lists the objects of a pack.
func (k *Keeper) packed(ctx context.Context, index string) ([]string, error) {
	f, err := os.Open(index)
	if errors.Is(err, fs.ErrNotExist) { // git packed again meanwhile
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	args := []string{"show-index"}
	cmd := gitcmd.Command(ctx, k.repo.CommonDir, args...)
	cmd.Stdin = f
	out, err := gitcmd.Output(ctx, cmd, args)
	if err != nil {
		return nil, err
	}
	var objects []string
	for line := range strings.Lines(out) { // offset SP name SP (crc)
		if fields := strings.Fields(line); len(fields) > 1 {
			objects = append(objects, fields[1])
		}
	}
	slices.Sort(objects)
	return objects, nil
}

// writePack makes a durable pack of these objects, which are in another, and checks it.
func (k *Keeper) writePack(ctx context.Context, old string, objects []string) error {
	out, err := gitcmd.RunInput(ctx, k.repo.CommonDir, []byte(strings.Join(objects, "\n")+"\n"),
		"-c", "core.fsync=pack,pack-metadata", "-c", "core.fsyncMethod=fsync", "-c", "pack.packSizeLimit=0",
		"pack-objects", "--quiet", "--delta-base-offset", filepath.Join(filepath.Dir(old), "pack"))
	if err != nil {
		return err
	}
	made := filepath.Join(filepath.Dir(old), "pack-"+strings.TrimSpace(out))
	if made == old {
		return fmt.Errorf("git made %s again", old)
	}
	if _, err := gitcmd.Run(ctx, k.repo.CommonDir, "verify-pack", made+".idx"); err != nil {
		return err
	}
	got, err := k.packed(ctx, made+".idx")
	if err != nil {
		return err
	}
	if !slices.Equal(got, objects) {
		return fmt.Errorf("%w: %s has %d objects instead of %d; %s stays", gitcmd.ErrDamaged, made, len(got), len(objects), old)
	}
	return object.SyncFolder(filepath.Dir(old))
}

// removePack removes a pack, whose objects are in others, as git repack does: first the
// file over several packs, which may name it, then the index, by which git finds it.
func (k *Keeper) removePack(ctx context.Context, pack string) error {
	folder := filepath.Dir(pack)
	several := filepath.Join(folder, "multi-pack-index")
	_, err := os.Lstat(several)
	had := err == nil
	files := []string{pack + ".idx", pack + ".rev", pack + ".bitmap", pack + ".mtimes", pack + ".pack"}
	if had {
		more, err := filepath.Glob(globQuoted(several) + "-*")
		if err != nil {
			return err
		}
		files = slices.Concat([]string{several}, more, files)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := object.SyncFolder(folder); err != nil {
		return err
	}
	if left, err := filepath.Glob(filepath.Join(globQuoted(folder), "pack-*.idx")); !had || err != nil || len(left) == 0 {
		return err
	}
	_, err = gitcmd.Run(ctx, k.repo.CommonDir, "multi-pack-index", "write")
	return err
}

// present tells which objects a git that begins now finds, here or in alternates.
func (k *Keeper) present(ctx context.Context, objects []string) (map[string]bool, error) {
	args := []string{"cat-file", "--batch-check=%(objectname)"}
	cmd := gitcmd.Locally(gitcmd.Command(ctx, k.repo.CommonDir, args...))
	cmd.Stdin = bytes.NewReader([]byte(strings.Join(objects, "\n") + "\n"))
	out, err := gitcmd.Output(ctx, cmd, args)
	found := map[string]bool{}
	for line := range strings.Lines(out) {
		if name := strings.TrimSpace(line); !strings.HasSuffix(name, " missing") {
			found[name] = true
		}
	}
	return found, err
}

// renewGraph writes git's table of commits again, where there is one: it may name commits
// that are gone.
func (k *Keeper) renewGraph(ctx context.Context) error {
	info := filepath.Join(k.repo.Objects.Path, "info")
	args := []string{"commit-graph", "write", "--reachable"}
	if _, err := os.Lstat(filepath.Join(info, "commit-graphs")); err == nil {
		args = append(args, "--split=replace")
	} else if _, err := os.Lstat(filepath.Join(info, "commit-graph")); err != nil {
		return nil
	}
	_, err := gitcmd.Run(ctx, k.repo.CommonDir, args...)
	return err
}
