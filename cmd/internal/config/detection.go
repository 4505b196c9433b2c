package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"engram/internal/lazyregexp"
	"engram/llm"
)

// detectionSettings are those of the search for contradictions.
type detectionSettings struct {
	NLI        string        // a name, a folder, "off" or ""
	Tagger     string        // the same
	Budget     time.Duration // of the cross-encoder in one audit; 0: memory.DefaultNLIBudget
	highStakes string        // scopes, separated by commas
}

// Scopes are those of high stakes.
func (s detectionSettings) Scopes() []string {
	return strings.FieldsFunc(s.highStakes, func(r rune) bool { return r == ',' || r == ' ' })
}

// LLMSettings say which language model is asked. Without a URL none is.
type LLMSettings struct {
	Protocol llm.Protocol
	URL      string
	Model    string
	KeyEnv   string // the name of the variable with the key
	Timeout  time.Duration
	// urlIsMine: the URL is the environment's and not that of a file, which comes
	// with the repository.
	URLIsMine bool
}

func knownDetectionSettings() []setting {
	return []setting{
		{"detect.nli", "ENGRAM_DETECT_NLI", func(s *Settings, v string) error { s.Detection.NLI = v; return nil }},
		{"detect.tagger", "ENGRAM_DETECT_TAGGER", func(s *Settings, v string) error { s.Detection.Tagger = v; return nil }},
		{"detect.budget", "ENGRAM_DETECT_BUDGET", func(s *Settings, v string) error { return setDuration(&s.Detection.Budget, v) }},
		{"detect.high_stakes", "ENGRAM_DETECT_HIGH_STAKES", func(s *Settings, v string) error { s.Detection.highStakes = v; return nil }},
		{"llm.protocol", "ENGRAM_LLM_PROTOCOL", func(s *Settings, v string) error { return setProtocol(&s.LLM.Protocol, v) }},
		{"llm.url", "ENGRAM_LLM_URL", func(s *Settings, v string) error { s.LLM.URL = v; return nil }},
		{"llm.model", "ENGRAM_LLM_MODEL", func(s *Settings, v string) error { s.LLM.Model = v; return nil }},
		{"llm.key_env", "ENGRAM_LLM_KEY_ENV", func(s *Settings, v string) error { return setVariable(&s.LLM.KeyEnv, v) }},
		{"llm.timeout", "ENGRAM_LLM_TIMEOUT", func(s *Settings, v string) error { return setDuration(&s.LLM.Timeout, v) }},
	}
}

func setDuration(field *time.Duration, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a time above 0 such as 30s", value)
	}
	*field = d
	return nil
}

func setProtocol(field *llm.Protocol, value string) error {
	switch p := llm.Protocol(value); p {
	case llm.OpenAI, llm.Anthropic:
		*field = p
		return nil
	}
	return fmt.Errorf("%q is neither %s nor %s", value, llm.OpenAI, llm.Anthropic)
}

// variableName is what names of environment variables look like.
var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// setVariable takes the name of an environment variable. What looks like a key
// is refused and not repeated: it does not belong into a file.
func setVariable(field *string, value string) error {
	const longName = 16 // keys are longer, and have digits in them
	capitals := value == strings.ToUpper(value) && strings.Contains(value, "_")
	random := len(value) >= longName && strings.ContainsAny(value, "0123456789") && !capitals
	if !variableName.MatchString(value) || random {
		return fmt.Errorf("it takes the name of an environment variable such as LLM_KEY, and never the key itself")
	}
	*field = value
	return nil
}

// fromRoot makes the folder of a model that a file in root names from there a
// whole path.
func fromRoot(root, value string) string {
	if strings.HasPrefix(value, ".") {
		return filepath.Join(root, value)
	}
	return value
}
