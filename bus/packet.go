package bus

import "strings"

// The beginnings of the claims of a task and of its result.
const (
	TaskMark   = "task: "
	ResultMark = "result: "
)

// TaskNamespace begins the keys of delegated tasks, and the names of their states.
const TaskNamespace = "sdd"

// TaskStateName is the name of the state that the agent of a task keeps of it, from the task's
// key.
func TaskStateName(key string) string { return strings.ReplaceAll(key, "/", ".") }

// Packet is what a parent hands to the agent of a task (source document 5, Annex A.5), but for
// its pointers, which are those of the task's fact. Every entry is one line that is not empty.
type Packet struct {
	Text        string   // what else there is to say, in any number of lines
	Plan        string   // the node of the parent's plan that the task is
	Constraints []string // what must hold whatever is done
	Acceptance  []string // what has to be so before the task is done
}

const (
	planMark        = "Plan: "
	constraintsHead = "Constraints:"
	acceptanceHead  = "Acceptance criteria:"
	findingsHead    = "Findings:"
	itemMark        = "- "
	pointerMark     = "  @ "
)

// String is the packet as the detail of a task: its text, and as the last paragraph
//
//	Plan: NODE
//	Constraints:
//	- …
//	Acceptance criteria:
//	- …
//
// Every part may be absent.
func (p Packet) String() string {
	var lines []string
	if p.Plan != "" {
		lines = append(lines, planMark+p.Plan)
	}
	for _, list := range []struct {
		head  string
		items []string
	}{{constraintsHead, p.Constraints}, {acceptanceHead, p.Acceptance}} {
		if len(list.items) > 0 {
			lines = append(lines, list.head)
		}
		for _, item := range list.items {
			lines = append(lines, itemMark+item)
		}
	}
	return withParagraph(p.Text, lines)
}

// ParsePacket reads the detail of a task. What does not have the form of a packet is text.
func ParsePacket(detail string) Packet {
	text, lines := lastParagraph(detail)
	p := Packet{Text: text}
	var list *[]string
	for _, line := range lines {
		plan, isPlan := strings.CutPrefix(line, planMark)
		item, isItem := strings.CutPrefix(line, itemMark)
		switch {
		case isPlan:
			p.Plan = plan
		case line == constraintsHead:
			list = &p.Constraints
		case line == acceptanceHead:
			list = &p.Acceptance
		case isItem && item != "" && list != nil:
			*list = append(*list, item)
		}
	}
	if p.String() != detail { // other lines, or another order
		return Packet{Text: detail}
	}
	return p
}

// Finding is one thing that an agent found out, and the references that it rests on: at least
// one.
type Finding struct {
	Text     string   `json:"text" help:"what was found out, one sentence"`
	Pointers []string `json:"pointers" help:"references that show it, as PATH:LINES, sam:SESSION@EVENT, artifact:DIGEST or the key of a fact"`
}

// WithFindings is the detail of a result: its text, and as the last paragraph
//
//	Findings:
//	- TEXT
//	  @ REFERENCE
func WithFindings(text string, list []Finding) string {
	var lines []string
	if len(list) > 0 {
		lines = append(lines, findingsHead)
	}
	for _, f := range list {
		lines = append(lines, itemMark+f.Text)
		for _, ref := range f.Pointers {
			lines = append(lines, pointerMark+ref)
		}
	}
	return withParagraph(text, lines)
}

// ParseFindings reads the detail of a result. What does not have the form of findings is text.
func ParseFindings(detail string) (text string, list []Finding) {
	text, lines := lastParagraph(detail)
	for _, line := range lines {
		item, isItem := strings.CutPrefix(line, itemMark)
		ref, isRef := strings.CutPrefix(line, pointerMark)
		switch {
		case isItem && item != "":
			list = append(list, Finding{Text: item})
		case isRef && ref != "" && len(list) > 0:
			last := &list[len(list)-1]
			last.Pointers = append(last.Pointers, ref)
		}
	}
	for _, f := range list {
		if len(f.Pointers) == 0 {
			return detail, nil
		}
	}
	if WithFindings(text, list) != detail {
		return detail, nil
	}
	return text, list
}

// RepointFindings replaces references in the detail of a result.
func RepointFindings(detail string, now map[string]string) string {
	text, list := ParseFindings(detail)
	for _, f := range list {
		for i, ref := range f.Pointers {
			if to, known := now[ref]; known {
				f.Pointers[i] = to
			}
		}
	}
	return WithFindings(text, list)
}

func withParagraph(text string, lines []string) string {
	switch {
	case len(lines) == 0:
		return text
	case text != "":
		text += "\n\n"
	}
	return text + strings.Join(lines, "\n")
}

func lastParagraph(text string) (rest string, lines []string) {
	if at := strings.LastIndex(text, "\n\n"); at >= 0 {
		rest, text = text[:at], text[at+2:]
	}
	return rest, strings.Split(text, "\n")
}
