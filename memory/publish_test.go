package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
	"engram/memory"
)

// bareOrg is an org memory in a bare repository that projects push to, and a work
// repository of its own.
func bareOrg(t testing.TB) (url string, own bench) {
	t.Helper()
	own = org(t)
	url = filepath.Join(t.TempDir(), "org.git")
	gitIn(t, own.dir, "clone", "-q", "--bare", own.dir, url)
	gitIn(t, own.dir, "remote", "add", "origin", url)
	return url, own
}

func publisher(t testing.TB, url string) bench {
	t.Helper()
	b := newMemory(t)
	b.addSource("org", url, "shared/*")
	for _, in := range []memory.CommitInput{
		{Claim: "Retries back off with jitter.", Key: "architecture/retry/backoff", Scope: "shared/retry", Reach: "org", Agent: "claude", Evidence: "retry.go:7"},
		{Claim: "Retries stop after five attempts.", Key: "architecture/retry/most", Scope: "shared/retry", Reach: "global"},
		{Claim: "Our retries hide a bug of the warehouse.", Key: "domain/retry/bug", Scope: "shared/retry"},
		{Claim: "Payments retry by hand.", Key: "domain/payments/retry", Scope: "payments", Reach: "org"},
	} {
		b.commit(in)
	}
	return b
}

