package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
	"engram/memory"
)

// org is a memory that others read, filled with facts of every reach.
func org(t testing.TB) bench {
	t.Helper()
	b := newMemory(t)
	for _, in := range []memory.CommitInput{
		{Claim: "Every service logs to stdout as JSON.", Key: "architecture/logging/format", Scope: "shared/logging", Reach: "org"},
		{Claim: "Releases are cut on Tuesdays by the platform team.", Key: "architecture/release/day", Scope: "shared", Reach: "global"},
		{Claim: "The salary ledger logs to a private bucket.", Key: "architecture/ledger/log", Scope: "shared/logging", Reach: "project"},
		{Claim: "This run logs to a scratch file.", Key: "tool/run/log", Scope: "shared/logging", Reach: "run"},
		{Claim: "The warehouse logs to its own cluster.", Key: "architecture/warehouse/log", Scope: "warehouse", Reach: "org"},
		{Claim: "Today everything logs to the canary.", Key: "tool/canary/log", Scope: "shared/logging", Reach: "org", Durability: "ephemeral"},
	} {
		b.commit(in)
	}
	return b
}

// private are words of claims that no other repository is to see.
var private = []string{"salary", "scratch", "warehouse", "canary"}

func (b bench) addSource(name, url string, scopes ...string) memory.SourceResult {
	b.t.Helper()
	r, err := b.AddSource(b.t.Context(), memory.SourceInput{Name: name, URL: url, Scopes: scopes})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bench) fetch() memory.SourceFetch {
	b.t.Helper()
	r, err := b.FetchSources(b.t.Context(), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Sources[0]
}

func project(t testing.TB, from bench) bench {
	t.Helper()
	b := newMemory(t)
	b.addSource("org", from.dir, "shared/*")
	return b
}

func origins(r memory.QueryResult) (list []string) {
	for _, h := range r.Results {
		list = append(list, h.Origin+":"+h.Key.String())
	}
	return list
}

func TestSourcesAnswerBesideOurs(t *testing.T) {
	theirs := org(t)
	b := project(t, theirs)
	b.commit(memory.CommitInput{Claim: "The gateway logs to stdout.", Scope: "gateway", Key: "domain/gateway/log"})
	r := b.query(memory.QueryInput{Question: "where do services log to, stdout as JSON?"})
	if got, want := origins(r), []string{"org:architecture/logging/format", ":domain/gateway/log"}; !cmp.Equal(got, want) {
		t.Errorf("results %v, want %v", got, want)
	}
	if len(r.Sources) != 1 || r.Sources[0].Facts != 2 || r.Sources[0].Revision != theirs.tip() || r.Sources[0].Fetched == nil {
		t.Errorf("sources %+v", r.Sources)
	}
	for name, want := range map[string][]string{
		"none": {":domain/gateway/log"}, "ours": {":domain/gateway/log"}, "org": {"org:architecture/logging/format"},
	} {
		r := b.query(memory.QueryInput{Question: "where do services log to, stdout as JSON?", Origins: []string{name}})
		if got := origins(r); !cmp.Equal(got, want) {
			t.Errorf("of %s: %v, want %v", name, got, want)
		}
	}
	if _, err := b.Query(t.Context(), memory.QueryInput{Question: "log", Origins: []string{"nowhere"}}); !errors.Is(err, gitstore.ErrNoSource) {
		t.Errorf("an unknown source: %v", err)
	}
}

// TestNothingPrivateLeaks asks in every way there is for facts of a source that
// are not meant for other repositories.
func TestNothingPrivateLeaks(t *testing.T) {
	theirs := org(t)
	// One that was meant for others once, and is not any more.
	theirs.commit(memory.CommitInput{Claim: "The vault logs to the salary auditor.", Key: "architecture/vault/log", Scope: "shared/logging", Reach: "org"})
	theirs.commit(memory.CommitInput{Claim: "The vault logs to the salary auditor of old.", Key: "architecture/vault/log", Reach: "project"})
	theirs.commit(memory.CommitInput{Claim: "The mint logs to the salary printer.", Key: "architecture/mint/log", Scope: "shared/logging", Reach: "org"})
	if _, err := theirs.Retire(t.Context(), "architecture/mint/log", "wrong", ""); err != nil {
		t.Fatal(err)
	}
	b := project(t, theirs)
	keys := []string{"architecture/ledger/log", "tool/run/log", "architecture/warehouse/log", "tool/canary/log", "architecture/vault/log", "architecture/mint/log", "architecture/no/such"}
	var whyNot []string
	for _, k := range keys {
		whyNot = append(whyNot, "org:"+k, k)
	}
	clean := func(what string, answer any) {
		t.Helper()
		text := fmt.Sprintf("%+v", answer)
		for _, word := range private {
			if strings.Contains(text, word+" ") {
				t.Errorf("%s has %q: %s", what, word, text)
			}
		}
	}
	ask := memory.QueryInput{Question: "salary ledger scratch file warehouse canary vault mint log to everything", Limit: 50, Ephemeral: true, Explain: true, Budget: 1 << 20}
	for name, change := range map[string]func(*memory.QueryInput){
		"query":            func(*memory.QueryInput) {},
		"query of a scope": func(in *memory.QueryInput) { in.Scope = "warehouse" },
		"query of a reach": func(in *memory.QueryInput) { in.Reach = "project" },
		"query of keys":    func(in *memory.QueryInput) { in.KeyPrefix = "architecture" },
		"query of risks":   func(in *memory.QueryInput) { in.KeyPrefix = "risk/conflict" },
		"as of":            func(in *memory.QueryInput) { in.AsOf = theirs.clock.now },
		"known at":         func(in *memory.QueryInput) { in.KnownAtRevision = b.tip() },
		"one source":       func(in *memory.QueryInput) { in.Origins = []string{"org"} },
	} {
		in := ask
		change(&in)
		clean(name, b.query(in).Results)
	}
	for _, absence := range b.query(memory.QueryInput{Question: ask.Question, WhyNot: whyNot, Explain: true}).WhyNot {
		if strings.HasPrefix(absence.Key, "org:") && absence.Reason != "org has no fact at that key that this repository may see" {
			t.Errorf("why not %s: %+v", absence.Key, absence)
		}
	}
	for _, key := range keys {
		_, err := b.Get(t.Context(), memory.GetInput{Key: "org:" + key})
		if !errors.Is(err, memory.ErrNotFound) || err.Error() != memory.ErrNotFound.Error()+": org has none at "+key+" that this repository may see" {
			t.Errorf("get %s: %v", key, err)
		}
	}
	for _, in := range []memory.GetInput{{Key: "org:" + keys[4], AsOf: theirs.clock.now}, {Key: keys[4], Origin: "org", KnownAtRevision: theirs.tip()}} {
		if _, err := b.Get(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("get of the past: %v", err)
		}
	}
	list, err := b.List(t.Context(), memory.ListInput{Origin: "org"})
	if err != nil || len(list.Facts) != 2 {
		t.Errorf("list: %d facts, %v", len(list.Facts), err)
	}
	clean("list", list.Facts)
	if _, err := b.List(t.Context(), memory.ListInput{Origin: "org", All: true}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("list of all: %v", err)
	}
	b.commit(memory.CommitInput{Claim: "The salary ledger logs to a public bucket.", Scope: "ledger"})
	audit, err := b.Audit(t.Context(), memory.AuditInput{})
	if err != nil || len(audit.Foreign) != 0 {
		t.Errorf("audit: %+v, %v", audit.Foreign, err)
	}
	// And nothing of it gets into ours.
	ours, err := b.List(t.Context(), memory.ListInput{All: true})
	if err != nil || len(ours.Facts) != 1 {
		t.Errorf("ours has %d facts, %v", len(ours.Facts), err)
	}
}

func TestOursIsShownOnce(t *testing.T) {
	theirs := org(t)
	b := project(t, theirs)
	// The same key and scope, with another claim; the same claim at another key.
	b.commit(memory.CommitInput{Claim: "Every service here logs to stdout as text.", Key: "architecture/logging/format", Scope: "shared/logging"})
	b.commit(memory.CommitInput{Claim: "releases are cut on  Tuesdays by the platform team.", Key: "domain/release/when", Scope: "release"})
	r := b.query(memory.QueryInput{Question: "releases cut on Tuesdays, service logs to stdout", WhyNot: []string{"org:architecture/logging/format"}})
	got := origins(r)
	slices.Sort(got)
	if want := []string{":architecture/logging/format", ":domain/release/when"}; !cmp.Equal(got, want) {
		t.Errorf("results %v, want %v", got, want)
	}
	if !strings.Contains(r.WhyNot[0].Reason, "says the same") {
		t.Errorf("why not: %+v", r.WhyNot)
	}
	// Two sources that say the same.
	b.addSource("second", theirs.dir)
	r = b.query(memory.QueryInput{Question: "logs to stdout as JSON", Origins: []string{"org", "second"}})
	if got, want := origins(r)[0], "org:architecture/logging/format"; got != want || len(r.Results) != len(slices.Compact(slices.Sorted(slices.Values(claims(r))))) {
		t.Errorf("results %v", origins(r))
	}
	if !slices.Contains(origins(r), "second:architecture/warehouse/log") {
		t.Errorf("a source without scopes shows all that is for others: %v", origins(r))
	}
}

func claims(r memory.QueryResult) (list []string) {
	for _, h := range r.Results {
		list = append(list, h.Claim)
	}
	return list
}

// TestFetchIsIncremental counts the objects that a fetch brings.
func TestFetchIsIncremental(t *testing.T) {
	theirs := newMemory(t)
	var ins []memory.CommitInput
	for i := range 200 {
		ins = append(ins, memory.CommitInput{Claim: fmt.Sprintf("Rule %d holds for every team.", i), Key: fmt.Sprintf("architecture/rules/r%d", i), Scope: "shared", Reach: "org"})
	}
	if _, err := theirs.CommitAll(t.Context(), ins); err != nil {
		t.Fatal(err)
	}
	b := newMemory(t)
	if r := b.addSource("org", theirs.dir); r.Source.Facts != 200 {
		t.Fatalf("%+v", r)
	}
	before := objects(t, b.dir)
	if f := b.fetch(); f.Changed != 0 || f.Before != f.Revision || objects(t, b.dir) != before {
		t.Errorf("a fetch of nothing: %+v, %d objects", f, objects(t, b.dir)-before)
	}
	theirs.commit(memory.CommitInput{Claim: "Rule 7 holds for no team.", Key: "architecture/rules/r7"})
	theirs.commit(memory.CommitInput{Claim: "Nobody else needs this.", Key: "domain/own/x"})
	f := b.fetch()
	// Two commits; of each the root, two folders and the fact, and what git sent
	// a part of as a difference from.
	if got := objects(t, b.dir) - before; f.Changed != 1 || got > 16 || got < 4 {
		t.Errorf("a fetch of two facts brought %d objects: %+v", got, f)
	}
	if r := b.query(memory.QueryInput{Question: "rule 7 for no team"}); r.Results[0].Claim != "Rule 7 holds for no team." {
		t.Errorf("%v", claims(r))
	}
}

func objects(t testing.TB, dir string) (n int) {
	t.Helper()
	for line := range strings.Lines(gitIn(t, dir, "count-objects", "-v")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "count" || name == "in-pack" {
			count, _ := strconv.Atoi(value)
			n += count
		}
	}
	return n
}

func TestSourceByInsteadOf(t *testing.T) {
	theirs := org(t)
	b := newMemory(t)
	gitIn(t, b.dir, "config", "url."+filepath.Dir(theirs.dir)+"/.insteadOf", "work:")
	b.addSource("org", "work:"+filepath.Base(theirs.dir), "shared")
	if r := b.query(memory.QueryInput{Question: "logs to stdout"}); len(r.Results) == 0 || r.Results[0].Origin != "org" {
		t.Errorf("%+v", r)
	}
	// An address that the configuration makes a program of, later.
	gitIn(t, b.dir, "config", "url.ext::touch owned .insteadOf", "work:")
	gitIn(t, b.dir, "config", "--unset-all", "url."+filepath.Dir(theirs.dir)+"/.insteadOf")
	if _, err := b.FetchSources(t.Context(), nil); !errors.Is(err, gitstore.ErrAddress) {
		t.Errorf("an address that runs a program: %v", err)
	}
	if matches, _ := filepath.Glob(filepath.Join(b.dir, "*owned*")); len(matches) > 0 {
		t.Error("it ran")
	}
}

func TestHostileSources(t *testing.T) {
	theirs := org(t)
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "The gateway logs to stdout.", Scope: "gateway", Key: "domain/gateway/log"})
	linked := filepath.Join(t.TempDir(), "linked")
	gitIn(t, b.dir, "worktree", "add", "-q", "-b", "elsewhere", linked)
	before := gitIn(t, b.dir, "for-each-ref") + gitIn(t, b.dir, "config", "--list", "--local")
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, b.dir, "clone", "-q", "--bare", b.dir, clone)
	for _, c := range []struct {
		name, url string
		want      error
		scopes    []string
		branch    string
	}{
		{"org", "", gitstore.ErrAddress, nil, ""},
		{"org", "--upload-pack=touch x", gitstore.ErrAddress, nil, ""},
		{"org", "ext::sh -c true", gitstore.ErrAddress, nil, ""},
		{"org", "fd::3", gitstore.ErrAddress, nil, ""},
		{"org", "foo://host/x", gitstore.ErrAddress, nil, ""},
		{"org", "https://host/\nx", gitstore.ErrAddress, nil, ""},
		{"org", strings.Repeat("x", 3000), gitstore.ErrAddress, nil, ""},
		{"org", b.dir, gitstore.ErrOurs, nil, ""},
		{"org", "file://" + b.dir, gitstore.ErrOurs, nil, ""},
		{"org", linked, gitstore.ErrOurs, nil, ""},
		{"org", clone, gitstore.ErrOurs, nil, ""},
		{"", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"none", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"ours", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"Org", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"a..b", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"../x", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"-x", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"x.lock", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"a]\n[core", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"con", theirs.dir, gitstore.ErrSourceName, nil, ""},
		{strings.Repeat("a", 41), theirs.dir, gitstore.ErrSourceName, nil, ""},
		{"org", theirs.dir, gitstore.ErrScope, []string{"sha*red"}, ""},
		{"org", theirs.dir, gitstore.ErrScope, []string{""}, ""},
		{"org", theirs.dir, gitstore.ErrScope, []string{"../x"}, ""},
		{"org", theirs.dir, gitstore.ErrNoBranch, nil, "nowhere"},
		{"org", theirs.dir, gitstore.ErrBranchName, nil, "a..b"},
		{"org", theirs.dir, memory.ErrNotMemory, nil, "main"},
		{"org", filepath.Join(theirs.dir, "nowhere"), gitstore.ErrUnreachable, nil, ""},
		{"org", "file:///nowhere/at/all", gitstore.ErrUnreachable, nil, ""},
	} {
		_, err := b.AddSource(t.Context(), memory.SourceInput{Name: c.name, URL: c.url, Scopes: c.scopes, Branch: c.branch})
		if !errors.Is(err, c.want) {
			t.Errorf("%.60q %.60q %v %q: %v, want %v", c.name, c.url, c.scopes, c.branch, err, c.want)
		}
		if code, _ := memory.Classify(err); code == memory.CodeFailure {
			t.Errorf("%v has no code", err)
		}
	}
	if after := gitIn(t, b.dir, "for-each-ref") + gitIn(t, b.dir, "config", "--list", "--local"); after != before {
		t.Errorf("something was left behind:\n%s", after)
	}
	// One that somebody wrote into the configuration by hand.
	gitIn(t, b.dir, "config", "engram-source.../../x.url", theirs.dir)
	gitIn(t, b.dir, "config", "engram-source.bad.url", "ext::sh -c 'touch owned'")
	r := b.query(memory.QueryInput{Question: "log"})
	if len(r.Sources) != 2 || len(r.Notes) != 2 {
		t.Errorf("sources %+v, notes %v", r.Sources, r.Notes)
	}
	if list, err := b.Sources(t.Context()); err != nil || list.Sources[0].Problem == "" || list.Sources[1].Problem == "" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := b.FetchSources(t.Context(), []string{"bad"}); !errors.Is(err, gitstore.ErrAddress) {
		t.Errorf("fetch: %v", err)
	}
	for _, name := range []string{"bad", "../../x"} {
		if _, err := b.RemoveSource(t.Context(), name); err != nil {
			t.Errorf("rm %s: %v", name, err)
		}
	}
}

