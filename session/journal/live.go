package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"engram/internal/filelock"
)

// Info is a journal that has something in it.
type Info struct {
	ID       string // the name of its folder
	Dir      string
	Size     int64
	Modified time.Time
}

// Live lists the journals below root, in folders SHARD/ID, that have something in them.
func Live(root string) ([]Info, error) {
	logs, err := fs.Glob(os.DirFS(root), "*/*/log")
	if err != nil {
		return nil, err
	}
	var live []Info
	for _, name := range logs {
		log := filepath.Join(root, filepath.FromSlash(name))
		info, err := os.Stat(log)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
			continue
		}
		if err != nil {
			return nil, err
		}
		dir := filepath.Dir(log)
		live = append(live, Info{filepath.Base(dir), dir, info.Size(), info.ModTime()})
	}
	return live, nil
}

// Size returns the bytes of the log; 0 if there is none.
func (j *Journal) Size() (int64, error) {
	info, err := os.Stat(j.log())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Tail returns the last lines of the log, at most so many bytes of them; whole says that these
// are all. A line that is longer counts as none.
func (j *Journal) Tail(ctx context.Context, most int64) (lines [][]byte, whole bool, err error) {
	f, size, err := j.snapshot(ctx)
	if err != nil || f == nil {
		return nil, err == nil, err
	}
	defer f.Close()
	from := max(0, size-most)
	for line, err := range linesOf(ctx, f, max(0, from-1), size) { // from the end of the line before
		if err != nil {
			return nil, false, err
		}
		lines = append(lines, line)
	}
	if from > 0 && len(lines) > 0 {
		lines = lines[1:] // the first is the end of one
	}
	return lines, from == 0, nil
}

// Remove removes the journal with all that is in its folder.
func (j *Journal) Remove(ctx context.Context) error {
	if _, err := os.Lstat(j.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	release, err := j.lock(ctx, filelock.Exclusive)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	return os.RemoveAll(j.dir)
}
