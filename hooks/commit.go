package hooks

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// head returns the commit that is checked out, and its branch if there is one.
func (p Place) head() (hash, branch string) {
	b, err := os.ReadFile(filepath.Join(p.GitDir, "HEAD"))
	if err != nil {
		return "", ""
	}
	text := strings.TrimSpace(string(b))
	ref, isRef := strings.CutPrefix(text, "ref: ")
	if !isRef {
		return text, ""
	}
	return valueOf(p, ref), strings.TrimPrefix(ref, "refs/heads/")
}

// maxCommit bounds what is read of a commit.
const maxCommit = 64 << 10

// readCommit returns the subject of a new commit and when it was made, zero if that cannot
// be read: it is not in a file of its own.
func readCommit(p Place, hash string) (subject string, at time.Time) {
	if len(hash) < 40 || strings.Trim(hash, "0123456789abcdef") != "" {
		return "", at
	}
	f, err := os.Open(filepath.Join(p.CommonDir, "objects", hash[:2], hash[2:]))
	if err != nil {
		return "", at
	}
	defer f.Close()
	in, err := zlib.NewReader(f)
	if err != nil {
		return "", at
	}
	text, err := io.ReadAll(io.LimitReader(in, maxCommit))
	if err != nil {
		return "", at
	}
	head, message, _ := bytes.Cut(text, []byte("\n\n"))
	for line := range strings.Lines(string(head)) {
		if rest, ok := strings.CutPrefix(line, "committer "); ok {
			if words := strings.Fields(rest); len(words) > 1 {
				if seconds, err := strconv.ParseInt(words[len(words)-2], 10, 64); err == nil {
					at = time.Unix(seconds, 0).UTC()
				}
			}
		}
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(message, "\n"), []byte("\n"))
	return string(line), at
}
