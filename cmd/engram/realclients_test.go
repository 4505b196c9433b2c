//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// move is one answer of the scripted model: it calls a tool, or says its last word.
type move struct {
	say   string
	tool  string
	input any
	stall bool // it says the text, and never ends
	used  int  // tokens of the window, which has a client compact it
}

// scripted is a model that answers by a script. It speaks what the clients speak with
// theirs.
type scripted struct {
	*httptest.Server
	mu      sync.Mutex
	moves   []move
	asked   []string // what clients sent, whole
	count   int
	stalled chan struct{} // gets a value when a stalling move was sent
	over    chan struct{}
}

func newScripted(t *testing.T) *scripted {
	s := &scripted{stalled: make(chan struct{}, 10), over: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		close(s.over)
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// play is the script of what follows.
func (s *scripted) play(moves ...move) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moves = moves
}

// lastAsked is the last thing that a client sent.
func (s *scripted) lastAsked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return ""
	}
	return s.asked[len(s.asked)-1]
}

// next returns the next move. Questions without tools are the client's own, such as one
// for a title.
func (s *scripted) next(tools bool) (move, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	if !tools || len(s.moves) == 0 {
		return move{say: "Nothing to add."}, s.count
	}
	m := s.moves[0]
	s.moves = s.moves[1:]
	return m, s.count
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Model string
		Tools []any
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &asked)
	send := func(event string, data map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		text, _ := json.Marshal(data)
		if event != "" {
			fmt.Fprintf(w, "event: %s\n", event)
		}
		fmt.Fprintf(w, "data: %s\n\n", text)
		w.(http.Flusher).Flush()
	}
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if _, method, ok := strings.Cut(name, ":"); ok { // of Gemini
		name = method
	}
	answer := map[string]func(move, int) bool{
		"messages":              func(m move, n int) bool { return anthropic(send, asked.Model, m, n) },
		"responses":             func(m move, n int) bool { return openai(send, m, n) },
		"completions":           func(m move, n int) bool { return completions(send, m, n) },
		"streamGenerateContent": func(m move, n int) bool { return gemini(send, m, n) },
		"generateContent":       func(move, int) bool { return geminiSummary(w) },
	}[name]
	if answer == nil || r.Method != http.MethodPost {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"input_tokens":10}`)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, string(body))
	s.mu.Unlock()
	m, n := s.next(len(asked.Tools) > 0)
	if answer(m, n) {
		return
	}
	s.stalled <- struct{}{}
	select {
	case <-r.Context().Done():
	case <-s.over:
	}
}

// anthropic sends a move as the messages API does; it reports whether the answer ended.
func anthropic(send func(string, map[string]any), model string, m move, n int) bool {
	send("message_start", map[string]any{"type": "message_start", "message": map[string]any{
		"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10 + m.used, "output_tokens": 1},
	}})
	index := 0
	block := func(start, delta map[string]any) {
		send("content_block_start", map[string]any{"type": "content_block_start", "index": index, "content_block": start})
		send("content_block_delta", map[string]any{"type": "content_block_delta", "index": index, "delta": delta})
		send("content_block_stop", map[string]any{"type": "content_block_stop", "index": index})
		index++
	}
	reason := "end_turn"
	if m.say != "" {
		block(map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": m.say})
	}
	if m.stall {
		return false
	}
	if m.tool != "" {
		reason = "tool_use"
		input, _ := json.Marshal(m.input)
		block(map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": m.tool, "input": map[string]any{}},
			map[string]any{"type": "input_json_delta", "partial_json": string(input)})
	}
	send("message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 20}})
	send("message_stop", map[string]any{"type": "message_stop"})
	return true
}

// openai sends a move as the responses API does; it reports whether the answer ended.
func openai(send func(string, map[string]any), m move, n int) bool {
	event := func(name string, fields map[string]any) {
		fields["type"] = name
		send(name, fields)
	}
	id := fmt.Sprintf("resp_%d", n)
	event("response.created", map[string]any{"response": map[string]any{"id": id}})
	if m.say != "" {
		event("response.output_item.done", map[string]any{"output_index": 0, "item": map[string]any{
			"type": "message", "role": "assistant", "id": fmt.Sprintf("msg_%d", n), "content": []any{map[string]any{"type": "output_text", "text": m.say}},
		}})
	}
	if m.stall {
		return false
	}
	if m.tool != "" {
		input, _ := json.Marshal(m.input)
		event("response.output_item.done", map[string]any{"output_index": 1, "item": map[string]any{
			"type": "function_call", "id": fmt.Sprintf("fc_%d", n), "call_id": fmt.Sprintf("call_%d", n), "name": m.tool, "arguments": string(input),
		}})
	}
	event("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": map[string]any{
		"input_tokens": 10 + m.used, "input_tokens_details": nil, "output_tokens": 20, "output_tokens_details": nil, "total_tokens": 30 + m.used,
	}}})
	return true
}

// completions sends a move as the chat completions API does; it reports whether the answer ended.
func completions(send func(string, map[string]any), m move, n int) bool {
	chunk := func(end any, delta map[string]any) {
		send("", map[string]any{
			"id": fmt.Sprintf("chat_%d", n), "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": end}},
			"usage":   map[string]any{"prompt_tokens": 10 + m.used, "completion_tokens": 20, "total_tokens": 30 + m.used},
		})
	}
	chunk(nil, map[string]any{"role": "assistant", "content": m.say})
	if m.stall {
		return false
	}
	if m.tool == "" {
		chunk("stop", map[string]any{})
		return true
	}
	input, _ := json.Marshal(m.input)
	chunk(nil, map[string]any{"tool_calls": []any{map[string]any{
		"index": 0, "id": fmt.Sprintf("call_%d", n), "type": "function", "function": map[string]any{"name": m.tool, "arguments": string(input)},
	}}})
	chunk("tool_calls", map[string]any{})
	return true
}

// geminiSummary answers Gemini CLI's own questions: that for a summary, when it compresses.
func geminiSummary(w http.ResponseWriter) bool {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":"<state_snapshot>The gateway has a README.</state_snapshot>"}]}}],`+
		`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":20,"totalTokenCount":30}}`)
	return true
}

