package main

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
	nli        string        // a name, a folder, "off" or ""
	tagger     string        // the same
	budget     time.Duration // of the cross-encoder in one audit; 0: memory.DefaultNLIBudget
	highStakes string        // scopes, separated by commas
}

// scopes are those of high stakes.
func (s detectionSettings) scopes() []string {
	return strings.FieldsFunc(s.highStakes, func(r rune) bool { return r == ',' || r == ' ' })
}

// llmSettings say which language model is asked. Without a URL none is.
type llmSettings struct {
	protocol llm.Protocol
	url      string
	model    string
	keyEnv   string // the name of the variable with the key
	timeout  time.Duration
	// urlIsMine: the URL is the environment's and not that of a file, which comes
	// with the repository.
	urlIsMine bool
}

func knownDetectionSettings() []setting {
	return []setting{
		{"detect.nli", "ENGRAM_DETECT_NLI", func(s *settings, v string) error { s.detection.nli = v; return nil }},
		{"detect.tagger", "ENGRAM_DETECT_TAGGER", func(s *settings, v string) error { s.detection.tagger = v; return nil }},
		{"detect.budget", "ENGRAM_DETECT_BUDGET", func(s *settings, v string) error { return setDuration(&s.detection.budget, v) }},
		{"detect.high_stakes", "ENGRAM_DETECT_HIGH_STAKES", func(s *settings, v string) error { s.detection.highStakes = v; return nil }},
		{"llm.protocol", "ENGRAM_LLM_PROTOCOL", func(s *settings, v string) error { return setProtocol(&s.llm.protocol, v) }},
		{"llm.url", "ENGRAM_LLM_URL", func(s *settings, v string) error { s.llm.url = v; return nil }},
		{"llm.model", "ENGRAM_LLM_MODEL", func(s *settings, v string) error { s.llm.model = v; return nil }},
		{"llm.key_env", "ENGRAM_LLM_KEY_ENV", func(s *settings, v string) error { return setVariable(&s.llm.keyEnv, v) }},
		{"llm.timeout", "ENGRAM_LLM_TIMEOUT", func(s *settings, v string) error { return setDuration(&s.llm.timeout, v) }},
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
