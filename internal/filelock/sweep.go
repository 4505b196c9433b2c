package filelock

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// abandoned is how old a temporary file is of which nobody will make anything.
const abandoned = time.Hour

// Sweep removes what processes left beside the file at path that were killed while they
// wrote it anew, as path.NUMBER: what is older than an hour. It is called under the
// lock of the file; what it cannot remove stays.
func Sweep(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if !ours || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}