// gemini sends a move as the API of Gemini does; it reports whether the answer ended.
func gemini(send func(string, map[string]any), m move, n int) bool {
	candidate := func(end string, parts ...any) {
		fields := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
		if end != "" {
			fields["finishReason"] = end
		}
		send("", map[string]any{
			"candidates": []any{fields}, "responseId": fmt.Sprintf("resp_%d", n),
			"usageMetadata": map[string]any{"promptTokenCount": 10 + m.used, "candidatesTokenCount": 20, "totalTokenCount": 30 + m.used},
		})
	}
	if m.say != "" {
		candidate("", map[string]any{"text": m.say})
	}
	if m.stall {
		return false
	}
	if m.tool == "" {
		candidate("STOP", map[string]any{"text": ""})
	} else {
		candidate("STOP", map[string]any{"functionCall": map[string]any{"name": m.tool, "args": m.input}})
	}
	return true
}

// client is a real client in a real repository, with a scripted model.
type client struct {
	t                 *testing.T
	name              string // as `engram setup` has it
	program           string
	repo, home, hooks string // hooks has the inputs that hooks got
	engram, wrapper   string // wrapper keeps the inputs of hooks, and runs engram
	env               []string
	model             *scripted
}

// newClient looks for the program of a client: in the folder $ENGRAM_TEST_CLIENTS, or else
// in the PATH.
func newClient(t *testing.T, name, program string) *client {
	if testing.Short() {
		t.Skip("it runs a real client")
	}
	path, err := exec.LookPath(program)
	if dir := os.Getenv("ENGRAM_TEST_CLIENTS"); dir != "" {
		path, err = exec.LookPath(filepath.Join(dir, program))
	}
	if err != nil {
		t.Skipf("there is no %s: put it into the PATH, or ENGRAM_TEST_CLIENTS=DIR with it (CONTRIBUTING.md)", program)
	}
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, name: name, program: path, model: newScripted(t), repo: filepath.Join(dir, "repo"), home: filepath.Join(dir, "home"), hooks: filepath.Join(dir, "hooks")}
	bin := filepath.Join(dir, "bin")
	for _, folder := range []string{c.repo, c.home, c.hooks, bin, filepath.Join(dir, "own")} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.engram, c.wrapper = filepath.Join(dir, "own", "engram"), filepath.Join(bin, "engram")
	mustRun(t, "", nil, "go", "build", "-ldflags", "-s -w", "-o", c.engram, ".")
	// What a hook is told and says is kept beside it: the only place that shows that it ran.
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = hook ] || exec %q \"$@\"\nat=%q/\"$(date +%%s%%N)-$2\"\ntee \"$at\" | %q -v \"$@\" 2>>%q | tee \"$at.said\"\n", c.engram, c.hooks, c.engram, c.log())
	c.file(c.wrapper, script)
	if err := os.Chmod(c.wrapper, 0o755); err != nil {
		t.Fatal(err)
	}
	c.env = []string{
		"PATH=" + bin + string(filepath.ListSeparator) + filepath.Dir(path) + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"HOME=" + c.home, "TMPDIR=" + dir, "TERM=dumb", "LANG=C.UTF-8", "USER=ada", "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
	c.file(filepath.Join(c.home, ".gitconfig"), "[init]\n\tdefaultBranch = main\n")
	c.mustRun("git", "init", "-q")
	c.mustRun("git", "config", "user.name", "Ada") // Gemini CLI hides the configuration of the home folder from git
	c.mustRun("git", "config", "user.email", "ada@example.com")
	c.file(filepath.Join(c.repo, "README.md"), "A gateway.\n")
	c.mustRun("git", "add", ".")
	c.mustRun("git", "commit", "-q", "-m", "First")
	c.mustRun("engram", "init")
	c.mustRun("engram", "hooks", "install")
	t.Cleanup(c.keepInputs)
	return c
}