// TestSourceGoesAway: what was fetched answers as long as it is there.
func TestSourceGoesAway(t *testing.T) {
	theirs := org(t)
	b := project(t, theirs)
	away := theirs.dir + ".away"
	if err := os.Rename(theirs.dir, away); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Rename(away, theirs.dir) }()
	if _, err := b.FetchSources(t.Context(), nil); !errors.Is(err, gitstore.ErrUnreachable) {
		t.Errorf("fetch: %v", err)
	}
	if r := b.query(memory.QueryInput{Question: "logs to stdout"}); len(r.Results) != 1 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
	// The derived state goes, and comes back; the source does not depend on it.
	if err := os.RemoveAll(filepath.Join(b.dir, ".git", "engram")); err != nil {
		t.Fatal(err)
	}
	r := b.query(memory.QueryInput{Question: "logs to stdout"})
	if len(r.Results) != 1 || r.Sources[0].Fetched != nil {
		t.Errorf("%+v", r)
	}
	gitIn(t, b.dir, "update-ref", "-d", "refs/engram/sources/org")
	r = b.query(memory.QueryInput{Question: "logs to stdout"})
	if len(r.Results) != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "engram source fetch org") {
		t.Errorf("%+v", r)
	}
	if d, err := b.Doctor(t.Context(), memory.DoctorInput{}); err != nil || d.Healthy {
		t.Errorf("doctor: %+v, %v", d, err)
	}
	if _, err := b.RemoveSource(t.Context(), "org"); err != nil {
		t.Fatal(err)
	}
	if r := b.query(memory.QueryInput{Question: "logs to stdout"}); r.Sources != nil || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(b.dir, ".git", "engram", "sources", "org")); !os.IsNotExist(err) {
		t.Errorf("derived state is left: %v", err)
	}
}

