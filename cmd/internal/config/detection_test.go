package config

import (
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
