package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The fields of a whole fact and of one found, typed by hand: they are a
// contract, and a rename in package memory has to fail here.
const (
	factFields = `key fact_id lineage_id claim detail scope kind fact_type reach confidence tags[] pointers[].ref pointers[].freshness
		agent_id engineer source evidence committed_at age valid_from valid_until ttl durability memory_op
		supersedes_fact_id state verified freshness has_open_conflict`
	hitFields = `key fact_id claim scope kind fact_type score confidence agent_id committed_at age valid_from valid_until
		verified freshness has_open_conflict trust corroborated_by`
	// boundFields are those of a fact that states nothing but a claim and a branch.
	boundFields = `key fact_id lineage_id claim scope kind fact_type reach confidence agent_id engineer committed_at age
		valid_from valid_until durability memory_op state verified freshness has_open_conflict branch for`
	turnFields   = "repo_spans artifact_sections sam_items tokens"
	grantFields  = "id parent child purpose pointer cap uses issued expires"
	commitFields = `schema_version revision fact_id key lineage_id committed_at duplicate memory_op proposed supersedes_fact_id
		conflicts_detected`
)

// TestJSONFields compares the fields of each command's object with the list
// that scripts rely on.
func TestJSONFields(t *testing.T) {
	repo := testRepo(t)
	broken := t.TempDir()
	all := []string{"--key", "domain/auth/session", "--detail", "d", "--scope", "auth", "--kind", "policy", "--type", "decision",
		"--reach", "org", "--confidence", "0.5", "--tag", "t", "--pointer", "repo:a.go#L1", "--agent", "a", "--source", "tool", "--evidence", "e",
		"--ttl", "P900Y", "--durability", "durable"}
	compareFields(t, repo, []jsonStep{
		{"init", "", []string{"init"}, 0, "schema_version revision branch created anonymous_mode anon_agents footprint[].what footprint[].where footprint[].remove"},
		{"commit before", "", []string{"commit", "Sessions live 30 minutes.", "--key", "domain/auth/session"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "", 1)},
		{"commit", "", append([]string{"commit", "Sessions live 15 minutes."}, all...), 0, commitFields + " warnings[]"},
		{"deref", "", []string{"deref", "domain/auth/session", "--digest", "sha256:00000000"}, 1,
			"schema_version revision pointer.type pointer.ref pointer.digest excerpt content_digest tokens truncated limited_by matches"},
		{"query", "", []string{"query", "sessions"}, 0,
			"schema_version revision mode model pending_vectors pending matched omitted withheld tokens " + prefixed("results[].", hitFields)},
		{"query explained", "", []string{"query", "sessions", "--explain", "--why-not", "domain/auth/other"}, 0,
			"schema_version revision mode model pending_vectors pending matched omitted withheld tokens " + prefixed("results[].", hitFields+` explanation.factor
			explanation.signals[].signal explanation.signals[].rank explanation.signals[].score explanation.signals[].shared[]
			explanation.parts[].name explanation.parts[].value explanation.parts[].weight explanation.parts[].points`) +
				" why_not[].key why_not[].reason"},
		{"query of the past", "", []string{"query", "sessions", "--known-at", "engram"}, 0,
			"schema_version revision known_at_revision mode model pending_vectors pending matched omitted withheld tokens " + prefixed("results[].", hitFields)},
		{"commit ephemeral", "", []string{"commit", "A port is taken.", "--key", "tool/ci/port", "--durability", "ephemeral"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "", 1)},
		{"promote", "", []string{"promote", "tool/ci/port"}, 0, commitFields},
		{"retire the promoted", "", []string{"retire", "tool/ci/port"}, 0, commitFields},
		{"commit on a branch", "", []string{"commit", "Port 8080 is taken.", "--key", "tool/ci/taken", "--branch=topic"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "branch for warnings[]", 1)},
		{"query on a branch", "", []string{"query", "8080", "--branch=topic"}, 0,
			"schema_version revision mode model pending_vectors pending matched omitted withheld tokens " + prefixed("results[].", hitFields+" branch for")},
		{"get on a branch", "", []string{"get", "tool/ci/taken", "--branch=topic"}, 0, "schema_version revision " + prefixed("fact.", boundFields)},
		{"settle", "", []string{"promote", "--settle"}, 0,
			"schema_version revision trunk waiting[].branch waiting[].keys[] waiting[].reason waiting[].undecided"},
		{"promote a branch", "", []string{"promote", "--branch=topic"}, 0,
			"schema_version revision trunk " + prefixed("promoted[].", "branch bound_key key claim fact_id rival")},
		{"retire what was bound", "", []string{"retire", "tool/ci/taken"}, 0, commitFields},
		{"watch", "", []string{"watch", "--once"}, 0,
			"schema_version revision arrived indexed embedded pending_vectors model audited opened closed sent took_seconds left_seconds"},
		{"serve, a token", "", []string{"serve", "--new-token"}, 0, "schema_version token"},
		{"model list", "", []string{"model", "list"}, 0, "schema_version cache_dir in_use in_use_dir " + prefixed("models[].",
			"name kind task dimensions bytes fetched_bytes installed in_use licence note repository revision dir")},
		{"model verify", "", []string{"model", "verify"}, 0, "schema_version intact"},
		{"get", "", []string{"get", "domain/auth/session"}, 0, "schema_version revision " + prefixed("fact.", factFields)},
		{"list", "", []string{"list"}, 0, "schema_version revision omitted withheld damaged " + prefixed("facts[].", factFields)},
		{"verify", "", []string{"verify", "domain/auth/session"}, 1, `schema_version revision commit work_tree facts pointers
			counts.fresh counts.moved counts.drifted counts.missing counts.unchecked withheld
			checks[].key checks[].claim checks[].scope checks[].freshness checks[].pointers[].ref checks[].pointers[].freshness
			checks[].pointers[].reason`},
		{"verify --commit", "", []string{"verify", "--commit"}, 1, "schema_version revision"},
		{"why", "", []string{"why", "a.go:1"}, 0, "schema_version revision path first_line last_line more_sessions omitted withheld " +
			prefixed("facts[].", factFields+" pointer.ref pointer.freshness pointer.reason first_line last_line")},
		{"log", "", []string{"log", "domain/auth/session", "-n", "1"}, 0,
			`schema_version revision key withheld versions[].commit versions[].author versions[].date versions[].subject
			versions[].changes[].field versions[].changes[].from versions[].changes[].to ` + prefixed("versions[].fact.", factFields)},
		{"import", `{"claim":"One of two records, and valid."}` + "\nnot json\n", []string{"import", "-", "--skip-invalid"}, 0,
			"schema_version revision added updated retired duplicates proposed rejected[].line rejected[].problem"},
		{"export", "", []string{"export", "--output", repo + "/out.jsonl"}, 0, "schema_version revision facts withheld damaged"},
		{"lint", "", []string{"lint", "nowhere", "sdd/A/b"}, 1,
			"schema_version revision withheld checked canonical findings[].path findings[].severity findings[].field findings[].problem findings[].suggestion"},
		{"status", "", []string{"status"}, 0,
			"schema_version revision repository branch ready files last_commit last_change mode indexed_revision index_bytes pending model pending_vectors open_conflicts open_updates unaudited proposed remote unshared behind sessions live_sessions unindexed_sessions state_dir"},
		{"doctor", "", []string{"doctor", "--memory", "absent"}, 1,
			"schema_version revision healthy checks[].name checks[].ok checks[].problem checks[].hint checks[].fixable checks[].fixed"},
		{"hooks status", "", []string{"hooks", "status"}, 1, "schema_version folder merge_driver complete notes[] hooks[].name hooks[].state hooks[].path"},
		{"setup --print", "", []string{"setup", "claude-code", "--print"}, 0,
			"schema_version clients[] complete notes[] files[].client files[].what files[].state files[].path files[].content"},
		{"setup --check", "", []string{"setup", "claude-code", "--check"}, 1,
			"schema_version clients[] complete notes[] files[].client files[].what files[].state files[].path"},
		{"bus grant", "", []string{"bus", "grant", "repo:a.go@0a1b2c3", "--to", "coder", "--pass-on"}, 0,
			"schema_version revision budget_token notes[] " + prefixed("grant.", grantFields+" pass_on")},
		{"bus grants", "", []string{"bus", "grants"}, 0, "schema_version revision " + prefixed("grants[].", grantFields+" pass_on uses_left cap_left state")},
		{"bus turn", "", []string{"bus", "turn", "--agent", "coder"}, 0, "schema_version revision agent ends " +
			prefixed("used.", turnFields) + " " + prefixed("limits.", turnFields) + " " + prefixed("left.", turnFields)},
		{"bus log", "", []string{"bus", "log"}, 0, "schema_version revision " + prefixed("events[].", "time event child ids[] pointers[] tokens")},
		{"bus metrics", "", []string{"bus", "metrics"}, 0, `schema_version revision events.less.deref.grant contradictions messages_accepted
			messages_rejected messages_resent contradiction_rate resend_rate reject_rate`},
		{"session learnt", "", []string{"session", "learnt"}, 0, "schema_version left behind"},
		{"session consolidate", "", []string{"session", "consolidate"}, 0, "schema_version sessions current episodes records"},
		{"pack", "", []string{"pack"}, 0, "schema_version tokens ready.hit ready.hits ready.misses ready.rate blocks[].name blocks[].text blocks[].tokens"},
		{"retire", "", []string{"retire", "domain/auth/session", "--reason", "r"}, 0, commitFields},
		{"dashboard --export", "", []string{"dashboard", "--export", repo + "/site"}, 0, "schema_version revision facts pages bytes withheld moved"},
		{"undo", "", []string{"undo", "domain/auth/session"}, 0,
			"schema_version revision undone_revision undone_subject undone_author undone_date done[].key done[].how done[].claim"},
		{"version", "", []string{"version"}, 0, "schema_version version commit modified format go platform"},
		{"error", "", []string{"get", "domain/no/such"}, 1, "schema_version error.code error.exit_code error.message error.hint"},
		{"error of import", "not json\n", []string{"import", "-"}, 2,
			"schema_version error.code error.exit_code error.message error.hint error.rejected[].line error.rejected[].problem"},
		{"no repository", "", []string{"list", "--repo", broken}, 3, "schema_version error.code error.exit_code error.message error.hint"},
	})
}

