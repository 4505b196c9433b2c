package memory_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/gitstore"
	"engram/memory"
)

func TestPolicy(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	first, err := b.Policy(ctx)
	if err != nil || first.RateLimit != facts.DefaultRate || first.Blob == "" || !strings.HasPrefix(first.Text, "# What this team") {
		t.Fatalf("%+v, %v", first, err)
	}
	r := b.agree("namespaces: [infra]", "premissions: []", "anonymous_mode: true", "signed_commits: false", "permissions:",
		"  - {agent: ci, scope: payments, write: false, valid_until: 2026-05-01T00:00:00Z}",
		"review: {authors: [Ada@example.com]}", "gates: [lint]")
	if diff := cmp.Diff([]string{"anonymous_mode", "gates", "namespaces", "permissions", "premissions", "review", "signed_commits"}, r.Changed); diff != "" || !r.Written {
		t.Error(diff)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "did you mean permissions") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if subject := gitIn(t, b.dir, "log", "-1", "--format=%s", "engram"); subject != "policy: changed anonymous_mode, gates, namespaces, permissions, premissions, review, signed_commits" {
		t.Errorf("subject %q", subject)
	}
	p, err := b.Policy(ctx)
	if err != nil || !p.AnonymousMode || len(p.Namespaces) != 1 || len(p.Gates) != 1 || len(p.Review.Authors) != 1 || len(p.Permissions) != 1 ||
		len(p.Unknown) != 1 || p.Unknown[0].Nearest != "permissions" {
		t.Fatalf("%+v, %v", p, err)
	}
	if means := p.Permissions[0].Means; means != "agent ci may not write payments until 2026-05-01T00:00:00Z" {
		t.Errorf("means %q", means)
	}
	lint, err := b.Lint(ctx, nil)
	if err != nil || lint.Canonical || len(lint.Findings) != 1 || lint.Findings[0].Field != "premissions" || lint.Findings[0].Severity != memory.SeverityError {
		t.Errorf("%+v, %v", lint, err)
	}
	// The same text again writes nothing.
	tip := b.tip()
	again, err := b.SetPolicy(ctx, memory.SetPolicyInput{Text: p.Text, Base: p.Blob})
	if err != nil || again.Written || b.tip() != tip {
		t.Errorf("%+v, %v", again, err)
	}
	// A text that was made from another one is refused.
	_, err = b.SetPolicy(ctx, memory.SetPolicyInput{Text: "format: 1\n", Base: first.Blob})
	if code, _ := memory.Classify(err); !errors.Is(err, memory.ErrPolicyMoved) || code != memory.CodeLost || b.tip() != tip {
		t.Errorf("got %v", err)
	}
	if r, err := b.SetPolicy(ctx, memory.SetPolicyInput{Text: "# more\n" + p.Text, Base: p.Blob, Agent: "claude"}); err != nil || len(r.Changed) != 0 || !r.Written {
		t.Errorf("%+v, %v", r, err)
	}
	if subject := gitIn(t, b.dir, "log", "-1", "--format=%s", "engram"); subject != "policy: changed comments (by claude)" {
		t.Errorf("subject %q", subject)
	}
	// A namespace that facts are in is missed.
	b.agree("namespaces: [infra]")
	b.commit(memory.CommitInput{Claim: "It runs.", Key: "infra/a/b"})
	if r := b.agree("rate_limit: 5"); len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "namespace infra") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestSetPolicyRefuses(t *testing.T) {
	b := newMemory(t)
	b.agree("permissions:", "  - {agent: guest, scope: ops, read: false}")
	tip := b.tip()
	for text, want := range map[string]memory.Code{
		"":                                     memory.CodeUsage,
		"rate_limit: 3\n":                      memory.CodeUsage, // no format
		"format: 99\n":                         memory.CodeUsage,
		"format: 1\nanon_agents: perhaps\n":    memory.CodeUsage,
		"format: 1\npermissions: [{may: all}]": memory.CodeUsage,
		"format: 1\n# \xff\n":                  memory.CodeUsage,
		"format: 1\n# " + marker + "\n":        memory.CodeRefused,
	} {
		_, err := b.SetPolicy(t.Context(), memory.SetPolicyInput{Text: text})
		if code, _ := memory.Classify(err); code != want {
			t.Errorf("%q: %s, %v", text, code, err)
		}
	}
	_, err := b.SetPolicy(t.Context(), memory.SetPolicyInput{Text: "format: 1\n", Agent: "guest"})
	var refused *memory.PermissionError
	if !errors.As(err, &refused) || !refused.Policy {
		t.Errorf("an agent lifts what it is forbidden: %v", err)
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
	if _, err := b.SetPolicy(t.Context(), memory.SetPolicyInput{Text: "format: 1\n", Agent: "claude"}); err != nil {
		t.Error(err)
	}
}

// signs lets the repository sign with a key that it trusts.
func (b bench) signs() {
	b.t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		b.t.Skip("needs ssh-keygen")
	}
	folder := b.t.TempDir()
	key := filepath.Join(folder, "id")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key).CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command("sh", "-c", `printf 'ada@example.com %s\n' "$(cat "$1.pub")" > "$2"`, "sh", key, filepath.Join(folder, "allowed")).CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %s", err, out)
	}
	gitIn(b.t, b.dir, "config", "gpg.format", "ssh")
	gitIn(b.t, b.dir, "config", "user.signingkey", key)
	gitIn(b.t, b.dir, "config", "gpg.ssh.allowedSignersFile", filepath.Join(folder, "allowed"))
}

