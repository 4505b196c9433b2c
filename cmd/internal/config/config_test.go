package config

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/hooks"
	"engram/llm"
	"engram/memory"
)

// TestExampleConfig keeps the example beside the source equal to the one that
// init writes, and both to what is known.
func TestExampleConfig(t *testing.T) {
	shipped, err := os.ReadFile("../../../.engram.example.yml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(exampleConfig), string(shipped)); diff != "" {
		t.Errorf(".engram.example.yml differs from cmd/internal/config/example.yml:\n%s", diff)
	}
	s, err := parseConfig(shipped)
	if err != nil || s != defaultSettings() {
		t.Errorf("as shipped it sets %+v, %v; it should set nothing", s, err)
	}
	var uncommented strings.Builder
	for line := range strings.Lines(string(shipped)) {
		text := strings.TrimLeft(line, " ")
		if strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "# ") && text != "#\n" {
			line = strings.Replace(line, "#", "", 1)
		}
		uncommented.WriteString(line)
	}
	s, err = parseConfig([]byte(strings.NewReplacer("agent:", "agent: somebody", "trunk:", "trunk: main", "parents:", "parents: director", "cold:", "cold: cold").Replace(uncommented.String())))
	if err != nil {
		t.Fatalf("a documented key is not known: %v", err)
	}
	if want := (Settings{Branch: "engram", Trunk: "main", Agent: "somebody", Limit: 10, Budget: 4000, Model: "off", Weights: memory.DefaultWeights(),
		Detection: detectionSettings{NLI: "off", Tagger: "off", Budget: memory.DefaultNLIBudget}, LLM: LLMSettings{Protocol: llm.OpenAI, Timeout: llm.DefaultTimeout, sessions: "on"}, Hooks: hookSettings{Timeout: hooks.DefaultTimeout},
		Bus:      busSettings{limits: memory.DefaultLimits(), parents: "director", turnTime: memory.DefaultTurnTime},
		Sessions: sessionSettings{Capture: true, artifactAbove: 4096, keepDays: 90, taskTurns: 30, maxSize: 1_000_000_000, cold: "cold"},
	}); s != want {
		t.Errorf("the documented keys set %+v, want every known one: %+v", s, want)
	}
	for _, known := range new(Settings).known() {
		if !strings.Contains(Topic, known.env()) || !strings.Contains(Topic, known.key) || !strings.Contains(string(shipped), known.env()) {
			t.Errorf("%s is not documented", known.key)
		}
	}
}

func TestNearestSetting(t *testing.T) {
	for key, want := range map[string]string{
		"brnch": "branch", "Branch": "branch", "limits": "query.limit", "query.limt": "query.limit", "qury.budget": "query.budget",
		"agents": "agent", strings.Repeat("x", 10000): "query.budget",
	} {
		if got := nearestSetting(key); got != want && len(key) < 100 {
			t.Errorf("nearestSetting(%q) = %q, want %q", key, got, want)
		}
	}
}

// TestConfigurationThatIsNotRead: what is wrong with the file is said in its own words, and a link
// out of the work tree is neither followed nor quoted.
func TestConfigurationThatIsNotRead(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(outside, []byte("password: hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		make func(path string) error
		says string
	}{
		"a link out":  {func(path string) error { return os.Symlink(outside, path) }, "leads out of the work tree"},
		"a folder":    {func(path string) error { return os.Mkdir(path, 0o755) }, "is not a file of at most"},
		"a large one": {func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("#"), maxConfig+1), 0o600) }, "is not a file of at most"},
		"a chain": {func(path string) error {
			if err := os.Symlink(outside, filepath.Join(filepath.Dir(path), "between")); err != nil {
				return err
			}
			return os.Symlink("between", path)
		}, "leads out of the work tree"},
	} {
		path := filepath.Join(t.TempDir(), FileName)
		if err := c.make(path); err != nil {
			t.Fatal(err)
		}
		b, err := ReadConfigFile(path)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter2") || b != nil {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	inside := t.TempDir()
	if err := os.WriteFile(filepath.Join(inside, "shared.yml"), []byte("limit: 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("shared.yml", filepath.Join(inside, FileName)); err != nil {
		t.Fatal(err)
	}
	if b, err := ReadConfigFile(filepath.Join(inside, FileName)); err != nil || string(b) != "limit: 5\n" {
		t.Errorf("a link inside: %q, %v", b, err)
	}
}
