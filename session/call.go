package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Call is a call of a tool, read for people: clients have several names for what its input
// says.
type Call struct {
	text  string // the input as it stands
	paths []string
	input input // nil if the text is no object of JSON
}

// CallOf reads the call that an event is.
func CallOf(e *Event) Call {
	c := Call{text: e.Text, paths: e.Paths}
	if json.Unmarshal([]byte(e.Text), &c.input) != nil {
		c.input = nil
	}
	return c
}

// Does says in one text what the call does: the command it runs, the words it looks for, the
// file it is about.
func (c Call) Does() string {
	does := c.text
	if c.input != nil {
		does = c.input.does()
	}
	if file := c.input.path(); len(c.paths) == 1 && (c.input == nil || file != "" && does == file) {
		does = c.paths[0]
	}
	return strings.TrimSpace(does)
}

// Line is Does on one line, with the first line that the call writes.
func (c Call) Line() string {
	first, _, _ := strings.Cut(c.Does(), "\n")
	for _, edit := range c.Edits() {
		for after := range strings.Lines(edit.After) {
			if line := strings.TrimSpace(after); line != "" && !strings.Contains(edit.Before, line) {
				return first + "  + " + line
			}
		}
	}
	return first
}

// Edit is a text that a call replaces; Before is empty if it writes a whole file.
type Edit struct{ Before, After string }

// Edits are the texts that the call replaces, or the content that it writes.
func (c Call) Edits() (list []Edit) {
	add := func(in input) {
		before, after := in.text("old_string", "oldString", "old_str"), in.text("new_string", "newString", "new_str")
		if before != "" || after != "" {
			list = append(list, Edit{before, after})
		}
	}
	add(c.input)
	if several, ok := c.input["edits"].([]any); ok {
		for _, one := range several {
			if m, ok := one.(map[string]any); ok {
				add(m)
			}
		}
	}
	if content := c.input.text("content", "file_text"); len(list) == 0 && content != "" && c.input.path() != "" {
		list = append(list, Edit{"", strings.TrimRight(content, "\n")})
	}
	return list
}

// Says returns the texts of the call's input, in the order of their names.
func (c Call) Says() (said []string) {
	if c.input == nil {
		return []string{c.text}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			said = append(said, v)
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(map[string]any(c.input))
	return said
}

// input is what a tool was called with, as JSON.
type input map[string]any

// text returns the first of the named members that is a text.
func (in input) text(names ...string) string {
	for _, name := range names {
		if s, ok := in[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// path is the file that a call is about.
func (in input) path() string {
	return in.text("file_path", "filePath", "path", "absolute_path", "notebook_path", "filename")
}

func (in input) does() string {
	if command := in.text("command", "cmd"); command != "" {
		return command
	}
	for _, name := range []string{"command", "cmd"} {
		if list, ok := in[name].([]any); ok {
			return joinedWords(list)
		}
	}
	path := in.path()
	if pattern := in.text("pattern", "query", "regex"); pattern != "" {
		return strings.TrimSpace(pattern + "  " + path)
	}
	if path != "" {
		return path
	}
	for _, name := range []string{"url", "prompt", "description", "input"} {
		if s := in.text(name); s != "" && len(in) <= 3 {
			return s
		}
	}
	b, err := json.Marshal(in)
	if err != nil {
		return ""
	}
	return string(b)
}

// joinedWords is a command as words: a shell's script alone, if a shell runs one.
func joinedWords(list []any) string {
	var words []string
	for _, w := range list {
		words = append(words, fmt.Sprint(w))
	}
	if n := len(words); n == 3 && slices.Contains([]string{"-c", "-lc"}, words[1]) {
		return words[2]
	}
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'`$\\|&;<>()*?#~") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