// TestSignedCommits: what engram writes is signed where the team wants that, and
// not written where it cannot be. What plain git brings without is listed.
func TestSignedCommits(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	text := "format: 1\nsigned_commits: true\n"
	gitIn(t, b.dir, "config", "gpg.program", "/no/such/program")
	_, err := b.SetPolicy(ctx, memory.SetPolicyInput{Text: text})
	if code, hint := classified(err); !errors.Is(err, gitstore.ErrSigning) || code != memory.CodeUnusable || !strings.Contains(hint, "user.signingkey") {
		t.Fatalf("%s, %q, %v", code, hint, err)
	}
	b.signs()
	b.agree("signed_commits: true", "rate_limit: 2")
	b.before("")
	b.everyWrite("")
	if bad := badSignatures(b, "engram"); bad != "" {
		t.Errorf("not signed:\n%s", bad)
	}
	check := func() []memory.Violation {
		t.Helper()
		r, err := b.Check(ctx, memory.CheckInput{From: "engram^^", FailOn: "low"})
		if err != nil || r.Clean != (len(r.Violations) == 0) {
			t.Errorf("clean %v with %+v: %v", r.Clean, r.Violations, err)
		}
		return r.Violations
	}
	if v := check(); len(v) != 0 {
		t.Errorf("violations %+v", v)
	}
	b.place("domain/by/hand.yml", handWritten)
	v := check()
	if len(v) != 1 || v[0].Kind != memory.ViolatesSignature || v[0].Revision != b.tip() || v[0].Engineer != "Ada <ada@example.com>" || !strings.Contains(v[0].Message, "has no signature") {
		t.Errorf("violations %+v", v)
	}
	all, err := b.Violations(ctx, "", "")
	if err != nil || len(all) != 1 { // the memory began unsigned, before the policy wanted it
		t.Errorf("violations %+v, %v", all, err)
	}
	// Who accepts the past signs a new version of the policy.
	b.agree("signed_commits: true", "rate_limit: 3")
	if all, err := b.Violations(ctx, "", ""); err != nil || len(all) != 0 {
		t.Errorf("violations %+v, %v", all, err)
	}
	// And a policy that nobody signed is one itself.
	b.place("engram.yml", "format: 1\nsigned_commits: true\n")
	if all, err := b.Violations(ctx, "", ""); err != nil || len(all) != 1 || all[0].Revision != b.tip() {
		t.Errorf("violations %+v, %v", all, err)
	}
}

const handWritten = `key: domain/by/hand
id: 01ARZ3NDEKTSV4RRFFQ69G5FAV
lineage: 01ARZ3NDEKTSV4RRFFQ69G5FAV
claim: Somebody wrote this by hand.
scope: ops
valid_from: 2026-04-30T12:10:00Z
provenance:
  agent: guest
  engineer: Eve <eve@example.com>
  created_at: 2026-04-30T12:10:00Z
`

func badSignatures(b bench, to string) string {
	var bad []string
	for line := range strings.Lines(gitIn(b.t, b.dir, "log", "--format=%G? %h %s", to)) {
		if !strings.HasPrefix(line, "G ") && !strings.Contains(line, "begin the memory") {
			bad = append(bad, line)
		}
	}
	return strings.Join(bad, "")
}
