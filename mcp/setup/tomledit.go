package setup

import (
	"fmt"
	"slices"
	"strings"
)

// tomlServer is engram's entry in Codex's settings: mcp_servers.engram, as a table, with
// dotted keys, or inline.
type tomlServer struct {
	command string
	args    []string
	keep    bool // as of jsonServer
}

const tomlServers = "mcp_servers"

func (e tomlServer) path() []string { return []string{tomlServers, Name} }

func (e tomlServer) put(text string) (string, error) {
	return guarded(text, treeOf, e.strip, func(text string) (string, error) {
		entry, err := e.entry(text)
		if err == nil && slices.ContainsFunc(foreign, func(f string) bool { return entry[f] != nil }) {
			entry = nil
			text, err = e.out(text)
		}
		if err != nil {
			return "", err
		}
		if entry == nil {
			return e.insert(text)
		}
		for _, f := range []field{{"command", e.command}, {"args", e.args}} {
			if upToDate(entry[f.name], f, e.keep) {
				continue
			}
			if text, err = e.setField(text, f); err != nil {
				return "", err
			}
		}
		return text, nil
	})
}

// setField writes one field of an existing entry.
//
//  1. The field exists: its value is replaced.
//  2. The entry is an inline table: an item is added.
//  3. The entry has a header: a line is added to its table.
//  4. The entry has dotted keys: a line is added after the last of them.
func (e tomlServer) setField(text string, f field) (string, error) {
	list, err := scanTOML(text)
	if err != nil {
		return "", err
	}
	want := append(e.path(), f.name)
	value := layout{inline: true}.render(f.value, "")
	for _, st := range list { // 1
		if v, ok := find(st, want); ok {
			return text[:v.start] + value + text[v.end:], nil
		}
	}
	for _, st := range list { // 2
		if v, ok := find(st, e.path()); ok && v.kind == '{' {
			return addItem(text, v, f.name+" = "+value), nil
		}
	}
	at := slices.IndexFunc(list, func(st statement) bool { return st.key == nil && slices.Equal(st.table, e.path()) })
	if at >= 0 { // 3
		for at+1 < len(list) && list[at+1].key != nil {
			at++
		}
		return addLine(text, list[at], f.name+" = "+value), nil
	}
	for i, st := range slices.Backward(list) { // 4
		if st.key != nil && under(st.path(), e.path()) && len(st.table) < 2 {
			name := strings.Join(append(e.path(), f.name)[len(st.table):], ".")
			return addLine(text, list[i], name+" = "+value), nil
		}
	}
	return "", errTOML
}

// insert adds an entry: to an inline table of servers if there is one, otherwise as a table
// at the end.
func (e tomlServer) insert(text string) (string, error) {
	list, err := scanTOML(text)
	if err != nil {
		return "", err
	}
	l := layout{inline: true}
	command, args := "command = "+quote(e.command), "args = "+l.render(e.args, "")
	for _, st := range list {
		if v, ok := find(st, []string{tomlServers}); ok {
			if v.kind != '{' {
				return "", fmt.Errorf("%s is not a table", tomlServers)
			}
			return addItem(text, v, Name+" = { "+command+", "+args+" }"), nil
		}
	}
	nl := newlineOf(text)
	if text != "" && text != byteOrderMark && !strings.HasSuffix(text, "\n") {
		text += nl
	}
	if strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)) != "" && !strings.HasSuffix(text, "\n"+nl) {
		text += nl
	}
	return text + "[" + tomlServers + "." + Name + "]" + nl + command + nl + args + nl, nil
}

// find returns the value at a path in a statement or its inline table.
func find(st statement, path []string) (tomlValue, bool) {
	if st.key == nil {
		return tomlValue{}, false
	}
	return findIn(st.path(), st.value, path)
}

func findIn(at []string, v tomlValue, path []string) (tomlValue, bool) {
	if slices.Equal(at, path) {
		return v, true
	}
	if v.kind == '{' && under(path, at) {
		for _, it := range v.items {
			if found, ok := findIn(append(slices.Clone(at), it.key...), it.value, path); ok {
				return found, true
			}
		}
	}
	return tomlValue{}, false
}

