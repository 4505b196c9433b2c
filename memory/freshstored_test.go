package memory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"engram/memory"
)

// TestFreshnessOfConvertedFiles: what git makes of a file in the work tree is not what a
// pointer is of.
func TestFreshnessOfConvertedFiles(t *testing.T) {
	c := newCode(t)
	c.file(".gitattributes", "*.txt working-tree-encoding=UTF-16LE\n*.id ident\n*.secret filter=caesar\n")
	gitIn(t, c.dir, "config", "filter.caesar.clean", "tr a-z b-za")
	gitIn(t, c.dir, "config", "filter.caesar.smudge", "tr b-za a-z")
	wide := func(text string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(text)) {
			b.WriteString(string([]byte{byte(u), byte(u >> 8)}))
		}
		return b.String()
	}
	const text = "A line of text.\nAnother one, with more in it.\n"
	c.file("wide.txt", wide(text))
	c.file("a.id", "$Id$\n"+text)
	c.file("a.secret", text)
	names := []string{"wide.txt", "a.id", "a.secret"}
	c.save("converted")
	aged := func() { // so that git knows them by their times
		for _, name := range names {
			_ = os.Remove(filepath.Join(c.dir, name))
			gitIn(t, c.dir, "checkout", "-q", "--", name)
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(filepath.Join(c.dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
		gitIn(t, c.dir, "update-index", "-q", "--refresh")
	}
	aged()
	keys := make(map[string]string)
	for _, name := range names {
		keys[name] = c.rest("repo:" + name)
		keys[name+":2"] = c.rest(name + ":2")
	}
	for name, key := range keys {
		if got := c.check(key, ""); got.Freshness != memory.Fresh || !strings.Contains(got.Ref, "@") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(c.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		c.file(name, strings.ReplaceAll(string(data), "m", "n"))
		if _, err := c.Complete(t.Context(), name); err == nil || !strings.Contains(err.Error(), "git stores other bytes") {
			t.Errorf("%s is completed: %v", name, err)
		}
		if got := c.check(keys[name], ""); got.Freshness != memory.Unchecked || !strings.Contains(got.Reason, "git stores other bytes") {
			t.Errorf("%s, changed: %+v", name, got)
		}
	}
	c.save("changed")
	aged()
	for _, name := range names {
		c.want(keys[name], memory.Drifted, "")
	}
}
