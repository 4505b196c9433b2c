package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDetectionSettings(t *testing.T) {
	s, err := parseConfig([]byte("detect:\n  nli: ./nli\n  budget: 2m\n  high_stakes: payments, auth/login\nllm:\n  protocol: anthropic\n  url: https://x\n  model: m\n  key_env: LLM_KEY\n  timeout: 5s\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Detection.Scopes(), "|"); got != "payments|auth/login" || s.Detection.Budget.String() != "2m0s" || s.LLM.Protocol != "anthropic" || s.LLM.KeyEnv != "LLM_KEY" {
		t.Errorf("got %+v, %+v", s.Detection, s.LLM)
	}
	keys := []string{"sk-ant-" + "api03-abcdef", "ghp_" + "4fA9xQ2mZ7Lk3VbN8cR1", "AKIA" + "IOSFODNN7EXAMPLE", "sk_live_" + "51H8aQ2mZ7", "1KEY", "$KEY", "a b"}
	for _, value := range append(keys, "") {
		_, err := variable(value)
		if err == nil || value != "" && strings.Contains(err.Error(), value) {
			t.Errorf("%q: %v", value, err)
		}
	}
	for _, name := range []string{"KEY", "OPENAI_API_KEY", "my_key", "_K2", "TEAM_7_LANGUAGE_MODEL_KEY"} {
		if _, err := variable(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhoReadsSessions: a file of the repository never sends what was said to another machine.
func TestWhoReadsSessions(t *testing.T) {
	const here, elsewhere = "http://127.0.0.1:11434/v1", "https://models.example/v1"
	for _, tt := range []struct {
		url, file, env string
		want           bool
	}{
		{here, "", "", true}, {here, "off", "", false}, {here, "", "off", false}, {here, "on", "", true},
		{elsewhere, "", "", false}, {elsewhere, "on", "", false}, {elsewhere, "", "on", true}, {elsewhere, "off", "on", true}, {elsewhere, "on", "off", false},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if tt.file != "" {
			if err := os.WriteFile(filepath.Join(dir, FileName), []byte("llm:\n  sessions: "+tt.file+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Read(dir, func(name string) string {
			return map[string]string{"ENGRAM_LLM_URL": tt.url, "ENGRAM_LLM_SESSIONS": tt.env}[name]
		})
		if err != nil || s.LLM.ReadsSessions() != tt.want {
			t.Errorf("%+v: reads is %v, %v", tt, s.LLM.ReadsSessions(), err)
		}
	}
}