// under reports whether a path equals a prefix or is below it.
func under(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func addLine(text string, after statement, line string) string {
	nl := newlineOf(text)
	own := text[after.start:after.end]
	indent := own[:len(own)-len(strings.TrimLeft(own, " \t"))]
	before := text[:after.end]
	if !strings.HasSuffix(before, "\n") {
		return before + nl + indent + line + text[after.end:]
	}
	return before + indent + line + nl + text[after.end:]
}

func addItem(text string, v tomlValue, entry string) string {
	if n := len(v.items); n > 0 {
		last := v.items[n-1]
		if last.comma >= 0 {
			return text[:last.comma+1] + " " + entry + text[last.comma+1:]
		}
		return text[:last.value.end] + ", " + entry + text[last.value.end:]
	}
	return text[:v.start] + "{ " + entry + " }" + text[v.end:]
}

func (e tomlServer) take(text, original string) (string, error) {
	return guarded(text, treeOf, e.strip, func(text string) (string, error) {
		entry, err := e.entry(text)
		if err != nil || entry == nil {
			return text, err
		}
		return e.out(text)
	})
}

// out removes every statement of the entry.
func (e tomlServer) out(text string) (string, error) {
	for {
		list, err := scanTOML(text)
		if err != nil {
			return "", err
		}
		next := e.outOne(text, list)
		if next == text {
			return text, nil
		}
		text = next
	}
}

func (e tomlServer) outOne(text string, list []statement) string {
	for i, st := range list {
		switch {
		case st.key == nil && under(st.table, e.path()):
			last := i
			for last+1 < len(list) && list[last+1].key != nil {
				last++
			}
			return cutLines(text, st.start, list[last].end)
		case st.key != nil && under(st.path(), e.path()):
			return text[:st.start] + text[st.end:]
		case st.key != nil && st.value.kind == '{' && under(e.path(), st.path()):
			at := slices.IndexFunc(st.value.items, func(it tomlItem) bool {
				return under(append(st.path(), it.key...), e.path())
			})
			if at >= 0 {
				return dropItem(text, st.value, at)
			}
		}
	}
	return text
}

// cutLines removes lines, and the empty line before them if an empty line or nothing
// follows.
func cutLines(text string, start, end int) string {
	before, after := text[:start], text[end:]
	if after == "" || strings.HasPrefix(after, "\n") || strings.HasPrefix(after, "\r\n") {
		if trimmed, ok := strings.CutSuffix(before, "\n\r\n"); ok {
			before = trimmed + "\n"
		} else if trimmed, ok := strings.CutSuffix(before, "\n\n"); ok {
			before = trimmed + "\n"
		} else if before == "" || before == byteOrderMark {
			after = strings.TrimPrefix(strings.TrimPrefix(after, "\r"), "\n")
		}
	}
	return before + after
}

func dropItem(text string, v tomlValue, i int) string {
	start, end := v.items[i].start, v.items[i].value.end
	switch {
	case i > 0:
		start = v.items[i-1].value.end
	case v.items[i].comma >= 0 && len(v.items) > 1:
		end = v.items[1].start
	default:
		start, end = v.start+1, v.end-1
	}
	return text[:start] + text[end:]
}

// entry returns engram's entry; nil if there is none.
func (e tomlServer) entry(text string) (map[string]any, error) {
	tree, err := treeOf(text)
	if err != nil {
		return nil, err
	}
	at := tree.(map[string]any)
	for i, name := range e.path() {
		inner, there := at[name]
		if !there {
			return nil, nil
		}
		var ok bool
		if at, ok = inner.(map[string]any); !ok {
			return nil, fmt.Errorf("%s is not a table", strings.Join(e.path()[:i+1], "."))
		}
	}
	return at, nil
}

func (e tomlServer) strip(tree any) any {
	return changed(tree, tomlServers, func(servers map[string]any) { delete(servers, Name) })
}

func (e tomlServer) holds(text string) bool {
	entry, err := e.entry(text)
	return err == nil && entry != nil
}
