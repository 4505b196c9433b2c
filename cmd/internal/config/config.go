// Package config reads what can be configured in .engram.yml and the environment,
// and documents it. It opens nothing that is configured.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/cmd/internal/fault"
	"engram/memory"
	"engram/model"
)

// FileName is the configuration of one work tree, at its top.
const FileName = ".engram.yml"

// maxConfig bounds that file.
const maxConfig = 64 << 10

// Settings are what can be configured. A zero field is the default.
type Settings struct {
	Branch string
	// BranchWithoutFlag is the branch of a command that has no --memory.
	BranchWithoutFlag string

	Trunk   string // the code branch that work is merged into; "" finds it
	Agent   string
	Limit   int
	Budget  int
	Model   string // a name, a folder, "off" or ""
	Weights memory.Weights

	Detection detectionSettings
	LLM       LLMSettings
	Hooks     hookSettings
	Bus       busSettings
	Sessions  sessionSettings
}

// setting is one thing that can be configured: its key in the file, and what sets it.
type setting struct {
	key string
	set func(value string) error
}

// env is the setting's variable of the environment: ENGRAM_QUERY_LIMIT for query.limit.
func (k setting) env() string {
	return "ENGRAM_" + strings.ToUpper(strings.ReplaceAll(k.key, ".", "_"))
}

// known are all settings.
func (s *Settings) known() []setting {
	const many = 1_000_000
	detect, inline, deref := &s.Detection, &s.Bus.limits.Inline, &s.Bus.limits.Deref
	return []setting{
		{"branch", text(&s.Branch)},
		{"trunk", text(&s.Trunk)},
		{"agent", text(&s.Agent)},
		{"query.limit", into(&s.Limit, aboveZero)},
		{"query.budget", into(&s.Budget, aboveZero)},
		{"model", text(&s.Model)},
		{"ranking.recency", into(&s.Weights.Recency, weight)},
		{"ranking.trust", into(&s.Weights.Trust, weight)},
		{"ranking.type", into(&s.Weights.Type, weight)},
		{"ranking.provenance", into(&s.Weights.Provenance, weight)},
		{"ranking.corroboration", into(&s.Weights.Corroboration, weight)},
		{"ranking.density", into(&s.Weights.Density, weight)},
		{"detect.nli", text(&detect.NLI)},
		{"detect.tagger", text(&detect.Tagger)},
		{"detect.budget", into(&detect.Budget, duration)},
		{"detect.high_stakes", text(&detect.highStakes)},
		{"detect.sampling", into(&detect.Sampling, onOff)},
		{"llm.protocol", into(&s.LLM.Protocol, protocol)},
		{"llm.url", text(&s.LLM.URL)},
		{"llm.model", text(&s.LLM.Model)},
		{"llm.key_env", into(&s.LLM.KeyEnv, variable)},
		{"llm.timeout", into(&s.LLM.Timeout, duration)},
		{"llm.sessions", into(&s.LLM.sessions, onOffText)},
		{"hooks.timeout", into(&s.Hooks.Timeout, duration)},
		{"hooks.push", into(&s.Hooks.Push, onOff)},
		{"bus.max_inline_tokens", into(&inline.Tokens, between(1, many))},
		{"bus.max_engrams", into(&inline.Engrams, between(1, many))},
		{"bus.max_claim_chars", into(&inline.ClaimChars, between(1, memory.DefaultLimits().Inline.ClaimChars))},
		{"bus.max_inline_code_chars", into(&inline.CodeChars, between(0, many))},
		{"bus.max_repo_spans", into(&deref.RepoSpans, between(1, many))},
		{"bus.max_artifact_sections", into(&deref.ArtifactSections, between(1, many))},
		{"bus.max_sam_items", into(&deref.SAMItems, between(1, many))},
		{"bus.max_deref_tokens", into(&deref.Tokens, between(1, many))},
		{"bus.parents", text(&s.Bus.parents)},
		{"bus.turn_time", into(&s.Bus.turnTime, duration)},
		{"sessions.capture", into(&s.Sessions.Capture, onOff)},
		{"sessions.artifact_above", into(&s.Sessions.artifactAbove, between(256, 16<<20))},
		{"sessions.keep_days", into(&s.Sessions.keepDays, aboveZero)},
		{"sessions.task_turns", into(&s.Sessions.taskTurns, aboveZero)},
		{"sessions.max_size", into(&s.Sessions.maxSize, aboveZero)},
		{"sessions.cold", text(&s.Sessions.cold)},
	}
}

// into sets a field to a value that parse accepts.
func into[T any](field *T, parse func(string) (T, error)) func(string) error {
	return func(value string) error {
		v, err := parse(value)
		if err == nil {
			*field = v
		}
		return err
	}
}

func text(field *string) func(string) error {
	return func(value string) error { *field = value; return nil }
}

func weight(value string) (float64, error) {
	w, err := strconv.ParseFloat(value, 64)
	if err != nil || !(w >= 0 && w <= 100) {
		return 0, fmt.Errorf("%q is not a number from 0 to 100", value)
	}
	return w, nil
}

func aboveZero(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a whole number above 0", value)
	}
	return n, nil
}

