package preview

import (
	"bytes"
	"fmt"
)

var diffStart = []byte("diff --git ")

// isDiff reports whether a text is what git diff prints, maybe after a commit's message.
func isDiff(data []byte) bool {
	head := data[:min(len(data), 16<<10)]
	return bytes.HasPrefix(head, diffStart) || bytes.Contains(head, []byte("\ndiff --git "))
}

// diff previews a diff: its files, each with the lines that it adds and removes.
func diff(o *output, data []byte) {
	type change struct {
		name           string
		added, removed int
	}
	var changes []change
	added, removed, files := 0, 0, 0
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, diffStart) {
			if files++; files <= 30 {
				name := bytes.TrimSpace(line[len(diffStart):min(len(line), longLine)])
				if at := bytes.LastIndex(name, []byte(" b/")); at >= 0 {
					name = name[at+3:]
				}
				changes = append(changes, change{name: clean(string(name))})
			}
			continue
		}
		if files == 0 || len(line) == 0 || bytes.HasPrefix(line, []byte("+++ ")) || bytes.HasPrefix(line, []byte("--- ")) {
			continue
		}
		last := &changes[len(changes)-1]
		switch line[0] {
		case '+':
			added++
			if files <= 30 {
				last.added++
			}
		case '-':
			removed++
			if files <= 30 {
				last.removed++
			}
		}
	}
	o.line(fmt.Sprintf("diff of %d %s, +%d -%d, %s", files, plural(files, "file"), added, removed, size(len(data))), 100)
	var found []string
	for _, c := range changes {
		found = append(found, fmt.Sprintf("%s +%d -%d", c.name, c.added, c.removed))
	}
	if shown := o.lines(found, o.left-30); files > shown {
		o.line(fmt.Sprintf("%s %d more", dots, files-shown), 30)
	}
}