// log is where the hooks say what they do.
func (c *client) log() string { return filepath.Join(c.hooks, "log") }

// keepInputs writes what the hooks were told into $ENGRAM_TEST_HOOK_INPUTS, without the
// paths of this machine.
func (c *client) keepInputs() {
	dir := os.Getenv("ENGRAM_TEST_HOOK_INPUTS")
	files, _ := filepath.Glob(filepath.Join(c.hooks, "*-*"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || dir == "" || strings.HasSuffix(file, ".said") {
			continue
		}
		_, event, _ := strings.Cut(filepath.Base(file), "-")
		var input struct{ Source string }
		if _ = json.Unmarshal(data, &input); input.Source != "" {
			event += "-" + input.Source
		}
		text := strings.NewReplacer(c.repo, "/repo", c.home, "/home/ada", pathName(c.repo), "-repo").Replace(string(data))
		c.file(filepath.Join(dir, fmt.Sprintf("%s-%s.json", c.name, event)), text)
	}
}

// pathName is how Claude Code names its folder for a repository.
func pathName(path string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return r
		}
		return '-'
	}, path)
}

func (c *client) file(path, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// command is a program that runs as the person of the test does.
func (c *client) command(name string, args ...string) *exec.Cmd {
	for _, dir := range filepath.SplitList(strings.TrimPrefix(c.env[0], "PATH=")) {
		if path := filepath.Join(dir, name); !filepath.IsAbs(name) {
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				name = path
			}
		}
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = c.repo, c.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// run runs a program for a bounded time.
func (c *client) run(name string, args ...string) (string, error) {
	cmd := c.command(name, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return "", err
	}
	stop := time.AfterFunc(2*time.Minute, func() { c.kill(cmd) })
	defer stop.Stop()
	if err := cmd.Wait(); err != nil {
		return out.String(), fmt.Errorf("%w\n%s", err, errs.String())
	}
	return out.String(), nil
}

func (c *client) mustRun(name string, args ...string) string {
	c.t.Helper()
	out, err := c.run(name, args...)
	if err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// kill ends a client and all that it has started, at once.
func (c *client) kill(cmd *exec.Cmd) {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		c.t.Error(err)
	}
}

// hooksRun returns the inputs of the hooks that ran at an event.
func (c *client) hooksRun(event string) (inputs []map[string]any) {
	c.t.Helper()
	files, _ := filepath.Glob(filepath.Join(c.hooks, "*-"+event))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			c.t.Fatal(err)
		}
		var input map[string]any
		if err := json.Unmarshal(data, &input); err != nil {
			c.t.Errorf("%s: %v: %.300s", event, err, data)
			continue
		}
		inputs = append(inputs, input)
	}
	return inputs
}