// TestSourceIsRewritten: what was purged there is in no answer here.
func TestSourceIsRewritten(t *testing.T) {
	theirs := org(t)
	begin := theirs.tip()
	theirs.commit(memory.CommitInput{Claim: "The emergency number is 555.", Scope: "shared", Key: "domain/ops/number", Reach: "org"})
	b := project(t, theirs)
	if r := b.query(memory.QueryInput{Question: "emergency number"}); len(r.Results) != 1 {
		t.Fatalf("%+v", r)
	}
	gitIn(t, theirs.dir, "update-ref", "refs/heads/engram", begin)
	theirs.commit(memory.CommitInput{Claim: "Builds are hermetic.", Scope: "shared", Key: "domain/ops/build", Reach: "org"})
	f := b.fetch()
	if !f.Rewritten || f.Changed != 2 {
		t.Errorf("%+v", f)
	}
	r := b.query(memory.QueryInput{Question: "emergency number, hermetic builds"})
	if got := claims(r); !cmp.Equal(got, []string{"Builds are hermetic."}) {
		t.Errorf("%v", got)
	}
}

func TestMalformedSource(t *testing.T) {
	theirs := org(t)
	theirs.place("architecture/bad/file.yml", "key: [")
	theirs.place("architecture/bad/huge.yml", strings.Repeat("# big\n", 20_000))
	b := project(t, theirs)
	if r := b.query(memory.QueryInput{Question: "logs to stdout"}); len(r.Results) != 1 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
	theirs.commit(memory.CommitInput{Claim: "The gateway listens on port 8443.", Key: "architecture/gateway/port", Scope: "shared", Reach: "org"})
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/gateway/port"})
	b.fetch()
	if a, err := b.Audit(t.Context(), memory.AuditInput{}); err != nil || len(a.Foreign) != 1 || len(a.Notes) != 0 {
		t.Errorf("audit: %+v, %v", a, err)
	}
	theirs.place("engram.yml", "format: 99\n")
	if _, err := b.FetchSources(t.Context(), nil); !errors.Is(err, memory.ErrNotMemory) {
		t.Errorf("fetch of a later format: %v", err)
	}
	r := b.query(memory.QueryInput{Question: "logs to stdout"})
	if len(r.Results) != 0 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "format 99") {
		t.Errorf("%+v", r)
	}
}