// TestPurgeJSONFields: the fields of a preview and of what was done.
func TestPurgeJSONFields(t *testing.T) {
	const fields = `schema_version revision applied keys[] versions[].key versions[].fact_id versions[].commit versions[].date
		versions[].author conflicts[] messages[].commit messages[].date messages[].author mentions[].path mentions[].stands
		mentions[].names_key mentions[].repeats_text refs[] commits rewritten unsigned old_revision reflog notes[] next[]`
	repo := testRepo(t)
	run := func(args ...string) {
		if r := runHere("", append([]string{"--repo", repo}, args...)...); r.status != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
	}
	run("init")
	run("commit", "The gateway listens on port 8443.", "--scope", "infra", "--key", "domain/infra/the-gateway-listens-on-port-8443")
	run("commit", "The gateway listens on port 9443.", "--scope", "infra", "--key", "domain/infra/other")
	run("commit", "More is said elsewhere.", "--key", "domain/infra/more", "--detail", "See domain/infra/the-gateway-listens-on-port-8443.")
	run("audit")
	if out, err := exec.Command("git", "-C", repo, "tag", "before", "engram").CombinedOutput(); err != nil {
		t.Fatalf("git tag: %v: %s", err, out)
	}
	compareFields(t, repo, []jsonStep{
		{"purge, a preview", "", []string{"purge", "domain/infra/the-gateway-listens-on-port-8443"}, 0, fields},
		{"purge", "", []string{"purge", "domain/infra/the-gateway-listens-on-port-8443", "--yes"}, 0, fields + " rescue"},
	})
}

