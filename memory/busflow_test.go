package memory_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/bus"
	"engram/facts"
	"engram/memory"
)

func reportOf(engrams string) string {
	return "ROLE: reviewer\nTASK_STATUS: done\nENGRAMS:\n" + engrams + "OUTPUT:\n  summary: One risk was found.\n"
}

func wireEngram(claim, ref string) string {
	return fmt.Sprintf("  - kind: risk\n    claim: %s\n    confidence: 0.8\n    ttl: P7D\n    scope: project\n    pointers:\n      - { type: repo, ref: %q }\n", claim, ref)
}

func TestSubmit(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	ref := "repo:a.go#L1-L3@" + commit
	text := strings.Replace(reportOf(wireEngram("A refund is paid twice.", ref)+wireEngram("A retry has no key.", ref)), "OUTPUT:",
		"DEREF_REQUESTS:\n  - pointer: { type: repo, ref: \""+ref+"\" }\n    reason: to see the retry\nOUTPUT:", 1)
	r, err := b.Submit(t.Context(), memory.MessageInput{Text: []byte(text), Agent: "reviewer-1"})
	if err != nil || !r.Verdict.OK || len(r.Stored) != 2 || len(r.Engrams) != 2 || len(r.Requests) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Stored[0].Revision != r.Stored[1].Revision || gitIn(t, b.dir, "rev-list", "--count", "engram") != "2" {
		t.Error("two engrams are not one commit")
	}
	if f := b.get(r.Stored[1].Key); f.AgentID != "reviewer-1" || f.Claim != "A retry has no key." {
		t.Errorf("%+v", f)
	}
	if again, err := b.Submit(t.Context(), memory.MessageInput{Text: []byte(text), Agent: "reviewer-1"}); err != nil || !again.Stored[0].Duplicate {
		t.Errorf("the same again: %+v, %v", again, err)
	}
}

