package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/hooks"
	"engram/memory"
	"engram/recall/window"
	"engram/secret"
)

// mind is a memory that says to an agent what it is told to.
type mind struct {
	fake
	brief func(context.Context, memory.BriefInput) (memory.BriefResult, error)
	state string // of the task
}

func (m mind) Brief(ctx context.Context, in memory.BriefInput) (memory.BriefResult, error) {
	return m.brief(ctx, in)
}

func (m mind) ReadyBrief(ctx context.Context, in memory.BriefInput) (string, error) {
	r, err := m.brief(ctx, in)
	if err != nil || r.Empty() {
		return "", err
	}
	return strings.TrimSuffix(r.Text(), "\n"), nil
}

func saying(claim string) mind {
	return mind{brief: func(context.Context, memory.BriefInput) (memory.BriefResult, error) {
		return memory.BriefResult{Answer: memory.Answer{Revision: "0123456789abcdef"}, Constraints: []memory.BriefFact{{Claim: claim, Kind: "constraint"}}}, nil
	}}
}

// agent runs a hook of an agent, and says what the client got.
func (r *repo) agent(m hooks.AgentMemory, event string, change func(*hooks.AgentOptions)) string {
	r.t.Helper()
	var out lockedBuffer
	o := hooks.AgentOptions{
		Event: event, Client: hooks.ClaudeCode, Dir: r.dir, Stdin: strings.NewReader("{}"), Stdout: &out, Now: time.Now, Time: 20 * time.Second,
		Configure: func(hooks.Place) (hooks.AgentSettings, error) { return hooks.AgentSettings{Branch: "engram"}, nil },
		Open: func(context.Context, hooks.Place, string) (hooks.AgentMemory, func(), error) {
			return m, func() {}, nil
		},
	}
	if change != nil {
		change(&o)
	}
	hooks.Agent(r.t.Context(), o)
	return out.String()
}

// lockedBuffer may still be written to by what is called off.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestAgentForms: every client gets at every event what it takes, as one object
// or as text, and never anything that would stop it or make it go on.
func TestAgentForms(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	m := saying("Be <careful>.")
	m.settle = func(context.Context) (memory.SettleResult, error) {
		return memory.SettleResult{Opened: []memory.Conflict{{ConflictID: "x", Clash: memory.Clash{Verdict: "contradiction", Explanation: "30 here,\x1b[2J 45 there"}}}}, nil
	}
	for _, client := range append(hooks.AgentClients(), hooks.AnyClient, "nobody") {
		for _, event := range append(hooks.AgentEvents(), "no-such-event") {
			r.memoryBranch() // there is something to settle
			got := r.agent(m, event, func(o *hooks.AgentOptions) { o.Client = client })
			for _, bad := range []string{`"decision"`, "followup_message", `"continue"`, "stopReason", "\x1b"} {
				if strings.Contains(got, bad) {
					t.Errorf("%s, %s: %s", client, event, got)
				}
			}
			var object map[string]any
			isObject := json.Unmarshal([]byte(got), &object) == nil
			want := map[string]string{
				"claude-code session-start": "hookSpecificOutput", "codex session-start": "hookSpecificOutput", "gemini session-start": "hookSpecificOutput",
				"cursor session-start": "additional_context", "claude-code stop": "systemMessage", "codex stop": "systemMessage", "gemini stop": "systemMessage",
				"claude-code pre-compact": "text", "opencode session-start": "text", "opencode pre-compact": "text", "opencode stop": "text",
				" session-start": "text", " pre-compact": "text", " stop": "text",
			}[client+" "+event]
			switch {
			case want == "":
				if got != "" {
					t.Errorf("%s, %s: %s", client, event, got)
				}
			case want == "text":
				if got == "" || isObject {
					t.Errorf("%s, %s: %s", client, event, got)
				}
			case !isObject || len(object) != 1 || object[want] == nil:
				t.Errorf("%s, %s: %s", client, event, got)
			}
		}
	}
}