// TestJSONFieldsOfMessages is TestJSONFields for what agents say to each other.
func TestJSONFieldsOfMessages(t *testing.T) {
	repo := testRepo(t)
	const fine = "ROLE: a\nTASK_STATUS: done\nENGRAMS: []\nOUTPUT: { summary: s }\n"
	compareFields(t, repo, []jsonStep{
		{"bus validate", fine, []string{"bus", "validate", "-"}, 0, "schema_version revision ok form inline_tokens engrams code_chars"},
		{"bus validate, too much", fine + "POINTER_PACK: [{ type: repo, ref: repo:a }]\nDEREF_REQUESTS: []\n# ```\n# x := 1\n", []string{"bus", "validate", "-"}, 4,
			"schema_version revision ok code form inline_tokens engrams code_chars " + prefixed("refusals[].", "code path limit amount reason resend")},
		{"bus schema", "", []string{"bus", "schema"}, 0, "schema_version schemas[]"},
	})
}

// TestJSONFieldsOfSources is TestJSONFields for what other repositories have to do
// with.
func TestJSONFieldsOfSources(t *testing.T) {
	theirs := testRepo(t)
	for _, args := range [][]string{
		{"init"}, {"commit", "Every service logs to stdout.", "--key", "architecture/log/where", "--scope", "shared", "--reach", "org"},
		{"commit", "The gateway listens on port 8443.", "--key", "architecture/gateway/port", "--scope", "shared", "--reach", "org"},
	} {
		if r := runHere("", append([]string{"--repo", theirs}, args...)...); r.status != 0 {
			t.Fatal(r.stderr)
		}
	}
	repo := testRepo(t)
	const sourceFields = "name url branch scopes[] revision fetched_at facts"
	const clash = "tier severity verdict score span_a.start span_a.end span_a.text span_b.start span_b.end span_b.text explanation"
	foreign := prefixed("foreign[].", "origin "+clash) + " " + prefixed("foreign[].ours.", `key fact_id lineage_id claim scope kind fact_type reach
		confidence agent_id engineer committed_at age valid_from valid_until durability memory_op state verified freshness has_open_conflict`) + " " +
		prefixed("foreign[].theirs.", `origin key fact_id lineage_id claim scope kind fact_type reach
		confidence agent_id engineer committed_at age valid_from valid_until durability memory_op state verified freshness has_open_conflict`)
	bare := `origin key fact_id lineage_id claim scope kind fact_type reach confidence agent_id engineer committed_at age valid_from valid_until
		durability memory_op state verified freshness has_open_conflict`
	compareFields(t, repo, []jsonStep{
		{"init", "", []string{"init"}, 0, "schema_version revision branch created anonymous_mode anon_agents footprint[].what footprint[].where footprint[].remove"},
		{"source add", "", []string{"source", "add", "org", theirs, "--scope", "shared/*"}, 0, "schema_version revision " + prefixed("source.", sourceFields)},
		{"source list", "", []string{"source", "list"}, 0, "schema_version revision " + prefixed("sources[].", sourceFields)},
		{"source fetch", "", []string{"source", "fetch"}, 0,
			"schema_version revision " + prefixed("sources[].", "name revision_before revision changed rewritten")},
		{"query", "", []string{"query", "where services log"}, 0,
			"schema_version revision mode model pending_vectors pending matched omitted withheld tokens " + prefixed("results[].", hitFields+" origin") + " " +
				prefixed("sources[].", "name revision fetched_at facts pending pending_vectors mode")},
		{"get", "", []string{"get", "org:architecture/log/where"}, 0, "schema_version revision " + prefixed("fact.", bare)},
		{"list", "", []string{"list", "--source", "org"}, 0, "schema_version revision omitted withheld damaged " + prefixed("facts[].", bare)},
		{"commit", "", []string{"commit", "The gateway listens on port 9443.", "--key", "domain/gateway/port", "--scope", "gateway", "--reach", "org"}, 0,
			strings.Replace(commitFields, "supersedes_fact_id", "", 1)},
		{"audit", "", []string{"audit"}, 0, `schema_version revision from to facts pairs known judged asked undecided unreached beyond surplus withheld
			took_seconds tiers[] ` + foreign},
		{"check", "", []string{"check"}, 0, `schema_version revision clean fail_on failing counts.high counts.medium counts.low withheld examined ` + foreign},
		{"publish", "", []string{"publish", "--to", "org", "--scope", "gateway"}, 0, `schema_version revision to url applied revision_there writes present
			refused attempts ` + prefixed("items[].", "key fact_id claim scope action")},
		{"publish refused", "", []string{"publish", "--to", "nowhere", "--scope", "gateway"}, 2, "schema_version error.code error.exit_code error.message error.hint"},
		{"source rm", "", []string{"source", "rm", "org"}, 0, "schema_version revision name left"},
	})
}

