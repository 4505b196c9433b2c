package memory_test

import (
	"errors"
	"strings"
	"testing"

	"engram/facts"
	"engram/memory"
	"engram/secret"
)

const testToken = "ghp" + "_q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe"

// TestSecretsInNamesAreRefused puts a token where a commit or a reference says who or what
// it is of.
func TestSecretsInNamesAreRefused(t *testing.T) {
	refused := func(t *testing.T, field string, err error) {
		t.Helper()
		found, ok := errors.AsType[*memory.SecretError](err)
		if !ok || found.Field != field {
			t.Errorf("%v, want the field %s refused", err, field)
		} else if strings.Contains(err.Error(), testToken[8:20]) {
			t.Error("the error repeats the secret")
		}
	}
	for field, setting := range map[string][2]string{
		"the author's name": {"user.name", "Ann " + testToken}, "the author's email": {"user.email", testToken + "@example.com"},
	} {
		t.Run(setting[0], func(t *testing.T) {
			b := newMemory(t)
			m := reopened(t, b.dir, nil)
			objects := gitIn(t, b.dir, "count-objects")
			gitIn(t, b.dir, "config", setting[0], setting[1])
			_, err := m.Commit(t.Context(), memory.CommitInput{Claim: "The build needs Go 1.26."})
			refused(t, field, err)
			if now := gitIn(t, b.dir, "count-objects"); now != objects {
				t.Errorf("objects before: %s, after: %s", objects, now)
			}
		})
	}
	b := newMemory(t)
	_, err := memory.Open(t.Context(), b.dir, secret.New(), &memory.Options{Branch: "engram-" + testToken})
	refused(t, "the name of the memory branch", err)
	m := reopened(t, b.dir, nil)
	_, err = m.Commit(t.Context(), memory.CommitInput{Claim: "The build needs Go 1.26.", Branch: "fix-" + testToken})
	refused(t, "branch", err)
	_, err = m.IssueGrant(t.Context(), memory.GrantInput{Child: "worker " + testToken, Pointer: "repo:README.md"})
	refused(t, "agent", err)
	_, err = m.AppendEvents(t.Context(), memory.AppendEventsInput{Session: "s1", Agent: "worker " + testToken, Events: []memory.AppendedEvent{{Kind: "user_message", Text: "hi"}}})
	refused(t, "agent", err)
}

// TestMessagesQuoteNoSecret undoes a commit whose subject somebody made with plain git.
func TestMessagesQuoteNoSecret(t *testing.T) {
	b := newMemory(t)
	m := reopened(t, b.dir, nil)
	if _, err := m.Commit(t.Context(), memory.CommitInput{Claim: "The build needs Go 1.26.", Key: "domain/build/go"}); err != nil {
		t.Fatal(err)
	}
	gitIn(t, b.dir, "branch", "-f", "engram", strings.TrimSpace(gitIn(t, b.dir, "commit-tree", "engram^{tree}", "-p", "engram^", "-m", "add domain/build/go: "+testToken)))
	if _, err := m.Undo(t.Context(), memory.UndoInput{Revision: "engram"}); err != nil {
		t.Fatal(err)
	}
	if subject := gitIn(t, b.dir, "log", "-1", "--format=%B", "engram"); !strings.Contains(subject, "[redacted: github-pat]") || strings.Contains(subject, testToken) {
		t.Errorf("the message is %q", subject)
	}
}

// reopened opens a memory with the scanner that the program has.
func reopened(t *testing.T, dir string, opts *memory.Options) *memory.Memory {
	t.Helper()
	m, err := memory.Open(t.Context(), dir, secret.New(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// TestInvisibleTextIsRefused writes what nobody sees, field by field.
func TestInvisibleTextIsRefused(t *testing.T) {
	b := newMemory(t)
	for field, in := range map[string]memory.CommitInput{
		"claim":  {Claim: "The port is 80\u200b80."},
		"detail": {Claim: "The port is 8080.", Detail: "It is\nso\u202e."}, "agent": {Claim: "The port is 8080.", Agent: "a\u00ad"},
		"evidence": {Claim: "The port is 8080.", Evidence: "seen\U000e0041"}, "tags[0]": {Claim: "The port is 8080.", Tags: []string{"a\ufeffb"}},
		"scope": {Claim: "The port is 8080.", Scope: "net\u2060"}, "branch": {Claim: "The port is 8080.", Branch: "fix\u200d"},
		"reason": {Operation: "delete", Key: "domain/net/port", Reason: "gone\u034f"},
	} {
		_, err := b.Commit(t.Context(), in)
		invalid, ok := errors.AsType[*facts.ValidationError](err)
		if !ok || invalid.Faults[0].Field != field || !strings.Contains(invalid.Faults[0].Problem, "invisible character U+") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := b.Commit(t.Context(), memory.CommitInput{Claim: "\u26a0\ufe0f Use Farsi \u0645\u06cc\u200c\u062e\u0648 \U0001f469\u200d\U0001f4bb."}); err != nil {
		t.Error(err)
	}
}