// TestAgentFails: whatever goes wrong, nothing is said, in time.
func TestAgentFails(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	over := make(chan struct{})
	defer close(over)
	hangs := func(context.Context) error { <-over; return nil } // it does not even look at the context
	for name, change := range map[string]func(*hooks.AgentOptions){
		"the memory cannot be opened": func(o *hooks.AgentOptions) {
			o.Open = func(context.Context, hooks.Place, string) (hooks.AgentMemory, func(), error) {
				return nil, nil, errors.New("no")
			}
		},
		"opening panics": func(o *hooks.AgentOptions) {
			o.Open = func(context.Context, hooks.Place, string) (hooks.AgentMemory, func(), error) { panic("no") }
		},
		"opening hangs": func(o *hooks.AgentOptions) {
			o.Open = func(ctx context.Context, _ hooks.Place, _ string) (hooks.AgentMemory, func(), error) {
				return nil, nil, hangs(ctx)
			}
		},
		"configuration panics": func(o *hooks.AgentOptions) {
			o.Configure = func(hooks.Place) (hooks.AgentSettings, error) { panic("no") }
		},
		"configuration is wrong": func(o *hooks.AgentOptions) {
			o.Configure = func(hooks.Place) (hooks.AgentSettings, error) { return hooks.AgentSettings{}, errors.New("no") }
		},
		"there is no repository": func(o *hooks.AgentOptions) { o.Dir = t.TempDir() },
		"the memory hangs": func(o *hooks.AgentOptions) {
			o.Open = opens(mind{brief: func(ctx context.Context, _ memory.BriefInput) (memory.BriefResult, error) {
				return memory.BriefResult{}, hangs(ctx)
			}, fake: fake{settle: func(ctx context.Context) (memory.SettleResult, error) { return memory.SettleResult{}, hangs(ctx) }}})
		},
		"the memory panics": func(o *hooks.AgentOptions) {
			o.Open = opens(mind{brief: func(context.Context, memory.BriefInput) (memory.BriefResult, error) { panic("no") },
				fake: fake{settle: func(context.Context) (memory.SettleResult, error) { panic("no") }}})
		},
	} {
		for _, event := range []string{hooks.SessionStart, hooks.Stop} {
			must(t, os.RemoveAll(r.path(".git/engram")))
			if said := r.agent(saying("x"), event, func(o *hooks.AgentOptions) { change(o); o.Time = 300 * time.Millisecond }); said != "" {
				t.Errorf("%s, %s: %q", event, name, said)
			}
		}
	}
}

func opens(m hooks.AgentMemory) func(context.Context, hooks.Place, string) (hooks.AgentMemory, func(), error) {
	return func(context.Context, hooks.Place, string) (hooks.AgentMemory, func(), error) {
		return m, func() {}, nil
	}
}

// TestAgentListens: a client that says nothing and does not end is waited for
// shortly; what it says too much is read away.
func TestAgentListens(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	in, out := io.Pipe()
	defer out.Close()
	if said := r.agent(saying("told"), hooks.SessionStart, func(o *hooks.AgentOptions) { o.Stdin = in }); !strings.Contains(said, "told") {
		t.Errorf("a client that says nothing: %q", said)
	}
	in, out = io.Pipe()
	wrote := make(chan error, 1)
	go func() {
		_, err := out.Write([]byte(`{"cwd":` + quotedPath(r.dir) + `,"more":"` + strings.Repeat("x", 10<<20) + `"}`))
		out.Close()
		wrote <- err
	}()
	if said := r.agent(saying("told"), hooks.SessionStart, func(o *hooks.AgentOptions) { o.Stdin = in }); !strings.Contains(said, "told") {
		t.Errorf("a client that says too much: %q", said)
	}
	if err := <-wrote; err != nil {
		t.Errorf("a client that says too much is cut off: %v", err)
	}
}

func quotedPath(path string) string {
	b, _ := json.Marshal(path)
	return string(b)
}

// TestStopRests: a stop that was late leaves the next ones in peace, and so does
// one whose process was killed.
func TestStopRests(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	var calls atomic.Int32 // a hook that is late goes on in the background
	m := mind{fake: fake{settle: func(ctx context.Context) (memory.SettleResult, error) {
		calls.Add(1)
		<-ctx.Done()
		return memory.SettleResult{}, ctx.Err()
	}}}
	now := time.Now()
	stop := func() {
		r.agent(m, hooks.Stop, func(o *hooks.AgentOptions) {
			o.Time, o.Now = 200*time.Millisecond, func() time.Time { return now }
		})
	}
	stop()
	stop()
	if calls.Load() != 1 {
		t.Errorf("called %d times", calls.Load())
	}
	now = now.Add(11 * time.Minute)
	m.settle = func(context.Context) (memory.SettleResult, error) { calls.Add(1); return memory.SettleResult{}, nil }
	stop()
	stop() // is settled
	if calls.Load() != 2 {
		t.Errorf("called %d times after the rest", calls.Load())
	}
	r.memoryBranch()
	stop()
	if calls.Load() != 3 {
		t.Errorf("called %d times after a change", calls.Load())
	}
	r.memoryBranch()
	m.settle = func(context.Context) (memory.SettleResult, error) {
		calls.Add(1)
		return memory.SettleResult{Notes: []string{"1000 facts are not audited yet"}}, nil
	}
	stop()
	stop()
	if calls.Load() != 4 {
		t.Errorf("called %d times where there is too much to do", calls.Load())
	}
}

