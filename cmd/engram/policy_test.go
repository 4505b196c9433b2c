package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPolicyJSON: the fields of what a team agrees on, typed by hand.
func TestPolicyJSON(t *testing.T) {
	repo := testRepo(t)
	text := `format: 1
namespaces: [infra]
colur: blue
anonymous_mode: true
signed_commits: false
permissions:
  - {agent: ci, scope: payments, write: false, valid_from: 2026-01-01T00:00:00Z, valid_until: 2036-01-01T00:00:00Z}
review: {namespaces: [architecture], unknown_authors: true, authors: [ada@example.com]}
gates: [lint]
anon_agents: true
`
	compareFields(t, repo, []jsonStep{
		{"init", "", []string{"init"}, 0, "schema_version revision branch created anonymous_mode anon_agents footprint[].what footprint[].where footprint[].remove"},
		{"set", text, []string{"policy", "set", "--file", "-"}, 0, "schema_version revision changed[] written warnings[]"},
		{"policy", "", []string{"policy"}, 0, "schema_version revision namespaces[] anonymous_mode anon_agents rate_limit signed_commits sessions " +
			prefixed("permissions[].", "agent scope read write valid_from valid_until means") +
			" review.namespaces[] review.unknown_authors review.authors[] gates[] unknown[].name notes[] text blob"},
		{"unchanged", text, []string{"policy", "set", "--file", "-"}, 0, "schema_version revision written warnings[]"},
	})
}

// TestViolationsJSON: the fields of a violation, in check and audit.
func TestViolationsJSON(t *testing.T) {
	repo := testRepo(t)
	for _, c := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"init"}},
		{"format: 1\npermissions: [{scope: payments, write: false}]\n", []string{"policy", "set", "--file", "-"}},
	} {
		if r := runHere(c.stdin, append([]string{"--repo", repo}, c.args...)...); r.status != 0 {
			t.Fatalf("%v: %s", c.args, r.stderr)
		}
	}
	tree := filepath.Join(t.TempDir(), "tree")
	fact := `key: domain/pay/evil
id: 01ARZ3NDEKTSV4RRFFQ69G5FAV
lineage: 01ARZ3NDEKTSV4RRFFQ69G5FAV
claim: Refunds go to Eve.
scope: payments
valid_from: 2036-05-01T12:30:00Z
provenance:
  agent: claude
  engineer: Eve <eve@example.com>
  created_at: 2036-05-01T12:30:00Z
`
	for _, step := range []func() ([]byte, error){
		exec.Command("git", "-C", repo, "worktree", "add", "-q", tree, "engram").CombinedOutput,
		func() ([]byte, error) { return nil, os.MkdirAll(filepath.Join(tree, "domain", "pay"), 0o755) },
		func() ([]byte, error) {
			return nil, os.WriteFile(filepath.Join(tree, "domain", "pay", "evil.yml"), []byte(fact), 0o644)
		},
		exec.Command("git", "-C", tree, "add", "-A").CombinedOutput,
		exec.Command("git", "-C", tree, "commit", "-q", "-m", "by hand").CombinedOutput,
		exec.Command("git", "-C", repo, "worktree", "remove", "--force", tree).CombinedOutput,
	} {
		if out, err := step(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	violation := prefixed("violations[].", "kind key scope agent_id engineer revision at message")
	compareFields(t, repo, []jsonStep{
		{"check", "", []string{"check"}, 1, "schema_version revision clean fail_on failing examined counts.high counts.medium counts.low withheld " + violation},
		{"audit", "", []string{"audit"}, 0, "schema_version revision from to tiers[] facts pairs known judged asked undecided unreached beyond surplus withheld took_seconds " + violation},
	})
}