// TestTwoQuestionsBuildTheIndexOfASource at once.
func TestTwoQuestionsBuildTheIndexOfASource(t *testing.T) {
	theirs := org(t)
	b := project(t, theirs)
	if err := os.RemoveAll(filepath.Join(b.dir, ".git", "engram")); err != nil {
		t.Fatal(err)
	}
	second := openMemory(t, b.dir)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m := []bench{b, second}[i%2]
			r, err := m.Query(t.Context(), memory.QueryInput{Question: "logs to stdout"})
			if err != nil || len(r.Results) != 1 || len(r.Notes) != 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	wg.Wait()
}

func TestSourcesAreAuditedAgainstOurs(t *testing.T) {
	theirs := newMemory(t)
	theirs.commit(memory.CommitInput{Claim: "The gateway listens on port 8443.", Key: "architecture/gateway/port", Scope: "shared/gateway", Reach: "org"})
	b := project(t, theirs)
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/gateway/port", Scope: "gateway"})
	tip := b.tip()
	foreign := func() []string {
		t.Helper()
		r, err := b.Audit(t.Context(), memory.AuditInput{})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, f := range r.Foreign {
			list = append(list, f.Origin+": "+f.Ours.Claim+" / "+f.Theirs.Claim)
		}
		return list
	}
	want := []string{"org: The gateway listens on port 9443. / The gateway listens on port 8443."}
	for range 2 { // found, and remembered
		if got := foreign(); !cmp.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if b.tip() != tip {
		t.Error("the audit wrote to the branch")
	}
	c, err := b.Check(t.Context(), memory.CheckInput{})
	if err != nil || !c.Clean || len(c.Foreign) != 1 {
		t.Errorf("check: %+v, %v", c, err)
	}
	// Ours changes to agree, then back; theirs stands all the time.
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 8443.", Key: "domain/gateway/port"})
	if got := foreign(); len(got) != 0 {
		t.Errorf("after ours agreed: %v", got)
	}
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/gateway/port"})
	if got := foreign(); !cmp.Equal(got, want) {
		t.Errorf("after ours changed back: %v", got)
	}
	theirs.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "architecture/gateway/port"})
	b.fetch()
	if got := foreign(); len(got) != 0 {
		t.Errorf("after theirs agreed: %v", got)
	}
}

func TestSourceWithModel(t *testing.T) {
	theirs := org(t)
	dir := project(t, theirs).dir
	b := openWith(t, dir, tinyModel(t, "logs stdout", "releases tuesdays"))
	r := b.query(memory.QueryInput{Question: "logs to stdout"})
	if r.Sources[0].Mode != memory.ModeHybrid || r.Sources[0].PendingVectors != 0 || len(r.Results) == 0 {
		t.Errorf("%+v %v", r.Sources, r.Notes)
	}
}
