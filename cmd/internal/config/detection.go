package config

import (
	"errors"
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
	Sampling   bool          // the model of an MCP client is asked about undecided pairs
}

// Scopes are those of high stakes.
func (s detectionSettings) Scopes() []string {
	return strings.FieldsFunc(s.highStakes, func(r rune) bool { return r == ',' || r == ' ' })
}

// LLMSettings say which language model is asked. Without a URL, no model is asked.
type LLMSettings struct {
	Protocol llm.Protocol
	URL      string
	Model    string
	KeyEnv   string // the name of the variable with the key
	Timeout  time.Duration
	// URLIsMine: the URL comes from the environment, not from a file of the repository.
	URLIsMine      bool
	sessions       string // on, off, or "" for on if the endpoint is on this machine
	sessionsIsMine bool
}

// ReadsSessions reports whether the model may read conversations. A model on another machine may
// only if the environment says so: a file of the repository must not decide who reads them.
func (s LLMSettings) ReadsSessions() bool {
	local := llm.Local(s.URL)
	return local && s.sessions != "off" || s.sessions == "on" && s.sessionsIsMine
}

func protocol(value string) (llm.Protocol, error) {
	switch p := llm.Protocol(value); p {
	case llm.OpenAI, llm.Anthropic:
		return p, nil
	}
	return "", fmt.Errorf("%q is neither %s nor %s", value, llm.OpenAI, llm.Anthropic)
}

// variableName is what names of environment variables look like.
var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// variable takes the name of an environment variable. It rejects, and does not repeat,
// what looks like a key: a key does not belong into a file.
func variable(value string) (string, error) {
	const longName = 16 // keys are longer, and have digits in them
	capitals := value == strings.ToUpper(value) && strings.Contains(value, "_")
	random := len(value) >= longName && strings.ContainsAny(value, "0123456789") && !capitals
	if !variableName.MatchString(value) || random {
		return "", errors.New("it takes the name of an environment variable such as LLM_KEY, and never the key itself")
	}
	return value, nil
}

// fromRoot makes the folder of a model that a file in root names from there a
// whole path.
func fromRoot(root, value string) string {
	if strings.HasPrefix(value, ".") {
		return filepath.Join(root, value)
	}
	return value
}
