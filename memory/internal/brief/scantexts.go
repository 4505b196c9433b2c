package brief

import (
	"engram/bus"
)

// Texts are what a shared brief is made of, beside what the memory has.
func (in BroadcastInput) Texts() []bus.Text {
	all := []bus.Text{{Path: "parent", Value: in.Parent}, {Path: "parent_role", Value: in.ParentRole}, {Path: "child", Value: in.Child}, {Path: "role", Value: in.Role}, {Path: "goal", Value: in.Goal}}
	for _, text := range in.Instructions {
		all = append(all, bus.Text{Path: "instructions", Value: text})
	}
	return all
}
