//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hookRun is what a client told a hook, and what the hook answered.
type hookRun struct {
	event string
	input map[string]any
	said  string
}

// hookRuns are the runs of some hooks, in the order in which they began.
func (c *client) hookRuns(events ...string) (runs []hookRun) {
	c.t.Helper()
	files, _ := filepath.Glob(filepath.Join(c.hooks, "*-*"))
	slices.Sort(files) // their names begin with the time
	for _, file := range files {
		_, event, _ := strings.Cut(filepath.Base(file), "-")
		if !slices.Contains(events, event) {
			continue
		}
		run := hookRun{event: event}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &run.input)
		}
		if err != nil {
			c.t.Errorf("%s: %v", file, err)
		}
		said, _ := os.ReadFile(file + ".said")
		run.said = string(said)
		runs = append(runs, run)
	}
	return runs
}

// context is what a run says to the model.
func (r hookRun) context() string {
	var said struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(r.said), &said) != nil {
		return r.said
	}
	return said.Output.Context
}

// varies are parts of a recording that are others in every run, and what stands for them.
var varies = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UUID"},
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "REVISION"},
	{regexp.MustCompile(`(revision|brief) [0-9a-f]{12}\b`), "$1 REVISION"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(\.\d+)?Z?`), "TIME"},
	{regexp.MustCompile(`/\d{4}/\d\d/\d\d/`), "/DATE/"},
	{regexp.MustCompile(`under a minute|\b\d+ (second|minute)s?\b`), "AGE"},
}

// sent are the fields of what a client sends that hooks read or that say what it did. Versions of
// a client differ in the others.
var sent = regexp.MustCompile(`^< +"(session_id|cwd|transcript_path|hook_event_name|source|trigger)":`)

// compared are the lines of a recording that every version of a client must have.
func compared(recording string) string {
	lines := slices.DeleteFunc(strings.Split(recording, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "<") && !sent.MatchString(line)
	})
	return strings.ReplaceAll(strings.Join(lines, "\n"), ",\n", "\n") // after the last field there is none
}

// recorded compares runs of hooks with a golden file. -update writes it.
func (c *client) recorded(runs []hookRun) {
	c.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "What %s sent to hooks around a compaction, and what they answered. UUID, REVISION,\nTIME, DATE and AGE stand for values that differ in every run.\n", c.name)
	for _, r := range runs {
		input, _ := json.MarshalIndent(r.input, "", "  ")
		fmt.Fprintf(&b, "\n$ engram hook %s --client %s\n< %s\n", r.event, c.name, strings.ReplaceAll(string(input), "\n", "\n< "))
		said := r.said
		if text := r.context(); text != r.said {
			said = "{\"hookSpecificOutput\": {\"hookEventName\": \"SessionStart\", \"additionalContext\": …}} with the text\n" + text
		}
		if said != "" {
			fmt.Fprintf(&b, "> %s\n", strings.ReplaceAll(strings.TrimSuffix(said, "\n"), "\n", "\n> "))
		}
	}
	got := strings.NewReplacer(c.repo, "/repo", c.home, "/home/ada", pathName(c.repo), "-repo").Replace(b.String())
	for _, v := range varies {
		got = v.form.ReplaceAllString(got, v.with)
	}
	golden := filepath.Join("testdata", "compactions", c.name+".txt")
	if *update {
		c.file(golden, got)
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		c.t.Fatal(err)
	}
	if diff := cmp.Diff(compared(string(want)), compared(got)); diff != "" {
		c.t.Errorf("-recorded +now:\n%s", diff)
	}
}

// inWindow checks that the model was sent what a hook said, whole.
func (c *client) inWindow(said string) {
	c.t.Helper()
	var asked any
	if err := json.Unmarshal([]byte(c.model.lastAsked()), &asked); err != nil {
		c.t.Fatal(err)
	}
	var all strings.Builder
	collect(&all, asked)
	if said = strings.TrimSpace(said); said == "" || !strings.Contains(all.String(), said) {
		c.t.Errorf("the model was not sent what the hook said:\n%s\nbut\n%s", said, all.String())
	}
}

// collect writes all texts in a JSON value.
func collect(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(v + "\n")
	case []any:
		for _, inner := range v {
			collect(b, inner)
		}
	case map[string]any:
		for _, inner := range v {
			collect(b, inner)
		}
	}
}

// keepSomething gives the memory a fact and the session of a client a task.
func (c *client) keepSomething(session string) {
	c.t.Helper()
	c.mustRun("engram", "commit", "No service may wait for another one without a time-out.", "--kind", "constraint", "--scope", "gateway")
	c.mustRun("engram", "task", "set", "--session", session, "--goal", "Give every service a time-out", "--constraint", "Never restart the payment worker", "--next", "Look at the billing service")
}

// afterCompaction returns the run of the hook with which a session began again.
func afterCompaction(t *testing.T, runs []hookRun) hookRun {
	t.Helper()
	at := slices.IndexFunc(runs, func(r hookRun) bool { return r.event == "session-start" && r.input["source"] == "compact" })
	if at < 0 {
		t.Fatalf("no session began after a compaction: %+v", runs)
	}
	for _, want := range []string{"No service may wait", "Give every service a time-out", "Never restart the payment worker", "[Events T1–T", "engram_recall"} {
		if !strings.Contains(runs[at].context(), want) {
			t.Errorf("after the compaction %q is missing: %s", want, runs[at].context())
		}
	}
	return runs[at]
}

// TestRealClaudeCompacts: Claude Code compacts its window by itself when it is full, and goes on
// with brief, task state and markers.
func TestRealClaudeCompacts(t *testing.T) {
	c := newClaude(t)
	c.env = append(c.env, "CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000")
	c.model.play(
		move{say: "I look around.", tool: "Bash", input: map[string]any{"command": "cat README.md", "description": "Read"}},
		move{say: "A gateway."},
	)
	var result struct {
		ID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(c.mustRun(c.program, c.claude("What is this?")...)), &result); err != nil {
		t.Fatal(err)
	}
	c.keepSomething(result.ID)
	c.model.play(
		move{say: "I fill the window.", tool: "Bash", used: 90_000, input: map[string]any{"command": "cat README.md", "description": "Read"}},
		move{say: "I go on with billing."},
	)
	c.mustRun(c.program, c.claude("Fill it.", "--resume", result.ID)...)
	runs := c.aroundCompaction()
	if runs[0].input["trigger"] != "auto" {
		t.Errorf("Claude Code did not compact by itself: %v", runs[0].input)
	}
	c.inWindow(afterCompaction(t, runs).context())
	c.recorded(runs)
}

// aroundCompaction are the runs of hooks from the first one before a compaction on.
func (c *client) aroundCompaction() []hookRun {
	c.t.Helper()
	runs := c.hookRuns("pre-compact", "compacted", "session-start")
	first := slices.IndexFunc(runs, func(r hookRun) bool { return r.event == "pre-compact" })
	if first < 0 {
		log, _ := os.ReadFile(c.log())
		c.t.Fatalf("nothing ran before a compaction: %+v\n%s", runs, log)
	}
	return runs[first:]
}

// TestRealCodexCompacts is TestRealClaudeCompacts with Codex.
func TestRealCodexCompacts(t *testing.T) {
	c := newCodex(t)
	config := filepath.Join(c.home, ".codex", "config.toml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	c.file(config, "model_auto_compact_token_limit = 50000\n"+string(text))
	c.model.play(shellOfCodex("I look around.", "cat README.md"), move{say: "A gateway."})
	c.mustRun(c.program, codex("What is this?")...)
	_, id := c.rollout()
	c.sealed(id)
	c.keepSomething(id)
	used := shellOfCodex("I fill the window.", "cat README.md")
	used.used = 60_000
	c.model.play(used, move{say: "The gateway has a README."}, move{say: "I go on with billing."}, move{say: "I go on with billing."})
	c.mustRun(c.program, codex("resume", id, "Fill it.")...)
	runs := c.aroundCompaction()
	c.inWindow(afterCompaction(t, runs).context())
	c.recorded(runs)
}

// TestRealGeminiCompacts: Gemini CLI says before each request that it may compress its text, and
// has no hook after it did, so the agent is told nothing until the session is resumed.
func TestRealGeminiCompacts(t *testing.T) {
	c := newGemini(t)
	full := shellOfGemini("I fill the window.", "cat README.md")
	full.used = 600_000
	c.model.play(shellOfGemini("I look around.", "cat README.md; seq 2000"), move{say: "A gateway."})
	c.mustRun(c.program, geminiArgs("What is this?")...)
	c.model.play(full, move{say: "A gateway."}, move{say: "A gateway."})
	c.mustRun(c.program, geminiArgs("Fill it.", "--resume", "latest")...)
	compressed := slices.ContainsFunc(c.model.asked, func(body string) bool { return strings.Contains(body, "state_snapshot") })
	if starts := c.hookRuns("session-start"); len(starts) != 2 || !compressed {
		t.Errorf("compressed: %t, and then %+v", compressed, starts)
	}
	if len(c.hookRuns("pre-compact")) < 2 {
		t.Error("no hook ran before the compression")
	}
	id := c.sessions()[0]
	c.sealed(id)
	c.keepSomething(id)
	c.model.play(move{say: "I go on with billing."})
	c.mustRun(c.program, geminiArgs("Go on.", "--resume", "latest")...)
	starts := c.hookRuns("session-start")
	resumed := starts[len(starts)-1]
	if len(starts) != 3 || resumed.input["source"] != "resume" {
		t.Fatalf("resumed: %+v", starts)
	}
	for _, want := range []string{"Give every service a time-out", "Never restart the payment worker", "engram_recall"} {
		if !strings.Contains(resumed.context(), want) {
			t.Errorf("the resumed session is not told %q: %s", want, resumed.context())
		}
	}
	t.Log(resumed.context())
	c.inWindow(resumed.context())
}
