package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"engram/memory"
)

// configName is the configuration of one work tree, at its top.
const configName = ".engram.yml"

// maxConfig bounds that file.
const maxConfig = 64 << 10

// settings are what can be configured. A zero field is the default.
type settings struct {
	branch string
	// branchWithoutFlag is the branch of a command that has no --memory.
	branchWithoutFlag string

	trunk   string // the code branch that work is merged into; "" finds it
	agent   string
	limit   int
	budget  int
	model   string // a name, a folder, "off" or ""
	weights memory.Weights

	detection detectionSettings
	llm       llmSettings
	hooks     hookSettings
	bus       busSettings
}

// setting is one thing that can be configured, by a key of the file or by a
// variable of the environment.
type setting struct {
	key, env string
	set      func(s *settings, value string) error
}

func knownSettings() []setting {
	weight := func(name string, field func(*settings) *float64) setting {
		return setting{"ranking." + name, "ENGRAM_RANKING_" + strings.ToUpper(name), func(s *settings, v string) error { return setWeight(field(s), v) }}
	}
	return append([]setting{
		{"branch", "ENGRAM_BRANCH", func(s *settings, v string) error { s.branch = v; return nil }},
		{"trunk", "ENGRAM_TRUNK", func(s *settings, v string) error { s.trunk = v; return nil }},
		{"agent", "ENGRAM_AGENT", func(s *settings, v string) error { s.agent = v; return nil }},
		{"query.limit", "ENGRAM_QUERY_LIMIT", func(s *settings, v string) error { return setCount(&s.limit, v) }},
		{"query.budget", "ENGRAM_QUERY_BUDGET", func(s *settings, v string) error { return setCount(&s.budget, v) }},
		{"model", "ENGRAM_MODEL", func(s *settings, v string) error { s.model = v; return nil }},
		weight("recency", func(s *settings) *float64 { return &s.weights.Recency }),
		weight("trust", func(s *settings) *float64 { return &s.weights.Trust }),
		weight("type", func(s *settings) *float64 { return &s.weights.Type }),
		weight("provenance", func(s *settings) *float64 { return &s.weights.Provenance }),
		weight("corroboration", func(s *settings) *float64 { return &s.weights.Corroboration }),
		weight("density", func(s *settings) *float64 { return &s.weights.Density }),
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
func defaultSettings() settings { return settings{weights: memory.DefaultWeights()} }

func setCount(field *int, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a whole number above 0", value)
	}
	*field = n
	return nil
}

// settings reads what is configured: flags beat ENGRAM_*, that beats
// .engram.yml, that beats the defaults, which are package memory's.
func (g *globals) settings() (settings, error) {
	s, err := fileSettings(g.directory())
	if err != nil {
		return s, err
	}
	for _, known := range knownSettings() {
		if value := g.getenv(known.env); value != "" {
			if err := known.set(&s, value); err != nil {
				return s, usage(known.env+": "+err.Error(), "`engram help configuration` lists what can be set")
			}
		}
	}
	s.llm.urlIsMine = g.getenv("ENGRAM_LLM_URL") != ""
	s.branchWithoutFlag = cmp.Or(s.branch, memory.DefaultBranch)
	s.branch = cmp.Or(g.branch, s.branch)
	return s, nil
}

// fileSettings reads the configuration of the work tree that dir is in, if
// there is one.
func fileSettings(dir string) (settings, error) {
	root := workTreeOf(dir)
	if root == "" {
		return defaultSettings(), nil
	}
	path := filepath.Join(root, configName)
	b, err := readConfigFile(path)
	if err != nil {
		return settings{}, err
	}
	s, err := parseConfig(b)
	if err != nil {
		return s, usage(path+": "+err.Error(), "`engram help configuration` lists what can be set")
	}
	s.model, s.detection.nli = fromRoot(root, s.model), fromRoot(root, s.detection.nli)
	return s, nil
}

// readConfigFile is empty where there is no such file.
func readConfigFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxConfig) {
		err = fmt.Errorf("is no file of at most %d bytes", maxConfig)
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, usage(path+": "+err.Error(), "")
	}
	return b, nil
}

// workTreeOf is the nearest folder at or above dir that git keeps a work tree
// in; "" where there is none. It is looked for before the repository is opened,
// because the file there says which branch to open.
func workTreeOf(dir string) string {
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