// clientEvent has the fields of `engram session show --json` that matter here.
type clientEvent struct {
	Kind, Text, Tool, Call, Path string
	Tags, Commits, Facts, Paths  []string
}

// sessions returns the ids of the sessions that are listed.
func (c *client) sessions() (ids []string) {
	c.t.Helper()
	var list struct {
		Sessions []struct {
			ID string `json:"session_id"`
		}
	}
	if err := json.Unmarshal([]byte(c.mustRun("engram", "session", "list", "--json")), &list); err != nil {
		c.t.Fatal(err)
	}
	for _, s := range list.Sessions {
		ids = append(ids, s.ID)
	}
	return ids
}

func (c *client) events(id string) []clientEvent {
	c.t.Helper()
	var shown struct{ Events []clientEvent }
	if err := json.Unmarshal([]byte(c.mustRun("engram", "session", "show", id, "--all", "--full", "--json")), &shown); err != nil {
		c.t.Fatal(err)
	}
	return shown.Events
}

// want checks that an event of a kind with some text is there.
func (c *client) want(events []clientEvent, kind, text string) {
	c.t.Helper()
	if !slices.ContainsFunc(events, func(e clientEvent) bool { return e.Kind == kind && strings.Contains(e.Text, text) }) {
		c.t.Errorf("no %s with %q", kind, text)
	}
}

// sealed waits until nothing of a session is in a journal, and returns its reference.
func (c *client) sealed(id string) string {
	c.t.Helper()
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		ref := strings.TrimSpace(c.mustRun("git", "for-each-ref", "--format=%(refname)", "refs/engram/sessions/*/"+id))
		logs, _ := filepath.Glob(filepath.Join(c.repo, ".git", "engram", "sessions", "live", "*", id, "log"))
		left := 0
		for _, log := range logs {
			if info, err := os.Stat(log); err == nil {
				left += int(info.Size())
			}
		}
		if ref != "" && left == 0 {
			return ref
		}
		if time.Since(begin) > 20*time.Second {
			c.t.Fatalf("session %s is not sealed: reference %q, %d bytes in the journal", id, ref, left)
		}
	}
}