// TestSubmitRefuses: a message is taken as a whole or not at all, and what is refused is
// no error.
func TestSubmitRefuses(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("a.go")
	good := wireEngram("A refund is paid twice.", "repo:a.go#L1-L3@"+commit)
	tip := b.tip()
	for name, c := range map[string]struct{ text, code, path string }{
		"one leads nowhere": {reportOf(good + wireEngram("A claim.", "repo:b.go@"+commit)), bus.Invalid, "ENGRAMS[1].pointers[0]"},
		"no commit":         {reportOf(wireEngram("A claim.", "repo:a.go#L1")), bus.Invalid, "ENGRAMS[0].pointers[0].ref"},
		"too much":          {strings.Replace(reportOf(good), "One risk", strings.Repeat("One more risk ", 400), 1), bus.BudgetExceeded, ""},
		"no message":        {"hello", bus.Invalid, ""},
		"a parent's":        {"ROLE: Parent\nSHARED_BRIEF_MICRO:\n  - Do it\nBUDGETS: { max_engrams: 3 }\n", bus.Invalid, ""},
	} {
		r, err := b.Submit(t.Context(), memory.MessageInput{Text: []byte(c.text), Agent: "reviewer-1"})
		if err != nil || r.Verdict.OK || r.Verdict.Code != c.code || len(r.Stored) != 0 || r.Revision == "" {
			t.Errorf("%s: %+v, %v", name, r, err)
		} else if c.path != "" && r.Verdict.Refusals[0].Path != c.path {
			t.Errorf("%s: at %s", name, r.Verdict.Refusals[0].Path)
		}
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
	if r, err := b.Submit(t.Context(), memory.MessageInput{Text: []byte(reportOf(good)), Agent: "reviewer-1"}); err != nil || !r.Verdict.OK {
		t.Errorf("sent again in the form: %+v, %v", r, err)
	}
	m, err := b.Telemetry(t.Context())
	if err != nil || m.Rejected != 5 || m.Accepted != 1 || m.Resent != 1 || m.Kinds["risk"] != 1 {
		t.Errorf("telemetry: %+v, %v", m, err)
	}
}

func TestBroadcast(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("billing/refund.go")
	ref := func(lines string) []memory.Pointer {
		return []memory.Pointer{{Ref: "repo:billing/refund.go#" + lines + "@" + commit}}
	}
	b.commit(memory.CommitInput{Claim: "Amounts are integers.", Key: "domain/pay/amounts", Kind: "constraint"})
	b.commit(memory.CommitInput{Claim: "A refund is retried three times.", Key: "domain/pay/retries", Pointers: ref("L2-L4"), Agent: "claude"})
	b.commit(memory.CommitInput{Claim: "Refund keys are secret: never print them.", Key: "domain/vault/keys", Scope: "vault", Pointers: ref("L9")})
	b.commit(memory.CommitInput{Claim: "A refund queue is full today.", Key: "domain/pay/queue", Durability: "ephemeral"})
	b.commit(memory.CommitInput{Claim: "Colours are warm.", Key: "domain/site/colours"})
	b.commit(memory.CommitInput{Claim: "A refund runs `for i := 0; i < 3; i++ { retry(i); pay(i) }` in a loop.", Key: "domain/pay/loop"})
	b.agree("permissions:", "  - {agent: child, scope: vault, read: false}")
	in := memory.BroadcastInput{Child: "child", Role: "reviewer", Goal: "a refund is paid once", Instructions: []string{"Check the retries."}}
	r, err := b.Broadcast(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	lines := r.Message.SharedBriefMicro
	if lines[0] != "Goal: a refund is paid once" || !strings.HasPrefix(lines[2], `domain/pay/amounts says "Amounts are integers." (constraint`) {
		t.Errorf("%q", lines)
	}
	for text, want := range map[string]bool{"retried three": true, "queue is full": true, "secret": false, "Colours": false, "retry(i)": false} {
		if got := strings.Contains(r.Text, text); got != want {
			t.Errorf("%q in it: %v\n%s", text, got, r.Text)
		}
	}
	if p := r.Message.TargetPointerPack; len(p) != 1 || p[0].Ref != "repo:billing/refund.go#L2-L4@"+commit || p[0].Digest == "" {
		t.Errorf("pointers: %+v", p)
	}
	if r.Withheld != 1 || r.Tokens > 800 || r.Lines > bus.MaxBriefLines || r.Message.Budgets.MaxRepoSpans != 3 {
		t.Errorf("%+v", r)
	}
	if v := bus.Check([]byte(r.Text), bus.Limits{}, bus.Allowance{}); !v.OK || v.Form != bus.FromParent || v.Tokens != r.Tokens {
		t.Errorf("its verdict is %+v", v)
	}
	if r.Message.Role != "parent" {
		t.Errorf("its role is %q", r.Message.Role)
	}
	if again, err := b.Broadcast(t.Context(), in); err != nil || again.Text != r.Text {
		t.Errorf("not the same the second time: %v\n%s\n%s", err, again.Text, r.Text)
	}
	in.Grants = []memory.GrantInput{{Pointer: "billing/refund.go:1-9"}}
	if r, err = b.Broadcast(t.Context(), in); err != nil || len(r.Message.Grants) != 1 || r.Message.Grants[0].BudgetToken == "" || r.Message.Grants[0].Pointer.Ref != "repo:billing/refund.go#L1-L9@"+commit {
		t.Errorf("with a grant: %+v, %v", r.Message.Grants, err)
	}
	in.Parent = "child"
	var lead *memory.LeadError
	if _, err := b.Broadcast(t.Context(), in); !errors.As(err, &lead) {
		t.Errorf("by a child: %v", err)
	}
	in.Parent, in.Instructions = "", []string{strings.Repeat("long words ", 44), strings.Repeat("long words ", 44)}
	in.Goal = strings.Repeat("more words ", 44)
	for range 4 {
		in.Instructions = append(in.Instructions, in.Instructions...)
	}
	before, _ := b.Grants(t.Context(), "child")
	if _, err := b.Broadcast(t.Context(), in); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("no room: %v", err)
	}
	after, _ := b.Grants(t.Context(), "child")
	if n := len(slices.DeleteFunc(after.Grants, func(g memory.GrantState) bool { return g.State != "open" })); n != len(before.Grants) {
		t.Errorf("%d grants are open, before %d", n, len(before.Grants))
	}
	if _, err := b.Broadcast(t.Context(), memory.BroadcastInput{Child: "child"}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("for nothing: %v", err)
	}
}

// TestBroadcastChecksEvidence: however long it takes to see that evidence has drifted
// (here, by hashing), up to two seconds, the brief says so.
func TestBroadcastChecksEvidence(t *testing.T) {
	c := newCode(t)
	var file strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&file, "line %d %s\n", i, strings.Repeat("long ", 20))
	}
	c.file("big.txt", file.String())
	gitIn(t, c.dir, "add", "big.txt")
	for i := range 6 {
		c.commit(memory.CommitInput{Claim: fmt.Sprintf("Refund rule %d.", i), Key: fmt.Sprintf("domain/pay/r%d", i), Kind: "constraint",
			Pointers: []memory.Pointer{{Ref: fmt.Sprintf("repo:big.txt#L%d-L%d", 100*i+1, 100*i+8)}}})
	}
	c.file("big.txt", strings.ReplaceAll(file.String(), "line", "row"))
	r, err := c.Broadcast(t.Context(), memory.BroadcastInput{Child: "child", Goal: "what refund rules say"})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(r.Text, "drifted"); n != 6 || len(r.Notes) > 0 {
		t.Errorf("%d of 6 have drifted, notes %q\n%s", n, r.Notes, r.Text)
	}
}

