package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"engram/skills/less"
)

// skillFixture is fixture.json of the skill's tests.
type skillFixture struct {
	Files           map[string]string
	Agents, Parents []string
}

// skillCase is a conformance case; tests/README.md says what it means.
type skillCase struct {
	Title string
	Steps []skillStep
}

type skillStep struct {
	As, Method, Path string
	Body             json.RawMessage
	Text, Type       string
	Wait             int `json:"wait_ms"`
	Expect           struct {
		Status         json.RawMessage // one, or several
		Code, Refusal  string
		Fields, Absent []string
		Equal          map[string]any
	}
	Save map[string]string
}

func readPack(t *testing.T, name string, into any) {
	t.Helper()
	b, err := fs.ReadFile(less.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func tokenOf(agent string) string { return "a-token-of-" + agent + "-0123456789" }

// skillRepo is a repository as the cases expect it, and its commit.
func skillRepo(t *testing.T, fixture skillFixture) (repo, commit string) {
	t.Helper()
	repo = testRepo(t)
	for name, text := range fixture.Files {
		path := filepath.Join(repo, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(repo, ".engram.yml"), []byte("bus:\n  parents: "+strings.Join(fixture.Parents, ", ")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "."}, {"commit", "--quiet", "-m", "files"}} {
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	out, err := exec.Command("git", "-C", repo, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	return repo, strings.TrimSpace(string(out))
}

// TestSkillConformance runs every case of the skill pack against `engram serve`.
func TestSkillConformance(t *testing.T) {
	var fixture skillFixture
	var about struct {
		About string
		skillFixture
	}
	readPack(t, "tests/fixture.json", &about)
	fixture = about.skillFixture
	cases, err := fs.Glob(less.FS, "tests/*.json")
	if err != nil || len(cases) < 6 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, name := range cases {
		if name == "tests/fixture.json" {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".json"), func(t *testing.T) {
			var c skillCase
			readPack(t, name, &c)
			repo, commit := skillRepo(t, fixture)
			var tokens strings.Builder
			for _, agent := range fixture.Agents {
				fmt.Fprintf(&tokens, "%s %s\n", agent, tokenOf(agent))
			}
			s := serveProcess(t, repo, "--token-file", tokenFile(t, tokens.String()))
			known := map[string]string{"COMMIT": commit}
			for i, step := range c.Steps {
				runSkillStep(t, s.API, i+1, step, known)
			}
			s.interrupt(t) // it writes no more
			if log := s.stderr.String(); strings.Contains(log, "panic") {
				t.Error(log)
			}
		})
	}
}

// runSkillStep sends one request and looks what came back.
func runSkillStep(t *testing.T, url string, n int, step skillStep, known map[string]string) {
	t.Helper()
	name := fmt.Sprintf("step %d, %s %s as %s", n, step.Method, step.Path, step.As)
	time.Sleep(time.Duration(step.Wait) * time.Millisecond)
	body, kind := fill(string(step.Body), known, true), "application/json"
	if step.Text != "" {
		body, kind = fill(step.Text, known, false), step.Type
	}
	req, err := http.NewRequestWithContext(t.Context(), step.Method, url+fill(step.Path, known, false), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := (&http.Client{Transport: bearer(tokenOf(step.As))}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer any
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s: %d, no JSON: %s", name, resp.StatusCode, text)
	}
	checkSkillStep(t, name, step, resp.StatusCode, answer, string(text), known)
	for to, path := range step.Save {
		known[to], _ = valueAt(answer, path).(string)
	}
}

func checkSkillStep(t *testing.T, name string, step skillStep, status int, answer any, text string, known map[string]string) {
	t.Helper()
	var several []int
	var one int
	if json.Unmarshal(step.Expect.Status, &one) == nil {
		several = []int{one}
	} else if err := json.Unmarshal(step.Expect.Status, &several); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(several, status) {
		t.Fatalf("%s: %d, want %v: %s", name, status, several, text)
	}
	for path, want := range map[string]string{"error.code": step.Expect.Code, "error.refusals.0.code": step.Expect.Refusal} {
		if got := valueAt(answer, path); want != "" && got != want {
			t.Errorf("%s: %s is %v, want %s: %s", name, path, got, want, text)
		}
	}
	for _, path := range step.Expect.Fields {
		if got := valueAt(answer, path); got == nil || got == "" {
			t.Errorf("%s: there is no %s: %s", name, path, text)
		}
	}
	for _, path := range step.Expect.Absent {
		if got := valueAt(answer, path); got != nil {
			t.Errorf("%s: %s is %v", name, path, got)
		}
	}
	for path, want := range step.Expect.Equal {
		if s, ok := want.(string); ok {
			want = fill(s, known, false)
		}
		if got := valueAt(answer, path); got != want {
			t.Errorf("%s: %s is %v, want %v: %s", name, path, got, want, text)
		}
	}
}

// fill puts what is known into a text; inside JSON as the inside of a string.
func fill(text string, known map[string]string, isJSON bool) string {
	for name, value := range known {
		if isJSON {
			value = strings.Trim(strconv.Quote(value), `"`)
		}
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	return text
}

// valueAt is the value at a path such as engrams.0.id.
func valueAt(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}
