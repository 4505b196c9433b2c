package gitcmd_test

import (
	"bufio"
	"strings"
	"testing"

	"engram/gitstore/internal/gitcmd"
)

// FuzzReadObject: no answer of a git makes a reader panic, and none is longer than the limit.
func FuzzReadObject(f *testing.F) {
	f.Add("0123 blob 5\nhello\n")
	f.Add("HEAD missing\n")
	f.Add("0123 submodule\n")
	f.Add("0123 blob -7\n")
	f.Add("0123 blob 99999\n")
	f.Fuzz(func(t *testing.T, answer string) {
		o, err := gitcmd.ReadObject(bufio.NewReader(strings.NewReader(answer)), "HEAD", gitcmd.Question{Limit: 4096})
		if err == nil && len(o.Data) > 4096 {
			t.Fatalf("%d bytes of %q", len(o.Data), answer)
		}
	})
}
