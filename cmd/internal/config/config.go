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
	// branchWithoutFlag is the branch of a command that has no --memory.
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
}

// setting is one thing that can be configured, by a key of the file or by a
// variable of the environment.
type setting struct {
	key, env string
	set      func(s *Settings, value string) error
}

func knownSettings() []setting {
	weight := func(name string, field func(*Settings) *float64) setting {
		return setting{"ranking." + name, "ENGRAM_RANKING_" + strings.ToUpper(name), func(s *Settings, v string) error { return setWeight(field(s), v) }}
	}
	return append([]setting{
		{"branch", "ENGRAM_BRANCH", func(s *Settings, v string) error { s.Branch = v; return nil }},
		{"trunk", "ENGRAM_TRUNK", func(s *Settings, v string) error { s.Trunk = v; return nil }},
		{"agent", "ENGRAM_AGENT", func(s *Settings, v string) error { s.Agent = v; return nil }},
		{"query.limit", "ENGRAM_QUERY_LIMIT", func(s *Settings, v string) error { return setCount(&s.Limit, v) }},
		{"query.budget", "ENGRAM_QUERY_BUDGET", func(s *Settings, v string) error { return setCount(&s.Budget, v) }},
		{"model", "ENGRAM_MODEL", func(s *Settings, v string) error { s.Model = v; return nil }},
		weight("recency", func(s *Settings) *float64 { return &s.Weights.Recency }),
		weight("trust", func(s *Settings) *float64 { return &s.Weights.Trust }),
		weight("type", func(s *Settings) *float64 { return &s.Weights.Type }),
		weight("provenance", func(s *Settings) *float64 { return &s.Weights.Provenance }),
		weight("corroboration", func(s *Settings) *float64 { return &s.Weights.Corroboration }),
		weight("density", func(s *Settings) *float64 { return &s.Weights.Density }),
	}, slices.Concat(knownDetectionSettings(), knownHookSettings(), knownBusSettings())...)
}

func setWeight(field *float64, value string) error {
	w, err := strconv.ParseFloat(value, 64)
	if err != nil || !(w >= 0 && w <= 100) {
		return fmt.Errorf("%q is not a number from 0 to 100", value)
	}
	*field = w
	return nil
}

// defaultSettings are those that are not the zero value.
func defaultSettings() Settings { return Settings{Weights: memory.DefaultWeights()} }

func setCount(field *int, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a whole number above 0", value)
	}
	*field = n
	return nil
}

// Read reads the configuration for the folder dir: the environment beats the file
// of the work tree that dir is in, which beats the defaults.
func Read(dir string, getenv func(string) string) (Settings, error) {
	s, err := readFile(dir)
	if err != nil {
		return s, err
	}
	for _, known := range knownSettings() {
		if value := getenv(known.env); value != "" {
			if err := known.set(&s, value); err != nil {
				return s, fault.Usage(known.env+": "+err.Error(), "`engram help configuration` lists what can be set")
			}
		}
	}
	s.LLM.URLIsMine = getenv("ENGRAM_LLM_URL") != ""
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
	s.Model, s.Detection.NLI = fromRoot(root, s.Model), fromRoot(root, s.Detection.NLI)
	return s, nil
}

// ReadConfigFile is empty where there is no such file.
func ReadConfigFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxConfig) {
		err = fmt.Errorf("is not a file of at most %d bytes", maxConfig)
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fault.Usage(path+": "+err.Error(), "")
	}
	return b, nil
}

// WorkTreeOf is the nearest folder at or above dir that git keeps a work tree
// in; "" where there is none. It is looked for before the repository is opened,
// because the file there says which branch to open.
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

func knownHookSettings() []setting {
	return []setting{
		{"hooks.timeout", "ENGRAM_HOOKS_TIMEOUT", func(s *Settings, v string) error { return setDuration(&s.Hooks.Timeout, v) }},
		{"hooks.push", "ENGRAM_HOOKS_PUSH", func(s *Settings, v string) error { return setSwitch(&s.Hooks.Push, v) }},
	}
}

func setSwitch(field *bool, value string) error {
	switch value {
	case "on", "off":
		*field = value == "on"
		return nil
	}
	return fmt.Errorf("%q is neither on nor off", value)
}

// NLIName names the NLI model in what it finds, for everybody: a folder is named
// without the path, which is nobody else's business.
func (s Settings) NLIName() string {
	if slices.Contains([]string{"", model.Off}, s.Detection.NLI) {
		return ""
	}
	return filepath.Base(s.Detection.NLI)
}
