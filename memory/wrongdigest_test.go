package memory_test

import (
	"strings"
	"testing"

	"engram/evidence"
	"engram/memory"
)

// TestWrongDigestsTellNoRightOnes: an agent gets a digest by reading, and not by guessing.
func TestWrongDigestsTellNoRightOnes(t *testing.T) {
	b := newMemory(t)
	at := b.code(map[string]string{"a.go": "one\n"})
	right, guessed := evidence.Digest([]byte("one\n")), "sha256:"+strings.Repeat("0", 64)
	ref, sure := "repo:a.go#L1@"+at, 0.9
	_, person := b.Commit(t.Context(), memory.CommitInput{Claim: "It is so.", Pointers: []memory.Pointer{{Ref: ref, Digest: guessed}}})
	if person == nil || !strings.Contains(person.Error(), right) {
		t.Errorf("a person: %v", person)
	}
	_, agent := b.Commit(t.Context(), memory.CommitInput{Claim: "It is so.", Agent: "child", Pointers: []memory.Pointer{{Ref: ref, Digest: guessed}}})
	_, put := b.PutEngram(t.Context(), memory.PutInput{Agent: "child", Engram: memory.Engram{Kind: "fact", Claim: "It is so.", TTL: "P1D", Scope: "project", Confidence: &sure,
		Pointers: []memory.EngramPointer{{Type: "repo", Ref: ref, Digest: guessed}}}})
	for road, err := range map[string]error{"Commit": agent, "PutEngram": put} {
		if err == nil {
			t.Fatalf("%s takes it", road)
		}
		_, hint := classified(err)
		said := err.Error() + hint
		if strings.Contains(said, right[len("sha256:"):]) || !strings.Contains(said, "the digest is not that of "+ref) || !strings.Contains(said, "deref") {
			t.Errorf("%s: %s", road, said)
		}
	}
}
