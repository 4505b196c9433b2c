package hooks

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// standing is where the memory branch stands, here and as it was fetched, as far
// as files say without git: what is equal has not moved.
type standing struct {
	Local   string `json:"local"`   // what the loose reference holds
	Remotes string `json:"remotes"` // a digest of the same of every remote
	Packed  string `json:"packed"`  // size and time of the packed references
	Code    string `json:"code"`    // a digest of all branches, where facts are bound to some
}

// look reads a handful of small files, and with code those of all branches.
func look(p Place, branch string, code bool) standing {
	var s standing
	if code {
		s.Code = allBranches(p)
	}
	s.Local = loose(p, "refs/heads/"+branch)
	sum := sha256.New()
	remotes, _ := os.ReadDir(filepath.Join(p.CommonDir, "refs", "remotes"))
	for _, r := range remotes {
		if value := loose(p, "refs/remotes/"+r.Name()+"/"+branch); value != "" {
			fmt.Fprintf(sum, "%s %s\n", r.Name(), value)
		}
	}
	s.Remotes = hex.EncodeToString(sum.Sum(nil)[:8])
	if info, err := os.Stat(filepath.Join(p.CommonDir, "packed-refs")); err == nil {
		s.Packed = fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	}
	return s
}

// allBranches is a digest of where all branches stand, here and as they were
// fetched, but for packed ones.
func allBranches(p Place) string {
	sum := sha256.New()
	for _, dir := range []string{"heads", "remotes"} {
		_ = filepath.WalkDir(filepath.Join(p.CommonDir, "refs", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				b, _ := os.ReadFile(path)
				fmt.Fprintf(sum, "%s %s\n", path, b)
			}
			return nil
		})
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

func loose(p Place, ref string) string {
	b, err := os.ReadFile(filepath.Join(p.CommonDir, filepath.FromSlash(ref)))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// valueOf is what a reference holds, packed ones included; "" if there is none.
func valueOf(p Place, ref string) string {
	if value := loose(p, ref); value != "" {
		return value
	}
	f, err := os.Open(filepath.Join(p.CommonDir, "packed-refs"))
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, name, _ := strings.Cut(lines.Text(), " "); name == ref {
			return value
		}
	}
	return ""
}

// fetched reports whether some remote's memory branch is here, as after git clone.
func fetched(p Place, branch string) bool {
	remotes, _ := os.ReadDir(filepath.Join(p.CommonDir, "refs", "remotes"))
	for _, r := range remotes {
		if loose(p, "refs/remotes/"+r.Name()+"/"+branch) != "" {
			return true
		}
	}
	f, err := os.Open(filepath.Join(p.CommonDir, "packed-refs"))
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		_, name, _ := strings.Cut(lines.Text(), " refs/remotes/")
		if remote, found := strings.CutSuffix(name, "/"+branch); found && !strings.Contains(remote, "/") {
			return true
		}
	}
	return false
}

// seen is what the hooks of a repository remember from one to the next. It is
// derived and local: without it the next hook looks again.
type seen struct {
	Format  int      `json:"format"`
	Branch  string   `json:"branch"`
	Settled standing `json:"settled"` // all that this holds is settled
	// Evidence reports whether any fact rests on a file of the repository.
	Evidence bool `json:"evidence"`
	// Bound reports whether any fact is bound to a code branch, which moves more
	// often than the memory does.
	Bound bool `json:"bound"`
	// Settling that takes longer than a hook may is not tried at once again: Late
	// counts how often in a row it did, Rest is until when hooks leave it alone.
	Late int       `json:"late,omitempty"`
	Rest time.Time `json:"rest,omitzero"`
	// Problem is what went wrong last, a digest, and Told when that was said: it is
	// said once a day.
	Problem string    `json:"problem,omitempty"`
	Told    time.Time `json:"told,omitzero"`
}

const (
	seenFile   = "seen.json"
	seenFormat = 1
	runLock    = "run.lock"
)

// readSeen is the zero value where nothing of use is remembered.
func readSeen(p Place, branch string) (s seen) {
	b, err := os.ReadFile(p.state(seenFile))
	if err != nil || json.Unmarshal(b, &s) != nil || s.Format != seenFormat || s.Branch != branch {
		return seen{Format: seenFormat, Branch: branch}
	}
	return s
}

// write stores it, if that is possible and it has changed.
func (s seen) write(p Place) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := p.state(seenFile)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), replaceFile(path, b, 0o644))
}

// restAfter is how long hooks rest after the nth time in a row that settling took
// too long: ten minutes, and twice as long each time, up to a day.
func restAfter(n int) time.Duration {
	return min(10*time.Minute<<min(n-1, 10), 24*time.Hour)
}