// jsonStep is a command line with the fields that it promises.
type jsonStep struct {
	name, stdin string
	args        []string
	status      int
	fields      string
}

func compareFields(t *testing.T, repo string, steps []jsonStep) {
	t.Helper()
	for _, step := range steps {
		r := runHere(step.stdin, append([]string{"--repo", repo, "--json"}, step.args...)...)
		if r.status != step.status {
			t.Fatalf("%s: exit status %d, want %d; stderr: %s", step.name, r.status, step.status, r.stderr)
		}
		text := r.stdout
		if strings.Contains(step.fields, "error.") {
			if text != "" {
				t.Errorf("%s: standard output %q beside the error", step.name, text)
			}
			text = r.stderr
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(strings.Fields(step.fields))), fieldsOf(t, step.name, text)); diff != "" {
			t.Errorf("%s: fields differ (-promised +printed):\n%s", step.name, diff)
		}
	}
}

func prefixed(prefix, fields string) string {
	names := strings.Fields(fields)
	for i := range names {
		names[i] = prefix + names[i]
	}
	return strings.Join(names, " ")
}

// fieldsOf lists the paths of all leaves of the one object that text is.
func fieldsOf(t *testing.T, name, text string) []string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		t.Fatalf("%s: not a JSON object: %v: %s", name, err, text)
	}
	if decoder.More() {
		t.Errorf("%s: more than one JSON object", name)
	}
	if object["schema_version"] != 1.0 {
		t.Errorf("%s: schema_version is %v", name, object["schema_version"])
	}
	paths := map[string]bool{}
	leaves(object, "", paths)
	return slices.Sorted(maps.Keys(paths))
}

