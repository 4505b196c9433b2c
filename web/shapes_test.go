package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// exchange is a real request, and the operation that documents it.
type exchange struct {
	operation, agent, method, path string
	body                           any // an object as JSON, or a text as YAML
	status                         int
}

// shapes holds real answers against the document.
type shapes struct {
	*gateway
	t      *testing.T
	doc    document
	checks map[string]bool // by operation and status
}

// TestOpenAPIShapes: every answer has all the fields that the document promises, and
// none that it does not name.
func TestOpenAPIShapes(t *testing.T) {
	s := &shapes{gateway: newGateway(t, true), t: t, doc: readDocument(t), checks: make(map[string]bool)}
	claim := s.engram("Sessions outlive a password change: nothing ends them.")
	claim["tags"] = []string{"passwords"}
	put := s.run(exchange{"putEngram", "child", "POST", "/engram", claim, 201})
	id, key := at(t, put, "engram.id").(string), at(t, put, "commit.key").(string)
	s.run(exchange{"putEngram", "child", "POST", "/engram", claim, 200})
	s.run(exchange{"putEngram", "child", "POST", "/engram", object{"kind": "risk"}, 422})
	s.run(exchange{"queryEngrams", "child", "GET", "/engram/query?keys=passwords", nil, 200})
	s.run(exchange{"queryEngrams", "child", "GET", "/engram/query?q=" + url.QueryEscape("what outlives a password?"), nil, 200})
	s.run(exchange{"queryEngrams", "child", "GET", "/engram/query?k=100", nil, 400})
	s.run(exchange{"queryByEmbedding", "child", "GET", "/engram/query_by_embedding?embedding_ref=" + id, nil, 200})
	s.run(exchange{"getEngram", "child", "GET", "/engram/" + id, nil, 200})
	s.run(exchange{"getEngram", "child", "GET", "/engram/" + key, nil, 200})
	s.run(exchange{"getEngram", "child", "GET", "/engram/" + url.PathEscape(key), nil, 200})
	s.run(exchange{"getEngram", "child", "GET", "/engram/01JZ0000000000000000000000", nil, 404})
	s.deref()
	s.grants()
	s.messages()
	s.hooks()
	s.judge()
	s.run(exchange{"deleteEngram", "other", "DELETE", "/engram/" + id, nil, 403})
	s.run(exchange{"deleteEngram", "planner", "DELETE", "/engram/" + id, nil, 200})
	org := s.engram("Every service logs to stdout.")
	org["scope"], org["confidence"] = "org", 0.9
	s.run(exchange{"putEngram", "planner", "POST", "/engram", org, 201})
	s.run(exchange{"factsSince", "child", "GET", "/facts/since?limit=5&after=" + url.QueryEscape(time.Now().Add(-time.Hour).Format(time.RFC3339)), nil, 200})
	s.sessions()
	s.recall()
	s.delegation()
	s.run(exchange{"openAPI", "child", "GET", "/openapi.json", nil, 200})
	s.run(exchange{"schema", "child", "GET", "/schemas/engram.v0.1.json", nil, 200})
	s.run(exchange{"schema", "child", "GET", "/schemas/no-such", nil, 404})
	s.run(exchange{"metrics", "child", "GET", "/metrics", nil, 200})
	s.run(exchange{"healthz", "child", "GET", "/healthz", nil, 200})
	s.run(exchange{"readyz", "child", "GET", "/readyz", nil, 200})
	s.reviews()
	s.complete()
}

