package memory_test

import (
	"strings"
	"testing"

	"engram/memory"
)

// TestFreshnessOfLargeFiles: what is too large to be read is compared by its name, and
// what is committed never stands for it.
func TestFreshnessOfLargeFiles(t *testing.T) {
	c := newCode(t)
	large := strings.Repeat("A line of a file that is too large to be read.\n", 200_000)
	c.file("large.txt", large)
	head := c.save("large")
	whole, lines := c.rest("repo:large.txt@"+head), c.rest("repo:large.txt#L3-L4@"+head)
	c.want(whole, memory.Fresh, "")
	c.want(lines, memory.Fresh, "")
	c.file("large.txt", "Another line.\n"+large)
	c.want(whole, memory.Drifted, "")
	if got := c.check(lines, ""); got.Freshness != memory.Unchecked || !strings.Contains(got.Reason, "larger than what engram reads") {
		t.Errorf("%+v", got)
	}
	c.file("large.txt", "Another.\n")
	c.want(whole, memory.Drifted, "")
	c.want(lines, memory.Unchecked, "")
}
