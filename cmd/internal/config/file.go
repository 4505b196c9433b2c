package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"engram/cmd/internal/term"
	"engram/facts"
)

// parseConfig reads an .engram.yml. A key that is not known is an error, so that
// a spelling mistake does not go unseen.
func parseConfig(b []byte) (Settings, error) {
	s := defaultSettings()
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return s, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 { // nothing but comments
		return s, nil
	}
	return s, configure(&s, "", doc.Content[0])
}

// configure sets what a mapping says; prefix is the name of the group it is.
func configure(s *Settings, prefix string, node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		if prefix == "" {
			return fmt.Errorf("line %d: this is not a list of settings", node.Line)
		}
		return fmt.Errorf("line %d: %s is a group of settings", node.Line, strings.TrimSuffix(prefix, "."))
	}
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		key := prefix + name.Value
		if seen[key] {
			return fmt.Errorf("line %d: %s stands there twice", name.Line, key)
		}
		seen[key] = true
		if value.Kind == yaml.ScalarNode && value.Tag == "!!null" && (isGroup(key) || isSetting(key)) {
			continue
		}
		if err := configureOne(s, key, name.Line, value); err != nil {
			return err
		}
	}
	return nil
}

func configureOne(s *Settings, key string, line int, value *yaml.Node) error {
	if isGroup(key) {
		return configure(s, key+".", value)
	}
	for _, known := range s.known() {
		if known.key != key {
			continue
		}
		text, err := valueOf(known, value)
		if err == nil {
			err = known.set(text)
		}
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", line, key, err)
		}
		return nil
	}
	return fmt.Errorf("line %d: unknown key %q; the nearest known one is %q", line, term.Plain(key), nearestSetting(key))
}

// takesList: a setting with several entries, which may stand in the file as a list too.
func takesList(key string) bool { return key == "bus.parents" || key == "detect.high_stakes" }

// valueOf is a value as the environment would have it: the entries of a list with
// commas between them.
func valueOf(of setting, value *yaml.Node) (string, error) {
	switch {
	case value.Kind == yaml.ScalarNode:
		return value.Value, nil
	case !takesList(of.key):
		return "", errors.New("it takes one value")
	case value.Kind != yaml.SequenceNode:
		return "", errors.New("it takes a list, or one text with commas between the entries")
	}
	entries := make([]string, len(value.Content))
	for i, entry := range value.Content {
		if entry.Kind != yaml.ScalarNode || entry.Tag == "!!null" || strings.TrimSpace(entry.Value) == "" || strings.Contains(entry.Value, ",") {
			return "", fmt.Errorf("entry %d is no plain text without a comma", i+1)
		}
		entries[i] = entry.Value
	}
	return strings.Join(entries, ","), nil
}

func isSetting(key string) bool {
	return slices.ContainsFunc(new(Settings).known(), func(s setting) bool { return s.key == key })
}

func isGroup(key string) bool {
	return slices.ContainsFunc(new(Settings).known(), func(s setting) bool { return strings.HasPrefix(s.key, key+".") })
}

// nearestSetting is the known key with the fewest letters different; the name
// within its group counts as well as the whole.
func nearestSetting(key string) string {
	best, distance := "", -1
	for _, known := range new(Settings).known() {
		d := EditDistance(key, known.key)
		if _, name, grouped := strings.Cut(known.key, "."); grouped {
			d = min(d, EditDistance(key, name))
		}
		if distance < 0 || d < distance {
			best, distance = known.key, d
		}
	}
	return best
}

// EditDistance is facts.EditDistance. Long texts are cut, since nothing is near them.
func EditDistance(a, b string) int {
	return facts.EditDistance(a[:min(len(a), 64)], b[:min(len(b), 64)])
}
