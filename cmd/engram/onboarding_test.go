package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestJSONFieldsOfTeams compares the fields of the objects of invitations and
// reviews with the lists that scripts rely on.
func TestJSONFieldsOfTeams(t *testing.T) {
	repo, remote := testRepo(t), filepath.Join(t.TempDir(), "team.git")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q", "--bare", remote)
	git("remote", "add", "origin", remote)
	git("push", "-q", "origin", "HEAD")
	tips := "schema_version revision "
	footprint := "footprint[].what footprint[].where footprint[].remove "
	compareFields(t, repo, []jsonStep{
		{"init", "", []string{"init"}, 0, tips + footprint + "branch created anonymous_mode anon_agents remote visibility"},
		{"invite", "", []string{"invite"}, 0, tips + "invite_key invite_id remote branch expires_at uses visibility pushed notes[]"},
	})
	key := runHere("", "--repo", repo, "invite").stdout
	clone := filepath.Join(t.TempDir(), "clone")
	git("clone", "-q", "file://"+remote, clone)
	for _, setting := range []string{"user.name Ben", "user.email ben@example.com"} {
		git(append([]string{"-C", clone, "config"}, strings.Fields(setting)...)...)
	}
	compareFields(t, clone, []jsonStep{
		{"join", key, []string{"join", "-"}, 0, tips + footprint + "branch invite_id remote begun behind recorded pushed visibility"},
		{"invite list", "", []string{"invite", "list"}, 0, tips + prefixed("invitations[].",
			"invite_id state engineer committed_at expires_at uses joined[].engineer joined[].committed_at")},
		{"commit", "", []string{"commit", "The gateway listens on port 8443.", "--key", "domain/infra/a", "--scope", "infra"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "", 1)},
	})
	id := strings.Fields(runHere("", "--repo", clone, "invite", "list").stdout)[0]
	compareFields(t, clone, []jsonStep{{"invite revoke", "", []string{"invite", "revoke", id}, 0, tips + "invite_id pushed"}})

	gate := filepath.Join(t.TempDir(), "gate")
	git("-C", clone, "worktree", "add", "-q", gate, "engram")
	manifest := []byte("format: 1\nreview:\n  namespaces: [domain]\n")
	if err := os.WriteFile(filepath.Join(gate, "engram.yml"), manifest, 0o644); err != nil {
		t.Fatal(err)
	}
	git("-C", gate, "commit", "-qam", "review the domain")
	git("-C", clone, "worktree", "remove", gate)
	compareFields(t, clone, []jsonStep{
		{"propose", "", []string{"commit", "The gateway listens on port 9443.", "--key", "domain/infra/b", "--scope", "infra"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "", 1)},
	})
	r := runHere("", "--repo", clone, "--json", "review")
	got := fieldsOf(t, "review", r.stdout)
	for _, want := range strings.Fields(tips + "branch proposed_revision may_accept damaged " + prefixed("proposals[].",
		"key version change fact.claim replaces proposed_by proposed_at clashes[].severity clashes[].fact.key")) {
		if !slices.Contains(got, want) {
			t.Errorf("review: the field %s is missing among %v", want, got)
		}
	}
	decided := tips + "left decided[].key decided[].fact_id decided[].claim"
	compareFields(t, clone, []jsonStep{
		{"accept", "", []string{"review", "accept", "domain/infra/b"}, 0, decided},
		{"propose again", "", []string{"commit", "A third.", "--key", "domain/infra/c"}, 0, strings.Replace(commitFields, "supersedes_fact_id", "", 1)},
		{"accept what was not shown", "", []string{"review", "accept", "domain/infra/c"}, 1,
			"schema_version error.code error.exit_code error.message error.hint"},
		{"accept all", "", []string{"review", "accept", "--all"}, 0, decided},
	})
}