// sessions: an orchestrator's events are there once, and agents see nothing private.
func (s *shapes) sessions() {
	events := []object{
		{"kind": "user_message", "text": "Why nine retries?", "at": "2026-04-30T12:00:00Z"},
		{"kind": "decision", "text": "The customer is Acme.", "at": "2026-04-30T12:00:00Z", "label": "private", "agent": "other"},
	}
	put := s.run(exchange{"appendEvents", "planner", "POST", "/sessions/run-7/events", object{"client": "planner", "events": events}, 201})
	s.run(exchange{"appendEvents", "planner", "POST", "/sessions/run-7/events", object{"client": "planner", "events": events, "seal": true}, 200})
	s.run(exchange{"appendEvents", "planner", "POST", "/sessions/run-7/events", object{"events": []object{{"kind": "shout"}}}, 400})
	s.run(exchange{"appendEvents", "child", "POST", "/sessions/run-7/events", object{"events": []object{{"kind": "decision", "agent": "other"}}}, 403})
	s.run(exchange{"listSessions", "child", "GET", "/sessions?text=retries", nil, 200})
	if known := s.run(exchange{"describeSession", "child", "GET", "/sessions/run-7", nil, 200}); at(s.t, known, "session.title") != "Why nine retries?" {
		s.t.Errorf("known: %v", known)
	}
	s.run(exchange{"describeSession", "child", "GET", "/sessions/nothing", nil, 404})
	s.run(exchange{"describeSession", "child", "GET", "/sessions/run-7?turn=1", nil, 400})
	shown := s.run(exchange{"sessionEvents", "child", "GET", "/sessions/run-7/events?around=" + at(s.t, put, "events.0").(string), nil, 200})
	if len(shown["events"].([]any)) != 1 || shown["withheld"] != 1.0 {
		s.t.Errorf("shown: %v", shown)
	}
	s.run(exchange{"sessionEvents", "child", "GET", "/sessions/nothing/events", nil, 404})
	s.windows(at(s.t, put, "events.0").(string))
}

// windows: an orchestrator's window is compacted, and packed again.
func (s *shapes) windows(event string) {
	items := []object{
		{"turn": 0, "class": "system", "text": "You plan."},
		{"id": event, "turn": 1, "class": "tool_result", "text": strings.Repeat("retries in the gateway config ", 200)},
		{"id": "01KQF45CBGX1M8MSTR95XX78YP", "turn": 2, "class": "tool_result", "text": strings.Repeat("nobody stored this ", 200)},
		{"turn": 9, "class": "dialogue", "text": "Go on."},
	}
	body := object{"session_id": "run-7", "window": 1000, "items": items, "keep_turns": 1}
	o := s.run(exchange{"compactWindow", "planner", "POST", "/context/compact", body, 200})
	if evicted := o["evicted"].([]any); len(evicted) != 1 || evicted[0] != event {
		s.t.Errorf("evicted %v, want what is stored, and nothing else: %v", evicted, o["held"])
	}
	delete(body, "window")
	s.run(exchange{"compactWindow", "planner", "POST", "/context/compact", body, 400})
	s.run(exchange{"compactWindow", "child", "POST", "/context/compact", object{"session_id": "nothing", "window": 100, "items": []object{}}, 404})
	s.run(exchange{"compactWindow", "child", "POST", "/context/compact", object{"window": 100, "items": []object{}, "agent_id": "other"}, 403})
	o = s.run(exchange{"packWindow", "child", "POST", "/context/pack", object{"session_id": "run-7", "user": "Go on."}, 200})
	if at(s.t, o, "markers.0.last_turn") != 1.0 {
		s.t.Errorf("packed: %v", o)
	}
	s.run(exchange{"packWindow", "child", "POST", "/context/pack", object{"left": "half"}, 400})
	s.run(exchange{"packWindow", "child", "POST", "/context/pack", object{"session_id": "nothing"}, 404})
	s.run(exchange{"packWindow", "child", "POST", "/context/pack", object{"agent_id": "other"}, 403})
}

