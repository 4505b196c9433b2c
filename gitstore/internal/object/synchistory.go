package object

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// SyncHistory makes durable what commits contain and others
// do not, before a reference comes to depend on it. git syncs the packs that
// it fetches, but not the loose objects that it unpacks small fetches into. What
// is missing, as in a partial clone, is not fetched for that.
func (d *Dir) SyncHistory(ctx context.Context, commits, known []string) error {
	args := []string{"rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--stdin"}
	cmd := gitcmd.Command(ctx, d.GitDir, args...)
	var wanted strings.Builder
	for _, name := range commits {
		wanted.WriteString(name + "\n")
	}
	for _, name := range known {
		if name != "" {
			wanted.WriteString("^" + name + "\n")
		}
	}
	cmd.Stdin = strings.NewReader(wanted.String())
	loose := looseNames{folder: d.Path, names: map[string]map[string]bool{}}
	folders := map[string]bool{}
	var files []string
	err := gitcmd.Pipe(ctx, cmd, args, func(r *bufio.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			name := lines.Text()
			if file, is := loose.file(name); is {
				files = append(files, file)
				folders[filepath.Dir(file)] = true
			}
		}
		return lines.Err()
	})
	if err != nil {
		return fmt.Errorf("read what %s contains: %w", strings.Join(commits, ", "), err)
	}
	// The names of packs are in no better case: git syncs no folders.
	folders[d.Path], folders[filepath.Join(d.Path, "pack")] = true, true
	if err := errors.Join(syncFiles(files), syncFolders(folders)); err != nil {
		return fmt.Errorf("sync objects: %w", err)
	}
	return nil
}

// looseNames lists each of the folders of loose objects once, because most
// objects are in packs.
type looseNames struct {
	folder string
	names  map[string]map[string]bool
}

func (l looseNames) file(name string) (string, bool) {
	if !IsFull(name) {
		return "", false
	}
	folder, rest := name[:2], name[2:]
	names, listed := l.names[folder]
	if !listed {
		names = map[string]bool{}
		entries, _ := os.ReadDir(filepath.Join(l.folder, folder))
		for _, e := range entries {
			names[e.Name()] = true
		}
		l.names[folder] = names
	}
	return filepath.Join(l.folder, folder, rest), names[rest]
}

// syncFiles syncs many files at a time. One that is gone was packed meanwhile,
// and git syncs packs.
func syncFiles(files []string) error {
	return inParallel(files, func(file string) error {
		if err := syncFile(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