// checkTurn checks what the session of every client must have after the turn of the test,
// at whose end the events have had hooks.
func (c *client) checkTurn(id string, hooks ...string) {
	c.t.Helper()
	for _, event := range hooks {
		if len(c.hooksRun(event)) == 0 {
			c.t.Errorf("no %s hook ran", event)
		}
	}
	if ids := c.sessions(); len(ids) != 1 || ids[0] != id {
		c.t.Fatalf("the sessions are %v, not %s", ids, id)
	}
	c.sealed(id)
	events := c.events(id)
	c.want(events, "user_message", "Give the gateway a time-out of 30 seconds.")
	c.want(events, "agent_message", "I write the time-out down.")
	c.want(events, "agent_message", "The gateway now gives up after 30 seconds.")
	c.want(events, "tool_call", "gateway.txt")
	c.want(events, "tool_call", "git commit")
	c.want(events, "tool_result", "Give the gateway a time-out")
	if c.name != "codex" && !slices.ContainsFunc(events, func(e clientEvent) bool { return slices.Contains(e.Paths, "gateway.txt") }) {
		c.t.Error("no event has the path gateway.txt")
	}
	hash := strings.TrimSpace(c.mustRun("git", "rev-parse", "HEAD"))
	hooked := c.name != "gemini" // which switches git's hooks off
	if !slices.ContainsFunc(events, func(e clientEvent) bool {
		return slices.Contains(e.Tags, "commit") == hooked && slices.ContainsFunc(e.Commits, func(made string) bool { return made != "" && strings.HasPrefix(hash, made) })
	}) {
		c.t.Errorf("no event has the commit %s", hash)
	}
	const key = "domain/gateway/the-gateway-waits-30-seconds"
	if !slices.ContainsFunc(events, func(e clientEvent) bool { return slices.Contains(e.Facts, key) }) {
		c.t.Errorf("no event has the fact %s", key)
	}
	if fact := c.mustRun("engram", "get", key, "--json"); !strings.Contains(fact, `"sam:`+id+`@`) {
		c.t.Errorf("the fact does not name its session: %s", fact)
	}
	why := c.mustRun("engram", "why", "gateway.txt:1", "--json")
	for _, part := range []string{hash, `"` + id + `"`, "Give the gateway a time-out of 30 seconds."} {
		if !strings.Contains(why, part) {
			c.t.Errorf("why does not lead to %q: %s", part, why)
		}
	}
	if c.t.Failed() {
		log, _ := os.ReadFile(c.log())
		c.t.Logf("%s", log)
		for _, e := range events {
			c.t.Logf("%+v", e)
		}
	}
}

// killMidTurn starts a client, and kills it when the model stalls.
func (c *client) killMidTurn(args ...string) {
	c.t.Helper()
	cmd := c.command(c.program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-c.model.stalled:
		time.Sleep(300 * time.Millisecond) // until it has written what it got
	case err := <-ended:
		c.t.Fatalf("it ended: %v\n%s", err, out.String())
	case <-time.After(time.Minute):
		c.t.Errorf("it asks nothing\n%s", out.String())
	}
	c.kill(cmd)
	if <-ended; c.t.Failed() {
		c.t.FailNow()
	}
}

// checkKilled checks a session whose client was killed after its first tool call.
func (c *client) checkKilled(id, transcript string) {
	c.t.Helper()
	if ids := c.sessions(); len(ids) != 1 || ids[0] != id {
		c.t.Fatalf("the sessions are %v, not %s", ids, id)
	}
	events := c.events(id)
	c.want(events, "user_message", "What is this?")
	c.want(events, "agent_message", "I look around.")
	c.want(events, "tool_call", "README.md")
	if len(c.hooksRun("end")) > 0 {
		c.t.Error("it could still end")
	}
	if c.t.Failed() {
		log, _ := os.ReadFile(c.log())
		c.t.Logf("%s", log)
	}
	// A hook saw all but what was written after it. An import reads the rest.
	c.mustRun("engram", "session", "import", transcript)
	c.want(c.events(id), "tool_result", "A gateway.")
}

// checkResumed checks that all of a transcript is in its session, once, also after the
// client was killed and went on.
func (c *client) checkResumed(id, transcript string) {
	c.t.Helper()
	c.sealed(id)
	want, err := os.ReadFile(transcript)
	if err != nil {
		c.t.Fatal(err)
	}
	if got := c.mustRun("engram", "session", "export", id); got != string(want) {
		c.t.Errorf("the session is not what the client wrote: %d bytes, not %d", len(got), len(want))
	}
}