// TestBroadcastFits: however much there is, it keeps to lines and tokens.
func TestBroadcastFits(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("billing/refund.go")
	var ins []memory.CommitInput
	for i := range 60 {
		ins = append(ins, memory.CommitInput{
			Claim: fmt.Sprintf("Refund rule %d says: \"at most %d\" in a day, and \\ nothing else of it.", i, i), Key: fmt.Sprintf("domain/pay/r%d", i),
			Kind: []string{"fact", "constraint", "decision"}[i%3], Pointers: []memory.Pointer{{Ref: fmt.Sprintf("repo:billing/refund.go#L%d@%s", i%10+1, commit)}},
		})
	}
	if _, err := b.CommitAll(t.Context(), ins); err != nil {
		t.Fatal(err)
	}
	r, err := b.Broadcast(t.Context(), memory.BroadcastInput{Child: "child", Goal: "what refund rules say"})
	if err != nil || r.Tokens > 800 || r.Lines > 30 || r.Tokens < 700 || r.Omitted == 0 || len(r.Message.TargetPointerPack) < 2 {
		t.Errorf("%d tokens, %d lines, %d left out, %v\n%s", r.Tokens, r.Lines, r.Omitted, err, r.Text)
	}
	if facts.Tokens(r.Text) != r.Tokens {
		t.Errorf("%d tokens, not %d", facts.Tokens(r.Text), r.Tokens)
	}
}

// TestDelegate: seed 3's five steps.
func TestDelegate(t *testing.T) {
	b := newMemory(t)
	b.tenLines("a.go")
	long := "Check that a refund is paid once.\n\nThe queue may deliver twice. " + strings.Repeat("Look at every path. ", 40)
	task, err := b.Delegate(t.Context(), memory.TaskInput{Flow: "refunds", ID: "7", Child: "reviewer", Parent: "boss", Task: long})
	if err != nil || task.Key != "sdd/refunds/7/reviewer" {
		t.Fatalf("%+v, %v", task, err)
	}
	if strings.Contains(task.Prompt, "paid once") || !strings.Contains(task.Prompt, "engram get "+task.Key) || !strings.Contains(task.Prompt, "engram_get") || facts.Tokens(task.Prompt) > 400 {
		t.Errorf("the prompt has %d tokens:\n%s", facts.Tokens(task.Prompt), task.Prompt)
	}
	f := b.get(task.Key)
	if f.Kind != "todo" || f.Claim != "task: Check that a refund is paid once." || !strings.HasPrefix(f.Detail, "Check that") || !strings.HasSuffix(f.Detail, "every path.") {
		t.Errorf("%+v", f)
	}
	if keys := b.query(memory.QueryInput{Question: "task: refund"}).Results; len(keys) != 1 || keys[0].Key.String() != task.Key {
		t.Errorf("the task is found as %v", keys)
	}
	if _, err := b.Deref(t.Context(), memory.DerefInput{Ref: "a.go:1", Agent: "reviewer"}); err != nil {
		t.Fatal(err)
	}
	r, err := b.Report(t.Context(), memory.ReportInput{Key: task.Key, Result: "A retry pays twice.", Agent: "reviewer", Pointers: []memory.Pointer{{Ref: "a.go:2-3"}}})
	if err != nil || r.Supersedes != task.FactID {
		t.Fatalf("%+v, %v", r, err)
	}
	f = b.get(task.Key)
	if f.Kind != "fact" || f.Claim != "result: A retry pays twice." || f.AgentID != "reviewer" || len(f.Pointers) != 1 || f.Pointers[0].Digest == "" || f.Detail != "" {
		t.Errorf("%+v", f)
	}
	if d, err := b.Deref(t.Context(), memory.DerefInput{Ref: "a.go:2-3", Agent: "reviewer"}); err != nil || d.Turn == nil || d.Turn.RepoSpans != 1 {
		t.Errorf("a turn after the result: %+v, %v", d.Turn, err)
	}
	if keys := b.query(memory.QueryInput{Question: "result: retry"}).Results; len(keys) != 1 {
		t.Errorf("the result is found as %v", keys)
	}
	b.commit(memory.CommitInput{Claim: "No task.", Key: "domain/a/b"})
	for name, err := range map[string]error{
		"a slash":   second(b.Delegate(t.Context(), memory.TaskInput{Flow: "a/b", ID: "1", Child: "c", Task: "x"})),
		"no task":   second(b.Delegate(t.Context(), memory.TaskInput{Flow: "a", ID: "1", Child: "c"})),
		"no child":  second(b.Delegate(t.Context(), memory.TaskInput{Flow: "a", ID: "1", Task: "x"})),
		"no result": second(b.Report(t.Context(), memory.ReportInput{Key: task.Key})),
		"of a fact": second(b.Report(t.Context(), memory.ReportInput{Key: "domain/a/b", Result: "x"})),
	} {
		if !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := second(b.Report(t.Context(), memory.ReportInput{Key: "sdd/x/y/z", Result: "x"})); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no such task: %v", err)
	}
}