// TestChangedFiles: staged, changed and new files come first, then what was
// committed since the trunk; nothing of git's is touched.
func TestChangedFiles(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"old", "trunk-only", "dir/deep"} {
		write(t, r.path(name), "1\n", 0o644)
	}
	r.git("add", ".")
	r.git("commit", "-qm", "files")
	r.git("checkout", "-q", "-b", "work")
	write(t, r.path("committed"), "1\n", 0o644)
	r.git("add", ".")
	r.git("commit", "-qm", "work")
	r.git("checkout", "-q", "main")
	write(t, r.path("trunk-only"), "2\n", 0o644)
	r.git("commit", "-qam", "trunk")
	r.git("checkout", "-q", "work")
	r.memoryBranch()
	write(t, r.path("dir/deep"), "2\n", 0o644)
	write(t, r.path("a \"name\"\n"), "1\n", 0o644)
	r.git("add", "a \"name\"\n")
	write(t, r.path("new folder/x"), "1\n", 0o644)
	before := snapshot(t, r.dir, ".git/engram")
	var got []string
	ask := mind{brief: func(_ context.Context, in memory.BriefInput) (memory.BriefResult, error) {
		got = in.Files
		return memory.BriefResult{}, nil
	}}
	r.agent(ask, hooks.SessionStart, nil)
	if diff := cmp.Diff([]string{"a \"name\"\n", "dir/deep", "new folder/", "committed"}, got); diff != "" {
		t.Error(diff)
	}
	if after := snapshot(t, r.dir, ".git/engram"); after != before {
		t.Error(cmp.Diff(before, after))
	}
	for i := range 300 {
		write(t, r.path("many/"+strings.Repeat("f", i+1)[:min(i+1, 100)]+string(rune('a'+i%26))+time.Duration(i).String()), "", 0o644)
	}
	r.git("add", "many")
	r.agent(ask, hooks.SessionStart, nil)
	if len(got) != 200 || slices.Contains(got, "committed") {
		t.Errorf("%d files", len(got))
	}
	r.git("checkout", "-qf", "--detach")
	r.agent(ask, hooks.SessionStart, func(o *hooks.AgentOptions) { o.Dir = filepath.Join(r.dir, "dir") })
	if len(got) == 0 {
		t.Error("nothing is changed where HEAD is detached, in a folder")
	}
}

// FuzzAgentEvent: whatever a client says, it is taken for an event or for none.
func FuzzAgentEvent(f *testing.F) {
	for _, text := range []string{
		"", "{}", "null", "[]", "7", `"x"`, "{", `{"cwd":"/x","session_id":"s","source":"resume"}`, `{"cwd":7,"session_id":[],"source":{}}`,
		`{"workspace_roots":["/a","/b"],"conversation_id":"c"}`, "\xef\xbb\xbf{\"cwd\":\"/x\"}", `{"cwd":"/x"} and more`, strings.Repeat("[", 20000),
		`{"cwd":"\ud800"}`, "{\"cwd\":\"\x00\"}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		session, source, folders := hooks.ReadEvent(bytes.NewReader(text))
		if !bytes.Contains(text, []byte("{")) && (session != "" || source != "" || len(folders) > 0) {
			t.Fatalf("%q is taken for an event", text)
		}
	})
}

