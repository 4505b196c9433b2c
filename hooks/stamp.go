package hooks

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// refState is the state of the memory branch, here and as it was fetched, as far as files
// show it without running git. Equal states mean that no reference moved.
type refState struct {
	Local   string `json:"local"`   // the loose reference
	Remotes string `json:"remotes"` // a digest of the loose references of all remotes
	Packed  string `json:"packed"`  // size and time of the packed references
	Code    string `json:"code"`    // a digest of all branches, if facts are bound to some
}

// look reads a few small files and, with code, the loose references of all branches.
func look(p Place, branch string, code bool) refState {
	var s refState
	if code {
		s.Code = allBranches(p)
	}
	s.Local = loose(p, "refs/heads/"+branch)
	sum := sha256.New()
	for remote, value := range remoteBranches(p, branch) {
		fmt.Fprintf(sum, "%s %s\n", remote, value)
	}
	s.Remotes = shortSum(sum)
	if info, err := os.Stat(filepath.Join(p.CommonDir, "packed-refs")); err == nil {
		s.Packed = fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	}
	return s
}

func shortSum(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:8]) }

// allBranches returns a digest of the loose references of all branches, here and of
// remotes.
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
	return shortSum(sum)
}

// remoteBranches yields the remotes that have a loose reference of a branch, and its value.
func remoteBranches(p Place, branch string) iter.Seq2[string, string] {
	return func(yield func(remote, value string) bool) {
		remotes, _ := os.ReadDir(filepath.Join(p.CommonDir, "refs", "remotes"))
		for _, r := range remotes {
			if value := loose(p, "refs/remotes/"+r.Name()+"/"+branch); value != "" && !yield(r.Name(), value) {
				return
			}
		}
	}
}

func loose(p Place, ref string) string {
	b, err := os.ReadFile(filepath.Join(p.CommonDir, filepath.FromSlash(ref)))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// packed yields the names of the packed references and their values.
func packed(p Place) iter.Seq2[string, string] {
	return func(yield func(ref, value string) bool) {
		f, err := os.Open(filepath.Join(p.CommonDir, "packed-refs"))
		if err != nil {
			return
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if value, ref, _ := strings.Cut(lines.Text(), " "); !yield(ref, value) {
				return
			}
		}
	}
}

// valueOf returns the value of a reference, loose or packed; "" if there is none.
func valueOf(p Place, ref string) string {
	if value := loose(p, ref); value != "" {
		return value
	}
	for name, value := range packed(p) {
		if name == ref {
			return value
		}
	}
	return ""
}

// fetched reports whether the memory branch of a remote is here, as after git clone.
func fetched(p Place, branch string) bool {
	for range remoteBranches(p, branch) {
		return true
	}
	for name := range packed(p) {
		rest, _ := strings.CutPrefix(name, "refs/remotes/")
		if remote, found := strings.CutSuffix(rest, "/"+branch); found && rest != name && !strings.Contains(remote, "/") {
			return true
		}
	}
	return false
}
