package memory

import "engram/bus"

// scanTexts refuses texts of which one holds a secret, with a *SecretError.
func (m *Memory) scanTexts(texts []bus.Text) error {
	for _, t := range texts {
		if t.Value == "" {
			continue
		}
		if rule, found := m.scanner.Scan(t.Value); found {
			return &SecretError{Field: t.Path, Rule: rule}
		}
	}
	return nil
}

// texts are what a shared brief is made of, beside what the memory has.
func (in BroadcastInput) texts() []bus.Text {
	all := []bus.Text{{Path: "parent", Value: in.Parent}, {Path: "parent_role", Value: in.ParentRole}, {Path: "child", Value: in.Child}, {Path: "role", Value: in.Role}, {Path: "goal", Value: in.Goal}}
	for _, text := range in.Instructions {
		all = append(all, bus.Text{Path: "instructions", Value: text})
	}
	return all
}