func (b bench) publish(in memory.PublishInput) memory.PublishResult {
	b.t.Helper()
	r, err := b.Publish(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func actions(r memory.PublishResult) map[string]string {
	list := make(map[string]string)
	for _, item := range r.Items {
		list[item.Key.String()] = item.Action
	}
	return list
}

func TestPublish(t *testing.T) {
	url, own := bareOrg(t)
	b := publisher(t, url)
	before := gitIn(t, url, "rev-parse", "engram")
	in := memory.PublishInput{To: "org", Scopes: []string{"shared/*"}}
	preview := b.publish(in)
	want := map[string]string{"architecture/retry/backoff": "add", "architecture/retry/most": "add"}
	if got := actions(preview); !cmp.Equal(got, want) || preview.Applied || gitIn(t, url, "rev-parse", "engram") != before {
		t.Fatalf("preview: %v, applied %v", got, preview.Applied)
	}
	in.Apply = true
	done := b.publish(in)
	if !done.Applied || done.Writes != 2 || done.There != gitIn(t, url, "rev-parse", "engram") || gitIn(t, url, "rev-parse", "engram^") != before {
		t.Fatalf("%+v", done)
	}
	gitIn(t, url, "fsck", "--strict")
	gitIn(t, own.dir, "fetch", "-q", "origin", "+engram:engram")
	mine, theirs := b.get("architecture/retry/backoff"), own.get("architecture/retry/backoff")
	if diff := cmp.Diff(mine, theirs); diff != "" {
		t.Errorf("what stands there differs:\n%s", diff)
	}
	if files := gitIn(t, url, "ls-tree", "-r", "--name-only", "engram"); strings.Contains(files, "domain/") {
		t.Errorf("more was published:\n%s", files)
	}
	if message := gitIn(t, url, "log", "-1", "--format=%B", "engram"); strings.Contains(message, b.dir) || !strings.HasPrefix(message, "publish 2 facts") {
		t.Errorf("message %q", message)
	}
	// Again there is nothing to do; a new version and an end go the same way.
	if again := b.publish(in); again.Applied || again.Present != 2 {
		t.Errorf("again: %+v", again)
	}
	b.commit(memory.CommitInput{Claim: "Retries back off with full jitter.", Key: "architecture/retry/backoff"})
	if _, err := b.Retire(t.Context(), "architecture/retry/most", "no limit", ""); err != nil {
		t.Fatal(err)
	}
	if got, want := actions(b.publish(in)), (map[string]string{"architecture/retry/backoff": "update", "architecture/retry/most": "retire"}); !cmp.Equal(got, want) {
		t.Errorf("%v", got)
	}
	// What was published is not found twice.
	r := b.query(memory.QueryInput{Question: "retries back off with full jitter"})
	if got := origins(r); len(got) == 0 || got[0] != ":architecture/retry/backoff" || strings.Contains(strings.Join(got, " "), "org:architecture/retry") {
		t.Errorf("%v", got)
	}
	// What they changed is newer.
	gitIn(t, own.dir, "fetch", "-q", "origin", "+engram:engram")
	own.clock.now = b.clock.now
	own.commit(memory.CommitInput{Claim: "Retries back off at most a minute.", Key: "architecture/retry/backoff"})
	gitIn(t, own.dir, "push", "-q", "origin", "engram")
	if got := actions(b.publish(memory.PublishInput{To: "org", Keys: []string{"architecture/retry/backoff"}})); got["architecture/retry/backoff"] != "present" {
		t.Errorf("%v", got)
	}
}

func TestPublishRefuses(t *testing.T) {
	url, own := bareOrg(t)
	own.place("engram.yml", "format: 1\npermissions:\n  - agent: rogue\n    scope: shared\n    write: false\nreview:\n  namespaces: [sdd]\n")
	gitIn(t, own.dir, "push", "-q", "origin", "engram")
	b := publisher(t, url)
	b.place("engram.yml", "format: 1\nnamespaces: [infra]\n")
	b.commit(memory.CommitInput{Claim: "Clusters are named after birds.", Key: "infra/cluster/names", Scope: "shared", Reach: "org"})
	b.commit(memory.CommitInput{Claim: "Plans are reviewed.", Key: "sdd/plan/review", Scope: "shared", Reach: "org"})
	b.commit(memory.CommitInput{Claim: "Services log as text.", Key: "architecture/logging/format", Scope: "shared", Reach: "org"})
	b.commit(memory.CommitInput{Claim: "A scratch port is taken.", Key: "tool/scratch/port", Scope: "shared", Reach: "org", Durability: "ephemeral"})
	before := gitIn(t, url, "for-each-ref")
	for name, c := range map[string]struct {
		in   memory.PublishInput
		want string
	}{
		"project":     {memory.PublishInput{Keys: []string{"domain/retry/bug"}}, "its reach is project"},
		"ephemeral":   {memory.PublishInput{Keys: []string{"tool/scratch/port"}}, "not for good"},
		"namespace":   {memory.PublishInput{Keys: []string{"infra/cluster/names"}}, `namespace "infra"`},
		"review":      {memory.PublishInput{Keys: []string{"sdd/plan/review"}}, "reviews such facts"},
		"another":     {memory.PublishInput{Keys: []string{"architecture/logging/format"}}, "another fact stands at that key"},
		"permission":  {memory.PublishInput{Keys: []string{"architecture/retry/most"}, Agent: "rogue"}, "does not let rogue write"},
		"one of many": {memory.PublishInput{Scopes: []string{"shared"}}, "infra/cluster/names"},
	} {
		c.in.To, c.in.Apply = "org", true
		_, err := b.Publish(t.Context(), c.in)
		if !errors.Is(err, memory.ErrNotPublished) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := gitIn(t, url, "for-each-ref"); after != before {
		t.Errorf("something was published:\n%s", after)
	}
	r := b.publish(memory.PublishInput{To: "org", Scopes: []string{"shared"}, Apply: true, SkipRefused: true})
	if !r.Applied || r.Writes != 2 || r.Refused != 3 {
		t.Errorf("%+v", r)
	}
	for _, in := range []memory.PublishInput{{To: "org"}, {To: "nowhere", Scopes: []string{"shared"}}, {To: "org", Scopes: []string{"a b"}}, {To: "org", Keys: []string{"no key"}}} {
		if _, err := b.Publish(t.Context(), in); err == nil {
			t.Errorf("%+v: done", in)
		}
	}
	// A secret that somebody brought with plain git.
	b.place("architecture/retry/token.yml", "key: architecture/retry/token\nid: 01ARZ3NDEKTSV4RRFFQ9999999\nlineage: 01ARZ3NDEKTSV4RRFFQ9999999\nclaim: The token is "+marker+" today.\nscope: shared\nreach: org\nvalid_from: 2026-04-30T12:00:00Z\n")
	if _, err := b.Publish(t.Context(), memory.PublishInput{To: "org", Keys: []string{"architecture/retry/token"}, Apply: true}); err == nil || strings.Contains(err.Error(), marker) || !strings.Contains(err.Error(), "secret") {
		t.Errorf("a secret: %v", err)
	}
}

// TestPublishLosesARace: others push between our fetch and our push, once.
func TestPublishLosesARace(t *testing.T) {
	url, own := bareOrg(t)
	b := publisher(t, url)
	own.commit(memory.CommitInput{Claim: "Somebody else was faster.", Key: "domain/race/won", Scope: "shared", Reach: "org"})
	// The hook stands for the colleague: before it lets the first push in, the branch has moved.
	flag := filepath.Join(t.TempDir(), "once")
	hook := "#!/bin/sh\n[ -e '" + flag + "' ] && exit 0\ntouch '" + flag + "'\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\ngit fetch -q '" + own.dir + "' engram:refs/heads/engram\n"
	if err := os.WriteFile(filepath.Join(url, "hooks", "pre-receive"), []byte(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	r := b.publish(memory.PublishInput{To: "org", Keys: []string{"architecture/retry/most"}, Apply: true})
	if !r.Applied || r.Attempts != 2 {
		t.Fatalf("%+v", r)
	}
	files := gitIn(t, url, "ls-tree", "-r", "--name-only", "engram")
	if !strings.Contains(files, "domain/race/won.yml") || !strings.Contains(files, "architecture/retry/most.yml") {
		t.Errorf("a write was lost:\n%s", files)
	}
}

func TestPublishIsRefusedThere(t *testing.T) {
	url, _ := bareOrg(t)
	b := publisher(t, url)
	if err := os.WriteFile(filepath.Join(url, "hooks", "pre-receive"), []byte("#!/bin/sh\necho only on Fridays >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := b.Publish(t.Context(), memory.PublishInput{To: "org", Scopes: []string{"shared"}, Apply: true})
	if code, _ := memory.Classify(err); !errors.Is(err, gitstore.ErrRefused) || !strings.Contains(err.Error(), "Fridays") || code != memory.CodeRefused {
		t.Errorf("%v is %s", err, code)
	}
}