// recall: an agent finds again what happened, but nothing private of another's, and keeps
// the state of its task by the fields that change.
func (s *shapes) recall() {
	s.run(exchange{"showTask", "child", "GET", "/tasks/run-7-tax", nil, 200})
	s.run(exchange{"setTask", "child", "POST", "/tasks/run-7-tax", object{"goals": []string{"Explain the retries"}, "extensions": object{"phase": "debugging"}}, 200})
	set := s.run(exchange{"setTask", "child", "POST", "/tasks/run-7-tax", object{"next_actions": []string{"Ask the gateway's owner"}}, 200})
	if at(s.t, set, "current.state.goals.0") != "Explain the retries" || at(s.t, set, "current.agent_id") != "child" {
		s.t.Errorf("set: %v", set)
	}
	if shown := s.run(exchange{"showTask", "planner", "GET", "/tasks/run-7-tax?session_id=task-run-7-tax", nil, 200}); shown["text"] != set["text"] {
		s.t.Errorf("shown: %v", shown)
	}
	if all := s.run(exchange{"taskHistory", "planner", "GET", "/tasks/run-7-tax/history", nil, 200}); len(all["versions"].([]any)) != 2 {
		s.t.Errorf("history: %v", all)
	}
	for _, body := range []object{{"goal": []string{"x"}}, {"task": "other"}, {"goals": "x"}, {"key_events": []string{"x"}}, {"extensions": object{"mine": 1}}, {"goals": []string{strings.Repeat("long ", 200_000)}}} {
		s.run(exchange{"setTask", "child", "POST", "/tasks/run-7-tax", body, 400})
	}
	s.run(exchange{"setTask", "child", "POST", "/tasks/run-7-tax", object{"agent_id": "planner"}, 403})
	s.run(exchange{"setTask", "child", "POST", "/tasks/a%20b", object{"goals": []string{"x"}}, 400})
	s.run(exchange{"showTask", "child", "GET", "/tasks/x?session_id=nothing", nil, 404})
	s.run(exchange{"taskHistory", "child", "GET", "/tasks/x?history=1", nil, 400})

	found := s.run(exchange{"recall", "child", "POST", "/recall", object{"queries": []string{"Why nine retries?", "Which customer is it, Acme?"}, "session_id": "run-7", "hops": 2, "explain": true}, 200})
	if items := found["items"].([]any); len(items) != 1 || at(s.t, found, "items.0.text") != "Why nine retries?" {
		s.t.Errorf("recalled: %v", found)
	}
	pointer := at(s.t, found, "items.0.pointer")
	again := s.run(exchange{"recall", "child", "POST", "/recall", object{"queries": []string{"retries"}, "session_id": "run-7", "seen": []any{pointer}}, 200})
	if len(again["items"].([]any)) != 0 {
		s.t.Errorf("recalled again: %v", again)
	}
	for _, query := range []string{strings.Repeat("retries ", 12_500), "повторы 重试 إعادة", "\x00\u202e\n?", "((*.\"", "of the"} {
		s.run(exchange{"recall", "child", "POST", "/recall", object{"queries": []string{query}}, 200})
	}
	for _, body := range []object{{}, {"queries": []string{}}, {"queries": []string{" "}}, {"queries": "x"}, {"queries": make([]string, 9)}, {"query": []string{"x"}}, {"queries": []string{"x"}, "kinds": []string{"shout"}},
		{"queries": []string{"x"}, "hops": 3}, {"queries": []string{"x"}, "budget": 1 << 40}, {"queries": []string{"x"}, "budget": -1}} {
		s.run(exchange{"recall", "child", "POST", "/recall", body, 400})
	}
	s.run(exchange{"recall", "child", "POST", "/recall", object{"queries": []string{"x"}, "session_id": "nothing"}, 404})
}

// delegation: a parent states a task, its agent alone reports within the limits of a message,
// and each finding is checked against the code.
func (s *shapes) delegation() {
	task := object{"flow": "refunds", "id": "9", "child": "child", "task": "Find every way to pay twice.", "plan": "2.1 retries", "constraints": []string{"read only"},
		"acceptance": []string{"each way has a test"}, "pointers": []string{"internal/auth.go:3-4"}}
	s.run(exchange{"delegateTask", "child", "POST", "/delegation", task, 403})
	o := s.run(exchange{"delegateTask", "planner", "POST", "/delegation", task, 201})
	key, prompt := at(s.t, o, "key").(string), at(s.t, o, "prompt").(string)
	if key != "sdd/refunds/9/child" || !strings.Contains(prompt, key) || strings.Contains(prompt, "pay twice") {
		s.t.Errorf("delegated: %v", o)
	}
	s.run(exchange{"delegateTask", "planner", "POST", "/delegation", task, 200})
	for name, value := range map[string]any{"task": "Something else.", "flow": "a/b", "child": "", "plans": "1", "constraints": []string{" "}, "pointers": []string{"no/such/file.go:1"}} {
		bad := maps.Clone(task)
		bad[name] = value
		if a := s.as(s.t, "planner", "POST", "/delegation", bad); a.status != 400 && a.status != 404 {
			s.t.Errorf("%s %v: %d %s", name, value, a.status, a.body)
		}
	}
	task["parent"] = "other"
	s.run(exchange{"delegateTask", "planner", "POST", "/delegation", task, 403})
	begun := s.run(exchange{"setTask", "child", "POST", "/tasks/sdd.refunds.9.child", object{"from": key}, 200})
	if at(s.t, begun, "current.state.constraints.0") != "read only" {
		s.t.Errorf("begun: %v", begun)
	}
	s.results(key)
}

