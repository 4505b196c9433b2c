package memory_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
)

// TestFreshnessInAPartialClone: nothing is fetched to compare with; what the clone does
// not have is unchecked.
func TestFreshnessInAPartialClone(t *testing.T) {
	c := newCode(t)
	file, lines, kept := c.rest("repo:auth/session.go"), c.rest("repo:auth/session.go#L3-L4"), c.rest("repo:docs/spec.md#L7")
	then := gitIn(t, c.dir, "rev-parse", "HEAD:auth/session.go")
	c.file("auth/session.go", strings.Replace(session, "30", "20", 1))
	c.save("twenty")
	c.file("auth/session.go", strings.Replace(session, "30", "15", 1))
	c.save("fifteen")
	gitIn(t, c.dir, "config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(t.TempDir(), "partial")
	gitIn(t, c.dir, "clone", "-q", "--filter=blob:none", "file://"+c.dir, dir)
	configure(t, dir)
	gitIn(t, dir, "branch", "engram", "origin/engram")
	p := &code{bench: openMemory(t, dir)}
	p.want(kept, memory.Fresh, "")
	p.want(file, memory.Drifted, "")
	p.want(lines, memory.Drifted, "")
	cmd := exec.CommandContext(t.Context(), "git", "-C", dir, "rev-list", "--objects", "--all", "--missing=print")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "?"+then) {
		t.Errorf("%s was fetched: %v", then, err)
	}
	if got := p.check(lines, "HEAD~1"); got.Freshness != memory.Unchecked || !strings.Contains(got.Reason, "missing from this clone") {
		t.Errorf("at the commit before: %+v", got)
	}
}