func TestReadEvent(t *testing.T) {
	for text, want := range map[string]string{
		`{"cwd":"/x","session_id":"s","source":"resume"}`:                  "s resume /x",
		`{"conversation_id":"c","workspace_roots":["/a","/b"],"cwd":"/d"}`: "c  /d /a /b",
		"\xef\xbb\xbf{\"cwd\":\"/x\"}":                                     "  /x",
		`{"cwd":"/x"} trailing`:                                            "  /x",
		`{"cwd":7,"source":"clear"}`:                                       " clear ",
		`not json`:                                                         "  ",
		`[{"cwd":"/x"}]`:                                                   "  ",
	} {
		session, source, folders := hooks.ReadEvent(strings.NewReader(text))
		if got := session + " " + source + " " + strings.Join(folders, " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestAgentBegins: what git clone fetched is a memory, loose or packed, of a remote
// of any name; a code branch of that name is none.
func TestAgentBegins(t *testing.T) {
	for name, tt := range map[string]struct {
		ref    string
		packed bool
		begins bool
	}{
		"loose":          {"refs/remotes/origin/engram", false, true},
		"packed":         {"refs/remotes/upstream/engram", true, true},
		"another branch": {"refs/remotes/origin/feature/engram", true, false},
		"nothing":        {"refs/heads/other", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.git("commit", "--quiet", "--allow-empty", "-m", "begin")
			r.git("update-ref", tt.ref, "HEAD")
			if tt.packed {
				r.git("pack-refs", "--all")
			}
			settled := 0
			m := saying("Be careful.")
			m.settle = func(context.Context) (memory.SettleResult, error) { settled++; return memory.SettleResult{}, nil }
			got := r.agent(m, hooks.SessionStart, nil)
			if (settled == 1) != tt.begins || (got != "") != tt.begins {
				t.Errorf("settled %d times, said %q", settled, got)
			}
			r.memoryBranch()
			if r.agent(m, hooks.SessionStart, nil); settled > 1 || !tt.begins && settled > 0 {
				t.Error("a memory that is here is settled again")
			}
		})
	}
}

func (mind) SealSession(context.Context, string, int64) error { return nil }
func (mind) SealSessions(context.Context, int64) error        { return nil }

func (m mind) Pack(context.Context, memory.PackInput) (r memory.PackResult, err error) {
	if m.state != "" {
		r.Pack, err = window.Build(window.Parts{Task: m.state}, window.Budgets{})
	}
	return r, err
}

func (mind) ReadySession(context.Context, string, int64) (bool, error) { return false, nil }

// TestAfterCompaction: what was looked for before a compaction is told after it; and a brief that
// takes too long does not keep back what left the window.
func TestAfterCompaction(t *testing.T) {
	r := newRepo(t)
	r.memoryBranch()
	write(t, r.path("changed.go"), "package x\n", 0o644)
	var asked []memory.BriefInput
	m := mind{brief: func(_ context.Context, in memory.BriefInput) (memory.BriefResult, error) {
		asked = append(asked, in)
		return memory.BriefResult{Answer: memory.Answer{Revision: "0123456789abcdef"}, Constraints: []memory.BriefFact{{Claim: "No downtime.", Kind: "constraint"}}}, nil
	}, state: "Task state"}
	on := func(source string) func(*hooks.AgentOptions) {
		return func(o *hooks.AgentOptions) {
			o.Stdin = strings.NewReader(`{"session_id":"s","transcript_path":"` + r.path("t.jsonl") + `","source":"` + source + `"}`)
			o.Configure = func(hooks.Place) (hooks.AgentSettings, error) {
				return hooks.AgentSettings{Branch: "engram", Capture: true}, nil
			}
			o.Scanner = secret.New()
		}
	}
	write(t, r.path("t.jsonl"), `{"type":"user","sessionId":"s","uuid":"1","timestamp":"2026-04-30T12:00:00Z","message":{"role":"user","content":"Hello."}}`+"\n", 0o644)
	r.agent(m, hooks.PreCompact, on(""))
	write(t, r.path("another.go"), "package x\n", 0o644) // it is not looked for again
	said := r.agent(m, hooks.SessionStart, on("compact"))
	if len(asked) != 2 || !slices.Contains(asked[0].Files, "changed.go") || !slices.Equal(asked[0].Files, asked[1].Files) || asked[0].Budget != asked[1].Budget {
		t.Errorf("asked %+v", asked)
	}
	if !strings.Contains(said, "No downtime.") || !strings.Contains(said, "Task state") {
		t.Errorf("told %q", said)
	}
	m.brief = func(ctx context.Context, _ memory.BriefInput) (memory.BriefResult, error) {
		<-ctx.Done()
		time.Sleep(time.Minute)
		return memory.BriefResult{}, ctx.Err()
	}
	said = r.agent(m, hooks.SessionStart, func(o *hooks.AgentOptions) { on("compact")(o); o.Time = 300 * time.Millisecond })
	if !strings.Contains(said, "Task state") {
		t.Errorf("a slow brief: %q", said)
	}
}