// results: what is refused writes nothing, and what was reported is checked.
func (s *shapes) results(key string) {
	s.run(exchange{"taskFindings", "planner", "GET", "/delegation/findings?key=" + key, nil, 404})
	s.run(exchange{"taskFindings", "planner", "GET", "/delegation/findings", nil, 400})
	found := object{"text": "The length is a constant.", "pointers": []string{"internal/auth.go:3-4"}}
	report := func(name string, value any) object {
		in := object{"key": key, "result": "A retry pays twice.", "findings": []object{found}}
		in[name] = value
		return in
	}
	s.run(exchange{"reportResult", "other", "POST", "/delegation/result", report("detail", "x"), 403})
	for name, value := range map[string]any{"detail": strings.Repeat("And then there was more. ", 200), "findings": slices.Repeat([]object{found}, 13), "result": "See:\n```go\nfunc Refresh() {}\n```"} {
		s.run(exchange{"reportResult", "child", "POST", "/delegation/result", report(name, value), 413})
	}
	for name, value := range map[string]any{"result": " ", "findings": []object{{"text": "x", "pointers": []string{"https://example.com/"}}}, "finding": "x", "key": "sdd/refunds"} {
		s.run(exchange{"reportResult", "child", "POST", "/delegation/result", report(name, value), 400})
	}
	s.run(exchange{"reportResult", "child", "POST", "/delegation/result", report("key", "sdd/refunds/10/child"), 404})
	s.run(exchange{"reportResult", "child", "POST", "/delegation/result", report("detail", ""), 201})
	s.run(exchange{"reportResult", "child", "POST", "/delegation/result", report("detail", ""), 200})
	checked := s.run(exchange{"taskFindings", "planner", "GET", "/delegation/findings?key=" + key, nil, 200})
	if at(s.t, checked, "findings.0.freshness") != "fresh" || at(s.t, checked, "agent_id") != "child" || at(s.t, checked, "counts.fresh") != 1.0 {
		s.t.Errorf("findings: %v", checked)
	}
}

// reviews: where the team reviews what strangers write, an engram waits, and is in no
// answer until then.
func (s *shapes) reviews() {
	in := memory.SetPolicyInput{Text: "format: 1\nreview:\n  unknown_authors: true\n  authors: [bob@example.com]\n"}
	if _, err := s.memory.SetPolicy(s.t.Context(), in); err != nil {
		s.t.Fatal(err)
	}
	claim := s.engram("Vouchers are never checked twice.")
	claim["tags"] = []string{"vouchers"}
	o := s.run(exchange{"putEngram", "child", "POST", "/engram", claim, 202})
	if at(s.t, o, "commit.proposed") != true {
		s.t.Errorf("202 of %v", o)
	}
	s.run(exchange{"delegateTask", "planner", "POST", "/delegation", object{"flow": "vouchers", "id": "1", "child": "child", "task": "Check vouchers."}, 202})
	s.run(exchange{"reportResult", "child", "POST", "/delegation/result", object{"key": "sdd/refunds/9/child", "result": "A voucher pays twice, too."}, 202})
	o = s.run(exchange{"submitMessage", "child", "POST", "/message/submit", s.message("Vouchers outlive their shop.", "One risk."), 200})
	if at(s.t, o, "stored.0.proposed") != true {
		s.t.Errorf("submitted: %v", o)
	}
	o = s.run(exchange{"queryEngrams", "child", "GET", "/engram/query?keys=vouchers", nil, 200})
	if found := o["engrams"].([]any); len(found) != 0 {
		s.t.Errorf("what waits is found: %v", found)
	}
}

func (s *shapes) deref() {
	pull := func(place string, status int) {
		s.run(exchange{"derefPointer", "child", "POST", "/pointer/deref", object{"pointer": s.ref(place)}, status})
	}
	for _, place := range []string{"internal/auth.go#L1", "internal/auth.go#L3-L4", "internal/auth.go"} {
		pull(place, 200)
	}
	pull("internal/auth.go#L6", 403)
	s.run(exchange{"turnLeft", "child", "GET", "/turn", nil, 200})
	s.run(exchange{"turnLeft", "planner", "GET", "/turn?child=child", nil, 200})
	s.run(exchange{"turnLeft", "planner", "GET", "/turn", nil, 200})
	s.run(exchange{"turnLeft", "child", "GET", "/turn?child=other", nil, 403})
	s.run(exchange{"derefPointer", "other", "POST", "/pointer/deref", object{"pointer": s.ref("internal/nothing.go#L1")}, 404})
	s.run(exchange{"derefPointer", "other", "POST", "/pointer/deref", object{"pointer": object{"type": "repo", "ref": "repo:internal/auth.go"}}, 400})
}

