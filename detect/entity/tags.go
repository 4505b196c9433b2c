package entity

import "strings"

// Tagged are the entities that a model found in a text and the rules did not:
// names of services and of technologies, by the labels that such models have.
// Names of people and places are no entities of a codebase.
func Tagged(text string, tags []Tag) []Entity {
	found := Entities(text)
	var more []Entity
	for _, tag := range tags {
		kind := typeOfLabel(tag.Label)
		if kind == "" || tag.Start < 0 || tag.End > len(text) || tag.Start >= tag.End || overlaps(found, tag) {
			continue
		}
		name := strings.Join(strings.Fields(strings.ToLower(text[tag.Start:tag.End])), "_")
		more = append(more, Entity{Type: kind, Name: name, Start: tag.Start, End: tag.End})
	}
	return more
}

// typeOfLabel knows the labels of general models (CoNLL, OntoNotes) and those
// that models of software texts use.
func typeOfLabel(label string) Type {
	switch strings.ToUpper(label) {
	case "ORG", "PRODUCT", "MISC", "TOOL", "LIBRARY", "FRAMEWORK", "LANGUAGE", "DATABASE", "TECHNOLOGY":
		return Tool
	case "SERVICE", "SYSTEM", "COMPONENT", "APPLICATION":
		return Service
	}
	return ""
}

func overlaps(found []Entity, tag Tag) bool {
	for _, e := range found {
		if e.Start < tag.End && tag.Start < e.End {
			return true
		}
	}
	return false
}

// Tag is a part of a text, in bytes, that a model takes for a name.
type Tag struct {
	Label      string // such as ORG, PRODUCT or MISC
	Start, End int
}
