package memory_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"engram/memory"
)

// TestFreshnessAmongManyFiles: however many files are renamed, each is found; what is
// not found among more files than are looked into is unchecked, and not missing.
func TestFreshnessAmongManyFiles(t *testing.T) {
	c := newCode(t)
	const n = 21_000
	var script strings.Builder
	begin := func(from string) {
		fmt.Fprintf(&script, "commit refs/heads/big\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 3\nbig%s\n", from)
	}
	add := func(path, content string) {
		fmt.Fprintf(&script, "M 100644 inline %s\ndata %d\n%s\n", path, len(content), content)
	}
	begin("")
	for i := range n {
		add(fmt.Sprintf("top/%d.go", i), fmt.Sprintf("package top\n\nconst number%d = %d\n", i, i))
	}
	const short, long = "a\nb = 1\n", "package gone\n\n// lifetime is how long all of them live.\n"
	add("short.go", short)
	add("long.go", long)
	script.WriteString("reset refs/heads/first\nfrom refs/heads/big\n\n")
	begin("")
	script.WriteString("R top other\nreset refs/heads/renamed\nfrom refs/heads/big\n\n")
	begin("")
	script.WriteString("D short.go\nD long.go\n")
	for i := range n {
		add(fmt.Sprintf("new/%d.go", i), fmt.Sprintf("package new\n\nvar another%d = %d\n", i, i))
	}
	cmd := exec.CommandContext(t.Context(), "git", "-C", c.dir, "fast-import", "--quiet", "--force")
	cmd.Stdin = strings.NewReader(script.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first := gitIn(t, c.dir, "rev-parse", "first")
	lines, file, gone := c.rest("repo:top/20500.go#L3@"+first), c.rest("repo:top/20999.go@"+first), c.rest("repo:long.go#L3@"+first)
	for key, want := range map[string]string{lines: "repo:other/20500.go#L3", file: "repo:other/20999.go"} {
		if got := c.check(key, "renamed"); got.Freshness != memory.Moved || got.Now != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if got := c.check(gone, "big"); got.Freshness != memory.Unchecked || !strings.Contains(got.Reason, "too many files") {
		t.Errorf("%+v", got)
	}
}