func (s *shapes) grants() {
	grant := object{"child": "child", "pointer": s.ref("internal/auth.go#L1-L5"), "lifetime": "PT10M", "uses": 2, "pass_on": true}
	s.run(exchange{"issueGrant", "child", "POST", "/grant", grant, 403})
	o := s.run(exchange{"issueGrant", "planner", "POST", "/grant", grant, 201})
	s.run(exchange{"derefPointer", "child", "POST", "/pointer/deref", object{"pointer": s.ref("internal/auth.go#L1-L5"), "budget_token": o["budget_token"]}, 200})
	s.run(exchange{"listGrants", "planner", "GET", "/grants?child=child", nil, 200})
	s.run(exchange{"listGrants", "child", "GET", "/grants", nil, 200})
	id := at(s.t, o, "grant.id").(string)
	s.run(exchange{"revokeGrant", "other", "DELETE", "/grant/" + id, nil, 403})
	s.run(exchange{"revokeGrant", "planner", "DELETE", "/grant/" + id, nil, 200})
	s.run(exchange{"revokeGrant", "planner", "DELETE", "/grant/01JZ0000000000000000000000", nil, 404})
}

// message is a child's, with a summary.
func (s *shapes) message(claim, summary string) string {
	return fmt.Sprintf("ROLE: programmer\nTASK_STATUS: in progress\nENGRAMS:\n  - kind: risk\n    claim: %q\n    confidence: 0.7\n    ttl: P7D\n    scope: project\n    pointers:\n"+
		"      - { type: repo, ref: \"repo:internal/auth.go#L6-L7@%s\" }\nDEREF_REQUESTS:\n  - pointer: { type: repo, ref: \"repo:docs/spec.md@%s\" }\n    reason: The rule.\nOUTPUT:\n  summary: %q\n",
		claim, s.commit, s.commit, summary)
}

func (s *shapes) messages() {
	good, long := s.message("Refresh does nothing.", "One risk."), s.message("Refresh does nothing.", strings.Repeat("And then there was more. ", 200))
	s.run(exchange{"validateMessage", "child", "POST", "/message/validate", good, 200})
	s.run(exchange{"validateMessage", "child", "POST", "/message/validate", long, 200})
	refused := s.run(exchange{"submitMessage", "child", "POST", "/message/submit", long, 413})
	s.run(exchange{"submitMessage", "child", "POST", "/message/submit", "ROLE: programmer\n", 422})
	s.run(exchange{"submitMessage", "child", "POST", "/message/submit", at(s.t, refused, "error.resend").(string), 200})
	s.run(exchange{"onChildResponse", "child", "POST", "/hooks/on_child_response", object{"response": "```yaml\n" + s.message("Refresh returns nothing.", "One risk.") + "```"}, 200})
	s.run(exchange{"onChildResponse", "child", "POST", "/hooks/on_child_response", object{"response": "I am done."}, 422})
}

func (s *shapes) hooks() {
	broadcast := object{"child": "child", "role": "programmer", "goal": "End sessions on a password change.", "files": []string{"internal/auth.go"},
		"instructions": []string{"No code."}, "grants": []any{object{"pointer": s.ref("docs/spec.md")}}}
	s.run(exchange{"onParentBroadcast", "planner", "POST", "/hooks/on_parent_broadcast", broadcast, 200})
	s.run(exchange{"onParentBroadcast", "child", "POST", "/hooks/on_parent_broadcast", object{"child": "other", "goal": "x"}, 403})
	rag := object{"status": "success", "message": "ok", "metadata": object{}, "data": object{
		"entities": []any{}, "relationships": []any{}, "references": []any{object{"reference_id": "1", "file_path": "internal/auth.go"}},
		"chunks": []any{object{"content": "const sessionTTL = 30", "file_path": "internal/auth.go", "chunk_id": "c", "reference_id": "1"}}}}
	s.run(exchange{"onRAGResult", "child", "POST", "/hooks/on_rag_result?excerpts=true&question=ttl", rag, 200})
	s.run(exchange{"onRAGResult", "child", "POST", "/hooks/on_rag_result", object{"status": "failure", "data": object{}}, 400})
	s.run(exchange{"onSAMRead", "child", "POST", "/hooks/on_sam_read", object{"question": "what outlives a password?", "excerpts": true}, 200})
	s.run(exchange{"onSAMRead", "child", "POST", "/hooks/on_sam_read", object{"keys": []string{"domain/no/such"}}, 404})
}

