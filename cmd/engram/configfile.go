package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// parseConfig reads an .engram.yml. A key that is not known is an error, so that
// a spelling mistake does not go unseen.
func parseConfig(b []byte) (settings, error) {
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
func configure(s *settings, prefix string, node *yaml.Node) error {
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

func configureOne(s *settings, key string, line int, value *yaml.Node) error {
	if isGroup(key) {
		return configure(s, key+".", value)
	}
	for _, known := range knownSettings() {
		if known.key != key {
			continue
		}
		if value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: %s takes one value", line, key)
		}
		if err := known.set(s, value.Value); err != nil {
			return fmt.Errorf("line %d: %s: %w", line, key, err)
		}
		return nil
	}
	return fmt.Errorf("line %d: unknown key %q; the nearest known one is %q", line, plain(key), nearestSetting(key))
}

func isSetting(key string) bool {
	return slices.ContainsFunc(knownSettings(), func(s setting) bool { return s.key == key })
}

func isGroup(key string) bool {
	return slices.ContainsFunc(knownSettings(), func(s setting) bool { return strings.HasPrefix(s.key, key+".") })
}