func between(least, most int) func(string) (int, error) {
	return func(value string) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q is not a whole number from %d to %d", value, least, most)
		}
		return n, nil
	}
}

func duration(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a time above 0 such as 30s", value)
	}
	return d, nil
}

func onOff(value string) (bool, error) {
	if value != "on" && value != "off" {
		return false, fmt.Errorf("%q is neither on nor off", value)
	}
	return value == "on", nil
}

// onOffText is onOff for a setting whose default depends on others.
func onOffText(value string) (string, error) {
	_, err := onOff(value)
	return value, err
}

// defaultSettings are those that are not the zero value.
func defaultSettings() Settings {
	return Settings{Weights: memory.DefaultWeights(), Sessions: sessionSettings{Capture: true}}
}

// Read reads the configuration for the folder dir: the environment beats the file
// of the work tree that dir is in, which beats the defaults.
func Read(dir string, getenv func(string) string) (Settings, error) {
	s, err := readFile(dir)
	if err != nil {
		return s, err
	}
	for _, known := range s.known() {
		if value := getenv(known.env()); value != "" {
			if err := known.set(value); err != nil {
				return s, fault.Usage(known.env()+": "+err.Error(), "`engram help configuration` lists what can be set")
			}
		}
	}
	s.LLM.URLIsMine, s.LLM.sessionsIsMine = getenv("ENGRAM_LLM_URL") != "", getenv("ENGRAM_LLM_SESSIONS") != ""
	return s, nil
}

// readFile reads the file of the work tree that dir is in, if there is one.
func readFile(dir string) (Settings, error) {
	root := WorkTreeOf(dir)
	if root == "" {
		return defaultSettings(), nil
	}
	path := filepath.Join(root, FileName)
	b, err := ReadConfigFile(path)
	if err != nil {
		return Settings{}, err
	}
	s, err := parseConfig(b)
	if err != nil {
		return s, fault.Usage(path+": "+err.Error(), "`engram help configuration` lists what can be set")
	}
	s.Model, s.Detection.NLI, s.Sessions.cold = fromRoot(root, s.Model), fromRoot(root, s.Detection.NLI), fromRoot(root, s.Sessions.cold)
	return s, nil
}

// ReadConfigFile reads a configuration file; the result is empty if it does not exist. A link may
// lead to another file of the folder that path is in, and not out of it: a repository that somebody
// else made must not get a file of this machine quoted.
func ReadConfigFile(path string) ([]byte, error) {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer folder.Close()
	name := filepath.Base(path)
	info, err := folder.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		if link, linkErr := folder.Lstat(name); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return nil, fault.Usage(path+": is a link that leads out of the work tree, and is not read", "put a file in its place")
		}
		return nil, unreadable(path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfig {
		return nil, fault.Usage(fmt.Sprintf("%s: is not a file of at most %d bytes", path, maxConfig), "`engram help configuration` lists what can be set")
	}
	b, err := folder.ReadFile(name)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return b, nil
}

// unreadable says why a configuration file cannot be read, with its path once.
func unreadable(path string, err error) error {
	if why, is := errors.AsType[*fs.PathError](err); is {
		err = why.Err
	}
	return fault.Usage(path+": cannot be read: "+err.Error(), "give yourself the right to read it, or remove it")
}

// WorkTreeOf is the nearest folder at or above dir that is the top of a git work tree, or
// "". It is found before the repository is opened, because the configuration file there
// names the branch to open.
func WorkTreeOf(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if _, statErr := os.Lstat(filepath.Join(dir, ".git")); statErr == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}

// hookSettings are those of the git hooks.
type hookSettings struct {
	Timeout time.Duration // 0: hooks.DefaultTimeout
	Push    bool          // a push carries the memory along
}

// NLIName names the NLI model in its findings, which everybody sees: a folder is named
// without its path, which is private.
func (s Settings) NLIName() string {
	if s.Detection.NLI == "" || s.Detection.NLI == model.Off {
		return ""
	}
	return filepath.Base(s.Detection.NLI)
}

// busSettings are those of what agents exchange. A zero field is the default.
type busSettings struct {
	limits   memory.Limits
	parents  string        // agents, separated by commas
	turnTime time.Duration // 0: memory.DefaultTurnTime
}

// Options are those of a memory. Names of agents may have spaces in them.
func (s busSettings) Options() memory.BusOptions {
	o := memory.BusOptions{Limits: s.limits, TurnTime: s.turnTime}
	for name := range strings.SplitSeq(s.parents, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(o.Parents, name) {
			o.Parents = append(o.Parents, name)
		}
	}
	return o
}

// sessionSettings are those of the sessions of agents. A zero field is the default, but
// for Capture.
type sessionSettings struct {
	Capture       bool // hooks of agents keep sessions
	artifactAbove int  // bytes
	keepDays      int
	taskTurns     int
	maxSize       int // bytes
	cold          string
}

// Options are those of a memory.
func (s sessionSettings) Options() memory.SessionOptions {
	return memory.SessionOptions{ArtifactAbove: s.artifactAbove, KeepDays: s.keepDays, MaxSize: int64(s.maxSize), Cold: s.cold, TaskTurns: s.taskTurns}
}