// judge: two facts about one matter are offered, and judged once for all.
func (s *shapes) judge() {
	keys := make([]string, 2)
	for i, claim := range []string{"The checkout service keeps sessions for returning customers.", "The checkout service keeps sessions for returning customers in the session store."} {
		r, err := s.memory.Commit(s.t.Context(), memory.CommitInput{Claim: claim, Scope: "shop", Agent: "author"})
		if err != nil {
			s.t.Fatal(err)
		}
		keys[i] = r.Key
	}
	verdict := object{"a": keys[0], "b": keys[1], "verdict": "compatible", "reason": "Two shops."}
	verdicts := object{"verdicts": []any{verdict}}
	o := s.run(exchange{"undecided", "child", "GET", "/undecided?limit=5", nil, 200})
	if pairs := o["pairs"].([]any); len(pairs) != 2 { // messages left another
		s.t.Errorf("undecided: %v", o)
	}
	s.run(exchange{"undecided", "child", "GET", "/undecided?limit=0", nil, 400})
	s.run(exchange{"judge", "child", "POST", "/judge", object{"verdicts": []any{}}, 400})
	s.run(exchange{"judge", "child", "POST", "/judge", object{"verdicts": []any{verdict}, "agent_id": "other"}, 403})
	s.run(exchange{"judge", "child", "POST", "/judge", object{"verdicts": []any{object{"a": keys[0], "b": "domain/no/such", "verdict": "same", "reason": "x"}}}, 404})
	o = s.run(exchange{"judge", "child", "POST", "/judge", verdicts, 200})
	if at(s.t, o, "judged.0.status") != "dismissed" {
		s.t.Errorf("judged: %v", o)
	}
	if o = s.run(exchange{"undecided", "other", "GET", "/undecided", nil, 200}); len(o["pairs"].([]any)) != 1 {
		s.t.Errorf("still undecided: %v", o)
	}
	verdict["verdict"] = "contradicts"
	o = s.run(exchange{"judge", "other", "POST", "/judge", verdicts, 200})
	if at(s.t, o, "judged.0.status") != "open" || at(s.t, o, "judged.0.note") == "" {
		s.t.Errorf("the second judge: %v", o)
	}
}

// run sends a request, and holds its answer against the document.
func (s *shapes) run(e exchange) object {
	s.t.Helper()
	var headers []string
	if _, isText := e.body.(string); isText {
		headers = []string{"Content-Type", "application/yaml"}
	}
	a := s.as(s.t, e.agent, e.method, e.path, e.body, headers...)
	if a.status != e.status {
		s.t.Fatalf("%s %s: %d, want %d: %s", e.method, e.path, a.status, e.status, a.body)
	}
	content := s.documented(e)
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	if _, ok := content[kind]; !ok {
		s.t.Fatalf("%s: an answer of type %q; documented is %v", e.operation, kind, slices.Collect(maps.Keys(content)))
	}
	s.checks[fmt.Sprintf("%s %d", e.operation, e.status)] = true
	var got any = a.body
	if strings.Contains(kind, "json") {
		if err := json.Unmarshal([]byte(a.body), &got); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := s.doc.resolve(s.t, content[kind].Schema, true).Validate(got); err != nil {
		s.t.Errorf("%s %d: %v\n%s", e.operation, e.status, err, a.body)
	}
	o, _ := got.(object)
	return o
}

// documented is what the document says comes back.
func (s *shapes) documented(e exchange) map[string]media {
	s.t.Helper()
	for _, operations := range s.doc.Paths {
		for _, o := range operations {
			if o.OperationID != e.operation {
				continue
			}
			r, ok := o.Responses[fmt.Sprint(e.status)]
			if name, found := strings.CutPrefix(r.Ref, "#/components/responses/"); found {
				r = s.doc.Components.Responses[name]
			}
			if !ok {
				s.t.Fatalf("%s does not document %d", e.operation, e.status)
			}
			return r.Content
		}
	}
	s.t.Fatalf("there is no operation %s", e.operation)
	return nil
}

// complete wants every documented answer of success to have been seen.
func (s *shapes) complete() {
	for _, operations := range s.doc.Paths {
		for _, o := range operations {
			for status := range o.Responses {
				if status[0] == '2' && !s.checks[o.OperationID+" "+status] {
					s.t.Errorf("no answer %s of %s was seen", status, o.OperationID)
				}
			}
		}
	}
}