// TestSameTaskForTwo: two agents are told the same and find the same, each at its own key.
func TestSameTaskForTwo(t *testing.T) {
	b := newMemory(t)
	for _, child := range []string{"a", "b"} {
		task, err := b.Delegate(t.Context(), memory.TaskInput{Flow: "review", ID: "1", Child: child, Task: "Review the change."})
		if err != nil || task.Key != "sdd/review/1/"+child {
			t.Fatalf("%+v, %v", task, err)
		}
	}
	for _, child := range []string{"a", "b"} {
		for _, want := range []string{"update", "none"} {
			r, err := b.Report(t.Context(), memory.ReportInput{Key: "sdd/review/1/" + child, Result: "Nothing.", Agent: child})
			if err != nil || r.Key != "sdd/review/1/"+child || r.MemoryOp != want {
				t.Errorf("%s: %+v, %v", child, r, err)
			}
		}
	}
}

// TestDelegatedState: the state of a delegated task has the whole of its goal, and the events that
// it points to.
func TestDelegatedState(t *testing.T) {
	b := newMemory(t)
	b.tenLines("a.go")
	long := "Check " + strings.Repeat("that a refund is paid once, ", 30) + "and no more."
	text := long + "\n\nConstraints:\n- this is what the parent wrote\nand no packet"
	task, err := b.Delegate(t.Context(), memory.TaskInput{
		Flow: "refunds", ID: "7", Child: "reviewer", Parent: "boss", Task: text, Detail: "The queue\n\nmay deliver twice.", Plan: " 2\tretries ", Constraints: []string{"read\nonly"},
		Acceptance: []string{"a test", "a second test"}, Pointers: []memory.Pointer{{Ref: "a.go:2-3"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	state, err := b.SetTaskState(t.Context(), memory.SetTaskStateInput{From: task.Key, OpenLoops: []string{}, Agent: "reviewer"})
	if err != nil {
		t.Fatal(err)
	}
	want := memory.TaskState{
		Goals: []string{long}, Constraints: []string{"read only"}, OpenLoops: []string{}, NextActions: []string{}, KeyEvents: []string{},
		Extensions: map[string]json.RawMessage{"plan": json.RawMessage(`{"task":"sdd/refunds/7/reviewer","node":"2 retries","parent":"boss"}`)},
	}
	if diff := cmp.Diff(want, state.Current.State); diff != "" || state.Task != "sdd.refunds.7.reviewer" || state.Current.Session != "task-sdd.refunds.7.reviewer" {
		t.Errorf("%s in %s (-want +got):\n%s", state.Task, state.Current.Session, diff)
	}
	many := memory.ReportInput{Key: task.Key, Result: "Many.", Agent: "reviewer"}
	for i := range 13 {
		many.Findings = append(many.Findings, memory.TaskFinding{Text: "x", Pointers: []string{fmt.Sprint("a.go:1-", i%10+1), fmt.Sprint("a.go:2-", i%9+2)}})
	}
	if _, err := b.Report(t.Context(), many); !errors.Is(err, memory.ErrUsage) || !strings.Contains(err.Error(), "at most 12 fit") {
		t.Errorf("too many pointers: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestPointersOf(t *testing.T) {
	b := newMemory(t)
	commit := b.tenLines("docs/refunds.md")
	in := memory.RetrievedInput{Question: "how are refunds paid?", Passages: []memory.Retrieved{
		{Text: "line 2 of docs/refunds.md\nline 3 of docs/refunds.md", Path: "docs/refunds.md", Score: 0.9},
		{Text: "line 5   of docs/refunds.md", Path: b.dir + "/docs/refunds.md"},
		{Text: "nothing of the kind stands there", Path: "./docs/refunds.md"},
		{Text: "x", Path: "https://example.com/a"},
		{Text: "x", Path: "/etc/passwd"},
		{Text: "x", Path: "../x"},
		{Text: "x", Path: "unknown_source"},
		{Text: "x", Path: ".git/config"},
		{Text: "x", Path: "docs"},
		{Text: "x"},
	}}
	r, err := b.PointersOf(t.Context(), in)
	if err != nil || r.Dropped != 6 || len(r.Items) != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []string{"repo:docs/refunds.md#L2-L3@" + commit, "repo:docs/refunds.md#L5@" + commit, "repo:docs/refunds.md@" + commit, "url:https://example.com/a"} {
		if got := r.Items[i].Pointer; got.Ref != want || got.Type != "url" && got.Digest == "" || r.Items[i].Excerpt != "" {
			t.Errorf("item %d is %+v, want %s", i, r.Items[i], want)
		}
	}
	e := r.Items[0].Engram
	if e == nil || e.Claim != "This span likely answers: how are refunds paid?" || *e.Confidence != 0.9 || e.TTL != "P7D" || e.Provenance.Source != "rag" {
		t.Errorf("%+v", e)
	}
	if e := r.Items[2].Engram; *e.Confidence >= memory.ReachFloor || e.Scope != "run" {
		t.Errorf("of a whole file: %+v", e)
	}
	for _, item := range r.Items[:3] {
		if _, err := b.PutEngram(t.Context(), memory.PutInput{Engram: *item.Engram, Agent: "worker"}); err != nil {
			t.Errorf("%s cannot be put: %v", item.Pointer.Ref, err)
		}
	}
	in.Excerpts, in.Agent = true, "worker"
	in.Passages = in.Passages[:2]
	for i := range 4 {
		in.Passages = append(in.Passages, memory.Retrieved{Text: fmt.Sprintf("line %d of docs/refunds.md", i+6), Path: "docs/refunds.md"})
	}
	r, err = b.PointersOf(t.Context(), in)
	if err != nil || len(r.Items) != 6 || r.Items[0].Excerpt == "" || r.Items[2].Excerpt == "" || r.Items[3].Excerpt != "" || len(r.Notes) != 1 {
		t.Errorf("excerpts: %+v, %v", r, err)
	}
	in.Agent = ""
	if r, err = b.PointersOf(t.Context(), in); err != nil || r.Items[0].Excerpt != "" || len(r.Notes) != 1 {
		t.Errorf("nobody pays: %+v, %v", r, err)
	}
}

// TestMessagesHoldNoSecret: in no field of a message or a brief.
func TestMessagesHoldNoSecret(t *testing.T) {
	b := newMemory(t)
	ref := "repo:a.go#L1-L3@" + b.tenLines("a.go")
	asks := strings.Replace(reportOf(wireEngram("A refund is paid twice.", ref)), "OUTPUT:",
		"DEREF_REQUESTS:\n  - pointer: { type: repo, ref: \""+ref+"\" }\n    reason: to see the retry\nOUTPUT:", 1) + "  next: Wait.\n"
	if r, err := b.ValidateMessage(t.Context(), memory.MessageInput{Text: []byte(asks), Agent: "child"}); err != nil || !r.OK {
		t.Fatalf("%+v, %v", r, err)
	}
	tip := b.tip()
	for field, old := range map[string]string{
		"ROLE": "ROLE: reviewer", "TASK_STATUS": "TASK_STATUS: done", "OUTPUT.summary": "One risk was found.", "OUTPUT.next": "next: Wait.",
		"DEREF_REQUESTS[0].reason": "to see the retry", "ENGRAMS[0].claim": "A refund is paid twice.",
	} {
		in := memory.MessageInput{Text: []byte(strings.Replace(asks, old, old+" "+marker, 1)), Agent: "child"}
		for name, send := range map[string]func() error{
			"validate": func() error { return second(b.ValidateMessage(t.Context(), in)) },
			"submit":   func() error { return second(b.Submit(t.Context(), in)) },
		} {
			var secret *memory.SecretError
			err := send()
			if code, _ := memory.Classify(err); !errors.As(err, &secret) || secret.Field != field || code != memory.CodeRefused || strings.Contains(err.Error(), marker) {
				t.Errorf("%s, %s: %v", field, name, err)
			}
		}
	}
	for name, in := range map[string]memory.BroadcastInput{
		"goal": {Goal: "pay " + marker}, "instructions": {Goal: "pay", Instructions: []string{"use " + marker}}, "parent_role": {Goal: "pay", ParentRole: marker},
	} {
		var secret *memory.SecretError
		if _, err := b.Broadcast(t.Context(), in); !errors.As(err, &secret) || secret.Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
}
