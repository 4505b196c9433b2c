package memory_test

import (
	"errors"
	"strings"
	"testing"

	"engram/memory"
	"engram/secret"
)

// TestSplitSecretsAreRefused splits a token by each character that a commit's subject
// loses, so that it would stand joined in git's history.
func TestSplitSecretsAreRefused(t *testing.T) {
	dir := newMemory(t).dir
	m, err := memory.Open(t.Context(), dir, secret.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	objects, tip := gitIn(t, dir, "count-objects"), gitIn(t, dir, "for-each-ref")
	head, tail := "ghp"+"_q7Zr2LwK9xTb4VmN", "8cYd3HsG6pJf5RtX1aQe"
	for _, r := range []rune{
		0x01, 0x1b, 0x7f, 0x80, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d,
		0x202e, 0x2060, 0x2065, 0x2066, 0x2069, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef,
		0x301, 0xe000, 0xf0000, 0x378,
	} {
		for field, in := range map[string]memory.CommitInput{
			"claim":  {Claim: "CI pushes with " + head + string(r) + tail + " since May."},
			"detail": {Claim: "CI pushes with a token.", Detail: "It is\n" + head + string(r) + tail},
		} {
			_, err := m.Commit(t.Context(), in)
			var found *memory.SecretError
			switch {
			case !errors.As(err, &found) || found.Field != field || found.Rule != "github-pat":
				t.Errorf("%s with %U: %v", field, r, err)
			case strings.Contains(err.Error(), head), strings.Contains(err.Error(), tail):
				t.Errorf("%s with %U: the error repeats the secret", field, r)
			}
		}
	}
	if now := gitIn(t, dir, "count-objects"); now != objects || gitIn(t, dir, "for-each-ref") != tip {
		t.Errorf("objects before: %s, after: %s", objects, now)
	}
}
