package memory_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/evidence"
	"engram/facts"
	"engram/memory"
)

// vault is a repository whose memory has a fact that the agent child may not read.
func vault(t *testing.T) (b bench, path string, commits map[string]string) {
	b = newMemory(t)
	b.code(map[string]string{"a.go": "package a\n"})
	b.commit(memory.CommitInput{Claim: "The vault opens at nine.", Key: "domain/secret/vault", Scope: "secret"})
	b.commit(memory.CommitInput{Claim: "The vault opens at ten.", Key: "domain/secret/vault", Scope: "secret"})
	b.agree("permissions:", "  - {agent: child, scope: secret, read: false}")
	path = "domain/secret/vault.yml"
	commits = map[string]string{"the tip": b.tip(), "an earlier one": b.git("rev-parse", "engram~1")}
	b.git("update-ref", "refs/heads/engram-proposed", "engram")
	b.git("update-ref", "refs/remotes/origin/engram", "engram")
	b.git("update-ref", "refs/engram/sources/other", "engram")
	// A history that a purge replaced, of which no reference is left, and whose manifest
	// is of a later format.
	at := filepath.Join(t.TempDir(), "w")
	b.git("worktree", "add", "-q", "--detach", at, "engram")
	if err := os.WriteFile(filepath.Join(at, "engram.yml"), []byte("format: 99\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gitIn(t, at, "commit", "-q", "-a", "-m", "later")
	commits["of a later format"] = gitIn(t, at, "rev-parse", "HEAD")
	b.git("worktree", "remove", "--force", at)
	return b, path, commits
}

// TestCodePointersReadNoMemory: whoever may not read a fact reads it by no pointer into
// the history that it is kept in, on no road.
func TestCodePointersReadNoMemory(t *testing.T) {
	b, path, commits := vault(t)
	digests := make(map[string]bool)
	for _, rev := range commits {
		content := b.git("cat-file", "-p", rev+":"+path) + "\n"
		digests[evidence.Digest([]byte(content))] = true
		for line := range strings.Lines(content) {
			digests[evidence.Digest([]byte(line))] = true
		}
	}
	leaks := func(t *testing.T, road string, result any, err error) {
		t.Helper()
		text, failed := json.Marshal(result)
		if failed != nil {
			t.Fatal(failed)
		}
		said := string(text)
		if err != nil {
			_, hint := classified(err)
			said += err.Error() + hint
		}
		if strings.Contains(said, "vault opens") || strings.Contains(said, "vault.yml\\n") {
			t.Errorf("%s tells the text: %s", road, said)
		}
		for digest := range digests {
			if strings.Contains(said, strings.TrimPrefix(digest, "sha256:")) {
				t.Errorf("%s tells the digest: %s", road, said)
			}
		}
	}
	n, sure := 0, 0.9
	for name, commit := range commits {
		for _, ref := range []string{
			"repo:" + path + "@" + commit, "repo:" + path + "#L2-L3@" + commit[:9], "repo:domain/secret@" + commit,
			"artifact:" + path + "@" + commit, "test:" + path + "#vault@" + commit,
			"diff:" + commits["an earlier one"] + "~1.." + commit + "#domain", "diff:" + b.git("rev-parse", "HEAD") + ".." + commit + "#" + path,
			"diff:engram~1..engram#domain/secret", "diff:refs/engram/sources/other~1..origin/engram#domain", "diff:engram-proposed~1..engram-proposed#" + path,
		} {
			t.Run(name+" "+ref[:min(len(ref), 30)], func(t *testing.T) {
				ctx := t.Context()
				n++
				for _, in := range []memory.DerefInput{{Ref: ref}, {Ref: ref, Agent: fmt.Sprint("child", n)}, {Ref: ref, Agent: fmt.Sprint("child", n), Strict: true}} {
					got, err := b.Deref(ctx, in)
					if err == nil || !errors.Is(err, memory.ErrUsage) && !errors.Is(err, memory.ErrNotFound) {
						t.Errorf("%+v: %+v, %v", in, got, err)
					}
					leaks(t, "Deref", got, err)
				}
				done, err := b.Complete(ctx, ref)
				leaks(t, "Complete", done, err)
				wrong := "sha256:" + strings.Repeat("0", 64)
				for _, digest := range []string{"", wrong} {
					key := fmt.Sprintf("domain/child/n%d", n)
					r, err := b.Commit(ctx, memory.CommitInput{Claim: fmt.Sprint("It is so: ", n, digest, ref), Key: key, Agent: "child", Pointers: []memory.Pointer{{Ref: ref, Digest: digest}}})
					leaks(t, "Commit", r, err)
					if err == nil {
						leaks(t, "Get", b.get(key), nil)
						v, err := b.Verify(ctx, memory.VerifyInput{Keys: []string{key}, Diff: true, AskedBy: "child"})
						leaks(t, "Verify", v, err)
					}
					e, err := b.PutEngram(ctx, memory.PutInput{Agent: "child", Engram: memory.Engram{
						Kind: "fact", Claim: "It is so: " + ref, TTL: "P1D", Scope: "project", Confidence: &sure, Pointers: []memory.EngramPointer{{Type: string(addressOf(t, ref).Type), Ref: ref, Digest: digest}},
					}})
					if err == nil {
						t.Errorf("PutEngram takes it: %+v", e)
					}
					leaks(t, "PutEngram", e, err)
				}
				m, err := b.ValidateMessage(ctx, memory.MessageInput{Agent: "child", Text: []byte("ROLE: x\nTASK_STATUS: done\nENGRAMS: []\nPOINTER_PACK:\n  - { type: repo, ref: " + fmt.Sprintf("%q", ref) + " }\nOUTPUT: { summary: x }\n")})
				leaks(t, "ValidateMessage", m, err)
				br, err := b.Broadcast(ctx, memory.BroadcastInput{Child: "child", Role: "x", Goal: "It is so: vault", Grants: []memory.GrantInput{{Pointer: ref}}})
				leaks(t, "Broadcast", br, err)
				task, err := b.Delegate(ctx, memory.TaskInput{Flow: "f", ID: fmt.Sprint("t", n), Child: "child", Task: "Look."})
				if err != nil {
					t.Fatal(err)
				}
				rep, err := b.Report(ctx, memory.ReportInput{Key: task.Key, Result: "Done.", Agent: "child", Pointers: []memory.Pointer{{Ref: ref}, {Ref: "sam:domain/secret/vault"}}})
				leaks(t, "Report", rep, err)
			})
		}
	}
	p, err := b.PointersOf(t.Context(), memory.RetrievedInput{Agent: "other", Excerpts: true, Passages: []memory.Retrieved{{Text: "claim: The vault opens at ten.", Path: path}}})
	leaks(t, "PointersOf", p, err)
	w, err := b.Why(t.Context(), memory.WhyInput{Path: path, AskedBy: "child"})
	leaks(t, "Why", w, err)
	if _, err := b.Verify(t.Context(), memory.VerifyInput{At: "engram", Diff: true, AskedBy: "child"}); !errors.Is(err, memory.ErrUsage) {
		t.Error(err)
	}
}

func addressOf(t *testing.T, ref string) facts.Address {
	t.Helper()
	a, err := facts.ParseRef(ref)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestMemoryCheckedOutIsNoCode: nor where the work tree is at a commit of the memory, under
// whatever name.
func TestMemoryCheckedOutIsNoCode(t *testing.T) {
	b, path, _ := vault(t)
	for _, checkout := range [][]string{{"--detach", "engram"}, {"-b", "work", "engram"}, {"engram"}} {
		b.git(append([]string{"checkout", "-q"}, checkout...)...)
		for _, ref := range []string{path, path + ":1-3", "repo:" + path, "repo:" + path + "#L2"} {
			if got, err := b.Complete(t.Context(), ref); err == nil {
				t.Errorf("%q: %s is %+v", checkout, ref, got)
			}
			if got, err := b.Deref(t.Context(), memory.DerefInput{Ref: ref, Agent: "child"}); err == nil {
				t.Errorf("%q: %s is %+v", checkout, ref, got)
			}
		}
		if got := b.get("domain/secret/vault"); got.Claim != "The vault opens at ten." {
			t.Errorf("%+v", got)
		}
	}
}