func leaves(v any, path string, paths map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			leaves(value, strings.TrimPrefix(path+"."+name, "."), paths)
		}
	case []any:
		for _, value := range v {
			leaves(value, path+"[]", paths)
		}
	default:
		paths[path] = true
	}
}

// TestJSONFieldsBetweenAgents: briefs, tasks and reports.
func TestJSONFieldsBetweenAgents(t *testing.T) {
	repo := testRepo(t)
	for _, args := range [][]string{{"init"}, {"commit", "A refund is retried.", "--key", "domain/pay/retries", "--kind", "constraint", "--agent", "a"}} {
		if r := runHere("", append([]string{"--repo", repo}, args...)...); r.status != 0 {
			t.Fatal(r.stderr)
		}
	}
	report := "ROLE: r\nTASK_STATUS: done\nENGRAMS:\n  - kind: risk\n    claim: The ledger rounds half a cent to even.\n    confidence: 0.8\n    ttl: P7D\n    scope: project\n" +
		"    pointers:\n      - { type: sam, ref: \"sam:domain/pay/retries\" }\nOUTPUT:\n  summary: It was found.\n"
	compareFields(t, repo, []jsonStep{
		{"brief", "", []string{"brief"}, 0, "schema_version revision branch open_conflicts omitted withheld tokens " + prefixed("constraints[].",
			"key claim scope kind fact_type agent_id age verified freshness has_open_conflict why")},
		{"brief for an agent", "", []string{"brief", "--goal", "refunds", "--to", "c"}, 0, "schema_version revision text lines tokens omitted withheld message.ROLE " +
			"message.SHARED_BRIEF_MICRO[] " + prefixed("message.BUDGETS.", "max_engrams max_repo_spans max_artifact_sections max_sam_items max_inline_tokens max_deref_tokens")},
		{"bus task", "", []string{"bus", "task", "f", "1", "--to", "c", "do it"}, 0, "schema_version revision key prompt fact_id memory_op proposed"},
		{"bus result", "", []string{"bus", "result", "sdd/f/1/c", "done"}, 0, commitFields},
		{"bus task, again", "", []string{"bus", "task", "f", "2", "--to", "c", "Measure latency."}, 0, "schema_version revision key prompt fact_id memory_op proposed"},
		{"bus result, with findings", "", []string{"bus", "result", "sdd/f/2/c", "Latency stays below nine milliseconds.", "--finding", "retried @ domain/pay/retries"}, 0, commitFields},
		{"bus findings", "", []string{"bus", "findings", "sdd/f/2/c"}, 0, "schema_version revision key claim commit work_tree counts.fresh counts.moved counts.drifted counts.missing counts.unchecked " +
			prefixed("findings[].", "text freshness pointers[].ref pointers[].digest pointers[].freshness")},
		{"bus submit", report, []string{"bus", "submit", "--agent", "c"}, 0, "schema_version revision verdict.ok verdict.form verdict.inline_tokens verdict.engrams verdict.code_chars " +
			prefixed("stored[].", strings.Replace(commitFields, "supersedes_fact_id", "", 1)) + " " + prefixed("engrams[].",
			`id kind claim pointers[].type pointers[].ref pointers[].digest confidence ttl scope hash_keys[] embedding_ref provenance.created_at
			provenance.created_by provenance.source`)},
		{"bus submit, refused", "hello\n", []string{"bus", "submit", "--agent", "c"}, 1, `schema_version revision verdict.ok verdict.code verdict.form
			verdict.inline_tokens verdict.engrams verdict.code_chars verdict.refusals[].code verdict.refusals[].reason verdict.refusals[].resend`},
	})
}

