package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"engram/memory"
)

// doubtfulRepo is a memory of two claims that no rule sees a clash between.
func doubtfulRepo(t *testing.T) string {
	t.Helper()
	repo := testRepo(t)
	for _, args := range [][]string{
		{"init"},
		{"commit", "Invoices are sent by the billing worker.", "--key", "domain/billing/a", "--scope", "billing", "--agent", "claude", "--evidence", "EVIDENCE", "--detail", "DETAIL"},
		{"commit", "The billing worker never touches invoices.", "--key", "domain/billing/b", "--scope", "billing", "--agent", "codex"},
	} {
		if r := runHere("", append([]string{"--repo", repo}, args...)...); r.status != 0 {
			t.Fatalf("%v: %s", args, r.stderr)
		}
	}
	return repo
}

// endpoint is a language model that sees a contradiction everywhere, and keeps
// what it was sent.
type endpoint struct {
	*httptest.Server
	mu        sync.Mutex
	questions []string
	keys      []string
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.questions, e.keys = append(e.questions, string(body)), append(e.keys, r.Header.Get("Authorization"))
		verdict := `{"ways":[],"verdict":{"contradicts":true,"explanation":"one sends what the other never touches","severity":"high"}}`
		answer, _ := json.Marshal(verdict)
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, answer)
	}))
	t.Cleanup(e.Close)
	return e
}

func audit(t *testing.T, repo string, env map[string]string, args ...string) (memory.AuditResult, result) {
	t.Helper()
	var answer memory.AuditResult
	r := runWith(env, "", append([]string{"--repo", repo, "--json", "audit"}, args...)...)
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil || r.status != 0 {
		t.Fatalf("exit status %d, %v: %s", r.status, err, r.stderr)
	}
	return answer, r
}

// TestAuditAsksALanguageModel sends two claims and what help says, to the
// endpoint that was named, and writes what it answers.
func TestAuditAsksALanguageModel(t *testing.T) {
	repo, e := doubtfulRepo(t), newEndpoint(t)
	env := map[string]string{
		"ENGRAM_LLM_URL": e.URL + "/v1", "ENGRAM_LLM_MODEL": "big-one", "ENGRAM_DETECT_HIGH_STAKES": "payments, billing",
		"ENGRAM_LLM_KEY_ENV": "OUR_KEY", "OUR_KEY": "not-a-real-one",
	}
	got, _ := audit(t, repo, env)
	if len(got.Opened) != 1 || got.Opened[0].Tier != "tier3_llm" || got.Opened[0].Basis != "llm big-one" || got.Asked != 1 {
		t.Fatalf("opened %+v, asked %d", got.Opened, got.Asked)
	}
	if len(e.questions) != 1 || e.keys[0] != "Bearer not-a-real-one" {
		t.Fatalf("asked %v with %v", e.questions, e.keys)
	}
	for _, part := range []string{"Invoices are sent", "never touches", "claude", "codex", "billing"} {
		if !strings.Contains(e.questions[0], part) {
			t.Errorf("the question lacks %q", part)
		}
	}
	for _, part := range []string{"EVIDENCE", "DETAIL", "domain/billing", "Ada"} {
		if strings.Contains(e.questions[0], part) {
			t.Errorf("the question has %q in it", part)
		}
	}
	// Others ask nobody.
	for _, args := range [][]string{{"conflicts"}, {"check"}, {"query", "billing"}, {"detect", "The billing worker sleeps."}, {"status"}, {"detect", "--show-thresholds"}} {
		runWith(env, "", append([]string{"--repo", repo}, args...)...)
	}
	if len(e.questions) != 1 {
		t.Errorf("%d questions more", len(e.questions)-1)
	}
}

// TestWatchAsksTheSame audits with the same models.
func TestWatchAsksTheSame(t *testing.T) {
	repo, e := doubtfulRepo(t), newEndpoint(t)
	env := map[string]string{"ENGRAM_LLM_URL": e.URL + "/v1", "ENGRAM_LLM_MODEL": "big-one", "ENGRAM_DETECT_HIGH_STAKES": "billing"}
	if r := runWith(env, "", "--repo", repo, "watch", "--once"); r.status != 0 || !strings.HasSuffix(r.stdout, "\t2\t1\t0\t0\n") || len(e.questions) != 1 {
		t.Errorf("got %+v after %d questions", r, len(e.questions))
	}
}

