package setup

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Name is what clients call engram's server.
const Name = "engram"

// jsonServer is engram's entry in a JSON file: key → "engram" → fields.
type jsonServer struct {
	key    string
	fields object // that an entry has to have
	also   object // that a new entry gets
	// keep leaves further arguments that are there alone.
	keep bool
}

// foreign are fields of an entry that another server is reached by.
var foreign = []string{"url", "serverUrl", "httpUrl"}

func (e jsonServer) put(text string) (string, error) {
	return guarded(text, e.strip, func(text string) (string, error) {
		root, err := rootObject(text)
		if err != nil {
			return "", err
		}
		l := layoutOf(text, root)
		servers, there, err := root.only(e.key, '{')
		if err != nil {
			return "", err
		}
		fresh := append(slices.Clone(e.fields), e.also...)
		if !there {
			return l.add(text, root, e.key, object{{Name, fresh}}), nil
		}
		entry, there, err := servers.value.once(Name)
		if err != nil {
			return "", err
		}
		if !there {
			return l.add(text, servers.value, Name, fresh), nil
		}
		if !patchable(entry.value) {
			return splice(text, entry.value, l.render(fresh, indentOf(text, entry.start))), nil
		}
		return e.patch(text, l)
	})
}

func patchable(entry *node) bool {
	if entry.kind != '{' {
		return false
	}
	for i, it := range entry.items {
		if slices.Contains(foreign, it.name) || slices.ContainsFunc(entry.items[:i], func(o item) bool { return o.name == it.name }) {
			return false
		}
	}
	return true
}

// patch brings the fields of an entry up to date and leaves all others.
func (e jsonServer) patch(text string, l layout) (string, error) {
	for _, f := range e.fields {
		root, err := rootObject(text)
		if err != nil {
			return "", err
		}
		servers, _ := root.member(e.key)
		entry, _ := servers.value.member(Name)
		old, there := entry.value.member(f.name)
		switch {
		case !there:
			text = l.add(text, entry.value, f.name, f.value)
		case !e.stands(decode(text, old.value), f):
			text = splice(text, old.value, l.render(f.value, indentOf(text, old.start)))
		}
	}
	return text, nil
}

// stands reports whether a field is as it should be.
func (e jsonServer) stands(have any, f field) bool {
	want := plainValue(f.value)
	if reflect.DeepEqual(have, want) {
		return true
	}
	h, isList := have.([]any)
	w, wantsList := want.([]any)
	if !e.keep || !isList || !wantsList || len(h) < len(w) {
		return false
	}
	return reflect.DeepEqual(h[:len(w)], w) && !slices.ContainsFunc(h, func(v any) bool { _, ok := v.(string); return !ok })
}

// plainValue is a value as decode gives it.
func plainValue(v any) any {
	raw, _ := json.Marshal(v) // words and lists of words
	root, err := scanJSON(string(raw))
	if err != nil {
		return nil
	}
	return decode(string(raw), root)
}

func (e jsonServer) take(text, original string) (string, error) {
	return guarded(text, e.strip, func(text string) (string, error) {
		root, err := rootObject(text)
		if err != nil {
			return "", err
		}
		servers, there, err := root.only(e.key, '{')
		if err != nil || !there {
			return text, err
		}
		if _, there, err := servers.value.once(Name); err != nil || !there {
			return text, err
		}
		i := slices.Index(namesOf(servers.value), Name)
		if len(servers.value.items) > 1 || had(original, e.key) {
			return drop(text, servers.value, i), nil
		}
		return drop(text, root, slices.Index(namesOf(root), e.key)), nil
	})
}

// strip is a text's tree without engram's entry.
func (e jsonServer) strip(tree any) any {
	root, ok := tree.(map[string]any)
	if !ok {
		return tree
	}
	root = maps.Clone(root)
	if servers, ok := root[e.key].(map[string]any); ok {
		servers = maps.Clone(servers)
		delete(servers, Name)
		root[e.key] = servers
		if len(servers) == 0 {
			delete(root, e.key)
		}
	}
	return root
}

func (e jsonServer) holds(text string) bool {
	root, err := rootObject(text)
	if err != nil {
		return false
	}
	servers, _, err := root.only(e.key, '{')
	if err != nil || servers.value == nil {
		return false
	}
	_, there := servers.value.member(Name)
	return there
}

// guarded makes an edit and looks whether everything but engram's own means what
// it did. A text that an edit would disturb stays as it is.
func guarded(text string, strip func(any) any, edit func(string) (string, error)) (string, error) {
	edited, err := edit(text)
	if err != nil || edited == text {
		return text, err
	}
	before, err := scanJSON(text)
	if err != nil {
		return text, err
	}
	after, err := scanJSON(edited)
	if err != nil {
		return text, fmt.Errorf("cannot be edited safely: %w", err)
	}
	if !reflect.DeepEqual(strip(decode(text, before)), strip(decode(edited, after))) {
		return text, fmt.Errorf("cannot be edited without changing something else")
	}
	return edited, nil
}

func rootObject(text string) (*node, error) {
	root, err := scanJSON(text)
	if err == nil && root.kind != '{' {
		err = fmt.Errorf("is not a JSON object")
	}
	return root, err
}

// once is a member that must not be there twice: parsers differ in which they take.
func (n *node) once(name string) (found item, there bool, err error) {
	for _, it := range n.items {
		if it.name != name {
			continue
		}
		if there {
			return found, true, fmt.Errorf("names %q twice", name)
		}
		found, there = it, true
	}
	return found, there, nil
}

// only is a member that must not be there twice, nor be of another kind.
func (n *node) only(name string, kind byte) (item, bool, error) {
	found, there, err := n.once(name)
	if err == nil && there && found.value.kind != kind {
		err = fmt.Errorf("%q is not %s", name, map[byte]string{'{': "an object", '[': "a list"}[kind])
	}
	return found, there, err
}

func namesOf(n *node) []string {
	list := make([]string, len(n.items))
	for i, it := range n.items {
		list[i] = it.name
	}
	return list
}

// had reports whether a text has an object or list at a path.
func had(text string, path ...string) bool {
	n, err := scanJSON(text)
	for _, name := range path {
		if err != nil || n.kind != '{' {
			return false
		}
		it, there := n.member(name)
		if !there {
			return false
		}
		n = it.value
	}
	return err == nil
}

func splice(text string, n *node, value string) string { return text[:n.start] + value + text[n.end:] }

// blank reports whether nothing is in a text but what a new file begins with. A
// comment is something.
func blank(text, base string) bool {
	if strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)) == "" {
		return true
	}
	root, err := rootObject(text)
	if err != nil || hasComment(text) {
		return false
	}
	begin, err := rootObject(base)
	if err != nil {
		return false
	}
	return len(root.items) == 0 || reflect.DeepEqual(decode(text, root), decode(base, begin))
}
