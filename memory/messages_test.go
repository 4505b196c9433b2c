package memory_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/bus"
	"engram/memory"
)

// childMessage is a message with one engram that points at a reference.
func childMessage(claim, ref string) []byte {
	confidence := 0.8
	return []byte(bus.ChildMessage{Role: "reviewer", TaskStatus: "done", Output: bus.Output{Summary: "One risk."}, Engrams: []bus.Engram{{
		Kind: "risk", Claim: claim, Confidence: &confidence, TTL: "P7D", Scope: "project", Pointers: []bus.Pointer{{Type: "repo", Ref: ref}}}}}.YAML())
}

// TestValidateMessageCompletesCommits with that of the work tree, where what is pointed
// at stands there.
func TestValidateMessageCompletesCommits(t *testing.T) {
	b := newMemory(t)
	if err := os.WriteFile(filepath.Join(b.dir, "a.go"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "a.go"}, {"commit", "-qm", "a"}} {
		if out, err := exec.Command("git", append([]string{"-C", b.dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	head, err := exec.Command("git", "-C", b.dir, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := "repo:a.go#L1-L2@" + strings.TrimSpace(string(head))
	for _, ref := range []string{"repo:a.go#L1-L2", "repo:a.go#L1-L2@", "repo:a.go#L1-L2@main"} {
		v, err := b.ValidateMessage(t.Context(), memory.MessageInput{Text: childMessage("It leaks.", ref)})
		if err != nil || v.OK || v.Code != bus.Invalid || v.Refusals[0].Resend != want || !strings.Contains(v.Resend, want) || v.Revision == "" {
			t.Errorf("%s: %v: %+v", ref, err, v)
		}
		if again, err := b.ValidateMessage(t.Context(), memory.MessageInput{Text: []byte(v.Resend)}); err != nil || !again.OK {
			t.Errorf("%s: what was to be sent again: %v: %+v", ref, err, again)
		}
	}
	v, err := b.ValidateMessage(t.Context(), memory.MessageInput{Text: childMessage("It leaks.", "repo:absent.go#L1")})
	if err != nil || v.OK || v.Resend != "" || v.Refusals[0].Resend != "repo:absent.go#L1@COMMIT" {
		t.Errorf("what is not there cannot be completed: %v: %+v", err, v)
	}
}

// TestValidateMessageWithGrant: a grant for code lets as much of it through as it says.
func TestValidateMessageWithGrant(t *testing.T) {
	b := newMemory(t)
	const code = "It says:\n```go\nfunc f() error {\n\treturn nil\n}\n```"
	text := childMessage(code, "repo:a.go#L1@0123abc")
	in := memory.MessageInput{Text: text, Agent: "coder-1"}
	v, err := b.ValidateMessage(t.Context(), in)
	if err != nil || v.OK || v.Code != bus.BudgetExceeded || v.CodeChars == 0 {
		t.Fatalf("without a grant: %v: %+v", err, v)
	}
	grant, err := b.IssueGrant(t.Context(), memory.GrantInput{Child: "coder-1", Purpose: string(bus.ForCode), Pointer: "repo:a.go#L1@0123abc", Cap: 200})
	if err != nil {
		t.Fatal(err)
	}
	in.BudgetTokens = []string{grant.BudgetToken}
	for range 3 { // looking uses nothing up
		if v, err := b.ValidateMessage(t.Context(), in); err != nil || !v.OK {
			t.Fatalf("with a grant: %v: %+v", err, v)
		}
	}
	in.Agent = "coder-2"
	if _, err := b.ValidateMessage(t.Context(), in); !errors.Is(err, bus.ErrRefused) {
		t.Errorf("a grant of another: %v", err)
	}
}

// TestCodeGrantIsGivenBack: a message that could not be stored uses no grant up, and
// one that was does.
func TestCodeGrantIsGivenBack(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	b.agree("rate_limit: 1")
	b.commit(memory.CommitInput{Claim: "The only one of this hour.", Agent: "coder-1"})
	grant, err := b.IssueGrant(t.Context(), memory.GrantInput{Child: "coder-1", Purpose: string(bus.ForCode), Cap: 200})
	if err != nil {
		t.Fatal(err)
	}
	const code = "It says:\n```go\nfunc f() error {\n\treturn nil\n}\n```"
	in := memory.MessageInput{Text: childMessage(code, "repo:a.go#L1@"+commit), Agent: "coder-1", BudgetTokens: []string{grant.BudgetToken}}
	var limited *memory.RateError
	for range 2 {
		if _, err := b.Submit(t.Context(), in); !errors.As(err, &limited) {
			t.Fatalf("above its rate: %v", err)
		}
	}
	b.clock.add(2 * time.Hour)
	left := func() (uses, chars int) {
		r, err := b.Grants(t.Context(), "coder-1")
		if err != nil || len(r.Grants) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		return r.Grants[0].UsesLeft, r.Grants[0].CapLeft
	}
	if uses, chars := left(); uses != 1 || chars != 200 {
		t.Errorf("%d uses and %d characters are left of what was not used", uses, chars)
	}
	b.clock.add(-90 * time.Minute) // the grant still holds
	b.agree("rate_limit: 100")
	if r, err := b.Submit(t.Context(), in); err != nil || !r.Verdict.OK {
		t.Fatalf("%+v, %v", r.Verdict, err)
	}
	if uses, _ := left(); uses != 0 {
		t.Errorf("%d uses are left", uses)
	}
}

// TestLimitsOfMessages are those that the memory was opened with.
func TestLimitsOfMessages(t *testing.T) {
	dir := newRepo(t)
	open := func(inline bus.Inline) (*memory.Memory, error) {
		return memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Bus: memory.BusOptions{Limits: bus.Limits{Inline: inline}}})
	}
	m, err := open(bus.Inline{Tokens: 40})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	v, err := m.ValidateMessage(t.Context(), memory.MessageInput{Text: childMessage("It leaks.", "repo:a.go#L1@0123abc")})
	if err != nil || v.Code != bus.BudgetExceeded || v.Refusals[0].Limit != 40 {
		t.Errorf("%v: %+v", err, v)
	}
	if _, err := open(bus.Inline{Tokens: -1}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("a limit below 0: %v", err)
	}
}