// TestJSONFieldsOfSessions: what is said of the sessions of agents.
func TestJSONFieldsOfSessions(t *testing.T) {
	repo := testRepo(t)
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	lines := `{"type":"user","sessionId":"0f3a52c1-tax","cwd":"/home/ada/shop","gitBranch":"main","uuid":"u1","timestamp":"2026-04-30T10:00:01Z","message":{"role":"user","content":"Round the tax half up, please."}}
{"type":"assistant","sessionId":"0f3a52c1-tax","uuid":"a1","timestamp":"2026-04-30T10:00:02Z","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"c1","name":"Read","input":{"file_path":"a.go"}}]}}
`
	if err := os.WriteFile(transcript, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	const summary = `session_id client agent title branch branches[] folder started_at ended_at turns events tokens artifacts redacted malformed
		private live revision`
	const version = "task session_id event cause turn at state.goals[] state.constraints[] state.open_loops[] state.next_actions[] state.premise_version state.extensions.phase"
	const event = "id turn kind at agent model tool call branch paths[] tokens text"
	compareFields(t, repo, []jsonStep{
		{"init", "", []string{"init"}, 0, "schema_version revision branch created anonymous_mode anon_agents footprint[].what footprint[].where footprint[].remove"},
		{"import", "", []string{"session", "import", transcript}, 0, "schema_version files bytes events malformed redacted omitted " +
			prefixed("sessions[].", "session_id client file records events malformed redacted revision")},
		{"list", "", []string{"session", "list"}, 0, "schema_version total " + prefixed("sessions[].", summary)},
		{"list by words", "", []string{"session", "list", "--text", "tax"}, 0, "schema_version total " + prefixed("sessions[].", summary) + " " +
			prefixed("sessions[].matches[].", "event turn kind at snippet score")},
		{"show", "", []string{"session", "show", "0f3a"}, 0, "schema_version omitted withheld " + prefixed("session.", summary) + " " + prefixed("events[].", event)},
		{"recall", "", []string{"recall", "round the tax"}, 0, "schema_version tokens budget scope candidates omitted hops behind " +
			prefixed("items[].", "pointer type who at session_id turn text whole hop tokens")},
		{"recall, explained", "", []string{"recall", "--session", "0f3a", "--explain", "a.go"}, 0, "schema_version tokens budget scope candidates omitted hops behind " +
			prefixed("items[].", "pointer type who at session_id turn text whole exact hop tokens factors.similarity "+prefixed("factors.", "base premise phase supersession task need modifier score")+
				" factors.lists.exact.rank factors.lists.exact.strength factors.lists.words.rank factors.lists.words.strength")},
		{"task, none", "", []string{"task", "show"}, 0, "schema_version task found text age_turns stale"},
		{"task set", "", []string{"task", "set", "--session", "0f3a", "--goal", "Round", "--constraint", "No loss", "--open", "Whose?", "--next", "Ask", "--premise", "v1", "--phase", "building"}, 0, "schema_version task found text age_turns stale " +
			prefixed("current.", version)},
		{"task history", "", []string{"task", "history", "--session", "0f3a"}, 0, "schema_version task " + prefixed("versions[].", version)},
		{"log", "", []string{"session", "log", "a.go"}, 0, "schema_version path total " + prefixed("entries[].", "session_id event turn at agent tool title snippet")},
		{"resume", "", []string{"session", "resume", "0f3a"}, 0, "schema_version session_id client folder folder_gone command[]"},
		{"share", "", []string{"session", "share", "0f3a"}, 0, "schema_version applied remote notes[] " + prefixed("sessions[].", summary)},
		{"redact", "", []string{"session", "redact", "0f3a", "half"}, 0, "schema_version applied session_id events artifacts replacements gone"},
		{"prune", "", []string{"session", "prune", "--days", "1"}, 0, "schema_version applied cold artifacts bytes bytes_left"},
		{"forget", "", []string{"session", "forget", "0f3a"}, 0, "schema_version applied session_id events artifacts replacements gone"},
		{"forget, done", "", []string{"session", "forget", "0f3a", "--yes"}, 0, "schema_version applied session_id events artifacts replacements gone next[]"},
		{"unknown", "", []string{"session", "show", "0f3a"}, 1, "schema_version error.code error.exit_code error.message error.hint"},
	})
}
