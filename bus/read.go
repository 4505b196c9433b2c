package bus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Bounds of the text of a message.
const (
	MaxMessage = 64 << 10 // bytes of a message
	maxDepth   = 8        // nesting of lists and mappings; the message is the first level
)

// Message is a message of either form.
type Message struct {
	Form   Form
	Child  *ChildMessage  // of FromChild
	Parent *ParentMessage // of FromParent
	// comments are the YAML comments. They are not passed on, but count towards the budget.
	comments string
}

// Problem is one reason why a text is not of the form.
type Problem struct {
	Line int    // 1-based; 0 stands for the whole text
	Path string // into the message, such as ENGRAMS[2].claim
	Text string
	// surplus: the message is of the form without the part at fault.
	surplus bool
}

func (p Problem) String() string {
	text := p.Text
	if p.Path != "" {
		text = p.Path + " " + text
	}
	if p.Line > 0 {
		text = fmt.Sprintf("line %d: %s", p.Line, text)
	}
	return text
}

// ReadError lists the reasons why a text is not a message.
type ReadError struct{ Problems []Problem }

func (e *ReadError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.String()
	}
	return strings.Join(texts, "; ")
}

// Read reads a message, as YAML or JSON; its fields tell its form. It rejects unknown and
// repeated fields, anchors, aliases, tags, and values of another type. Check judges the
// values. The error is a *ReadError.
func Read(text []byte) (Message, error) {
	m, problems := read(text)
	if len(problems) > 0 {
		return Message{}, &ReadError{problems}
	}
	return m, nil
}

// ParseChild reads a child's message, as Read does.
func ParseChild(text []byte) (ChildMessage, error) {
	m, err := Read(text)
	if err == nil && m.Form != FromChild {
		err = &ReadError{[]Problem{{Text: "this is a parent's message, not a child's"}}}
	}
	if err != nil {
		return ChildMessage{}, err
	}
	return *m.Child, nil
}

// read reads as much as possible. A Form of "" means that the text is not a message.
func read(text []byte) (Message, []Problem) {
	root, problem := rootOf(text)
	if problem != nil {
		return Message{}, []Problem{*problem}
	}
	m := Message{Form: formOf(root), comments: strings.Join(comments(nil, root), "\n")}
	r := reader{}
	switch m.Form {
	case FromChild:
		m.Child = &ChildMessage{}
	case FromParent:
		m.Parent = &ParentMessage{}
	default:
		r.add(root, "", "the text has none of the fields of a message: a child's has ROLE, TASK_STATUS, ENGRAMS and OUTPUT, a parent's ROLE, SHARED_BRIEF_MICRO and BUDGETS")
		return m, r.problems
	}
	mapping{fields: m.fields}.read(&r, root, "", true)
	return m, r.problems
}

// formOf finds the form by the first field that only one of the forms has.
func formOf(root *yaml.Node) Form {
	for i := 0; i < len(root.Content); i += 2 {
		switch root.Content[i].Value {
		case "TASK_STATUS", "ENGRAMS", "POINTER_PACK", "DEREF_REQUESTS", "OUTPUT":
			return FromChild
		case "SHARED_BRIEF_MICRO", "BUDGETS", "GRANTS", "TARGET_POINTER_PACK", "INSTRUCTIONS":
			return FromParent
		}
	}
	return ""
}

// rootOf finds the one mapping of a text.
func rootOf(text []byte) (*yaml.Node, *Problem) {
	switch {
	case len(text) > MaxMessage:
		return nil, &Problem{Text: fmt.Sprintf("the text has %d bytes; a message has at most %d", len(text), MaxMessage)}
	case !utf8.Valid(text):
		return nil, &Problem{Text: "the text is not UTF-8"}
	}
	if isJSON(text) {
		return jsonTree(text)
	}
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, &Problem{Text: "the text is empty"}
	} else if err != nil {
		return nil, syntaxProblem(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &Problem{Text: "the text holds more than one YAML document"}
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &Problem{Line: 1, Text: "this is not a message: a message is a YAML or JSON mapping of fields to values"}
	}
	root := doc.Content[0]
	root.HeadComment += doc.HeadComment
	root.FootComment += doc.FootComment
	return root, badTree(root, 1)
}

// syntaxProblem extracts the line from the YAML library's "yaml: line 3: text".
func syntaxProblem(err error) *Problem {
	p := &Problem{Text: "is neither YAML nor JSON: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	if rest, ok := strings.CutPrefix(err.Error(), "yaml: line "); ok {
		number, problem, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			p.Line, p.Text = line, "is neither YAML nor JSON: "+problem
		}
	}
	return p
}

// badTree finds what YAML permits and no message needs: anchors, aliases, tags, and deep
// nesting.
func badTree(n *yaml.Node, depth int) *Problem {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return &Problem{Line: n.Line, Text: "anchors and aliases are not allowed"}
	case n.Style&yaml.TaggedStyle != 0:
		return &Problem{Line: n.Line, Text: "YAML tags are not allowed"}
	case depth > maxDepth && n.Kind != yaml.ScalarNode:
		return &Problem{Line: n.Line, Text: fmt.Sprintf("it nests deeper than %d levels", maxDepth)}
	}
	for _, child := range n.Content {
		if problem := badTree(child, depth+1); problem != nil {
			return problem
		}
	}
	return nil
}

func comments(found []string, n *yaml.Node) []string {
	for _, c := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(c) {
			found = append(found, strings.TrimRight(strings.TrimPrefix(line, "#"), "\n"))
		}
	}
	for _, child := range n.Content {
		found = comments(found, child)
	}
	return found
}