// TestKeysGoWhereTheUserSays: a file of the repository names no receiver of keys.
func TestKeysGoWhereTheUserSays(t *testing.T) {
	repo, e := doubtfulRepo(t), newEndpoint(t)
	config := func(more string) {
		text := "detect:\n  high_stakes: billing\nllm:\n  url: " + e.URL + "/v1\n  model: big-one\n" + more
		if err := os.WriteFile(filepath.Join(repo, ".engram.yml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config("  key_env: OUR_KEY\n")
	env := map[string]string{"OUR_KEY": "not-a-real-one"}
	if got, r := audit(t, repo, env); got.Asked != 0 || len(e.questions) != 0 || !strings.Contains(r.stderr, "set ENGRAM_LLM_URL") {
		t.Errorf("asked %d, %s", got.Asked, r.stderr)
	}
	env["ENGRAM_LLM_URL"] = e.URL + "/v1"
	delete(env, "OUR_KEY")
	if got, r := audit(t, repo, env, "--all"); got.Asked != 0 || !strings.Contains(r.stderr, "OUR_KEY, which is not set") {
		t.Errorf("asked %d, %s", got.Asked, r.stderr)
	}
	config("")
	if got, _ := audit(t, repo, nil, "--all"); got.Asked != 1 || e.keys[0] != "" {
		t.Errorf("asked %d with %v", got.Asked, e.keys)
	}
}

// TestAbsentModelsAreNoFailure warns, and audits by rules.
func TestAbsentModelsAreNoFailure(t *testing.T) {
	repo := disputedRepo(t)
	for name, c := range map[string]struct {
		env  map[string]string
		says string
	}{
		"no such model":     {map[string]string{"ENGRAM_DETECT_NLI": "nonsense"}, "neither a known model nor a folder"},
		"not fetched":       {map[string]string{"ENGRAM_DETECT_NLI": "all-minilm-l6-v2", "ENGRAM_MODELS": t.TempDir()}, "hint: `engram model pull all-minilm-l6-v2`"},
		"an empty folder":   {map[string]string{"ENGRAM_DETECT_NLI": t.TempDir()}, "no model: config.json is missing"},
		"plain http":        {map[string]string{"ENGRAM_LLM_URL": "http://example.com/v1", "ENGRAM_LLM_MODEL": "m"}, "plain http to example.com"},
		"no name of it":     {map[string]string{"ENGRAM_LLM_URL": "https://example.com/v1"}, "no model is named"},
		"nobody listens":    {map[string]string{"ENGRAM_LLM_URL": "http://127.0.0.1:1/v1", "ENGRAM_LLM_MODEL": "m", "ENGRAM_DETECT_HIGH_STAKES": "infra"}, ""},
		"nothing is chosen": {map[string]string{"ENGRAM_DETECT_NLI": "off"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, r := audit(t, repo, c.env, "--all")
			if len(got.Opened)+got.Known != 1 || !strings.Contains(r.stderr, c.says) || (c.says != "") != strings.Contains(r.stderr, "warning: ") {
				t.Errorf("opened %d, knew %d: %s", len(got.Opened), got.Known, r.stderr)
			}
		})
	}
}

// TestDetectionVariables: a wrong value is named by its variable and, where it may be
// a key, not shown.
func TestDetectionVariables(t *testing.T) {
	const key = "sk-ant-" + "api03-abcdef"
	repo := testRepo(t)
	for variable, value := range map[string]string{
		"ENGRAM_DETECT_BUDGET": "soon", "ENGRAM_LLM_TIMEOUT": "-1s", "ENGRAM_LLM_PROTOCOL": "smtp", "ENGRAM_LLM_KEY_ENV": key,
	} {
		r := runWith(map[string]string{variable: value}, "", "--repo", repo, "list")
		if r.status != 2 || !strings.Contains(r.stderr, "engram: "+variable+": ") || strings.Contains(r.stderr, key) {
			t.Errorf("%s: %+v", variable, r)
		}
	}
}
