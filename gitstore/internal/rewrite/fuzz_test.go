package rewrite

import (
	"testing"

	"engram/gitstore/internal/gitcmd"
)

// FuzzParseCommit: no commit object makes a rewrite panic.
func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nparent 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig a\n b\n\nmessage\n"))
	f.Add([]byte("tree \n\n"))
	f.Add([]byte(" continued\nparent"))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = parseCommit(gitcmd.Object{Kind: "commit", Data: data}) })
}
