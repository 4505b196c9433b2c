package filelock

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// abandoned is the age of a temporary file that no process will finish.
const abandoned = time.Hour

// Sweep removes temporary files of the file at path, NAME.NUMBER and .NAME.NUMBER, that
// processes left because they were killed: those older than an hour. The caller holds the
// lock of the file. A file that cannot be removed stays.
func Sweep(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ours := strings.CutPrefix(strings.TrimPrefix(e.Name(), "."), filepath.Base(path)+".")
		if !ours || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}
