package setup

import (
	"encoding/json"
	"errors"
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
	fields object // that every entry must have
	also   object // that a new entry gets as well
	keep   bool   // keeps additional arguments of an existing entry
}

// foreign are the fields of an entry that connects to another server.
var foreign = []string{"url", "serverUrl", "httpUrl"}

// find returns the mapping of servers and engram's entry in it; their values are nil if
// they are absent.
func (e jsonServer) find(root *node) (servers, entry item, err error) {
	if servers, err = root.only(e.key, '{'); err == nil && servers.value != nil {
		entry, err = servers.value.once(Name)
	}
	return servers, entry, err
}

func (e jsonServer) put(text string) (string, error) {
	return guarded(text, jsonTree, e.strip, func(text string) (string, error) {
		root, err := rootObject(text)
		if err != nil {
			return "", err
		}
		l := layoutOf(text, root)
		fresh := append(slices.Clone(e.fields), e.also...)
		servers, entry, err := e.find(root)
		switch {
		case err != nil:
			return "", err
		case servers.value == nil:
			return l.add(text, root, e.key, object{{Name, fresh}}), nil
		case entry.value == nil:
			return l.add(text, servers.value, Name, fresh), nil
		case !patchable(entry.value):
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

// patch updates the fields of an entry and keeps all others.
func (e jsonServer) patch(text string, l layout) (string, error) {
	for _, f := range e.fields {
		root, err := rootObject(text)
		if err != nil {
			return "", err
		}
		_, entry, _ := e.find(root)
		switch old := entry.value.member(f.name); {
		case old.value == nil:
			text = l.add(text, entry.value, f.name, f.value)
		case !upToDate(decode(text, old.value), f, e.keep):
			text = splice(text, old.value, l.render(f.value, indentOf(text, old.start)))
		}
	}
	return text, nil
}

// upToDate reports whether a field has its value. With keep, a list may have more strings.
func upToDate(have any, f field, keep bool) bool {
	raw, _ := json.Marshal(f.value) // strings and lists of strings
	want, _ := jsonTree(string(raw))
	if reflect.DeepEqual(have, want) {
		return true
	}
	h, isList := have.([]any)
	w, wantsList := want.([]any)
	if !keep || !isList || !wantsList || len(h) < len(w) {
		return false
	}
	return reflect.DeepEqual(h[:len(w)], w) && !slices.ContainsFunc(h, func(v any) bool { _, ok := v.(string); return !ok })
}

func (e jsonServer) take(text, original string) (string, error) {
	return guarded(text, jsonTree, e.strip, func(text string) (string, error) {
		root, err := rootObject(text)
		if err != nil {
			return "", err
		}
		servers, entry, err := e.find(root)
		if err != nil || entry.value == nil {
			return text, err
		}
		if len(servers.value.items) > 1 || had(original, e.key) {
			return drop(text, servers.value, servers.value.index(Name)), nil
		}
		return drop(text, root, root.index(e.key)), nil
	})
}

// strip returns a tree without engram's entry.
func (e jsonServer) strip(tree any) any {
	return changed(tree, e.key, func(servers map[string]any) { delete(servers, Name) })
}

func (e jsonServer) holds(text string) bool {
	root, err := rootObject(text)
	if err != nil {
		return false
	}
	servers, err := root.only(e.key, '{')
	return err == nil && servers.value != nil && servers.value.index(Name) >= 0
}

// changed returns a copy of a tree with the object at a key changed, and without the key
// if the object is empty then.
func changed(tree any, key string, change func(map[string]any)) any {
	root, _ := tree.(map[string]any)
	inner, ok := root[key].(map[string]any)
	if !ok {
		return tree
	}
	root, inner = maps.Clone(root), maps.Clone(inner)
	change(inner)
	if root[key] = inner; len(inner) == 0 {
		delete(root, key)
	}
	return root
}

// guarded makes an edit and checks that the text means the same apart from engram's part.
// Otherwise the text stays as it is.
func guarded(text string, parse func(string) (any, error), strip func(any) any, edit func(string) (string, error)) (string, error) {
	before, err := parse(text)
	if err != nil {
		return text, err
	}
	edited, err := edit(text)
	if err != nil || edited == text {
		return text, err
	}
	after, err := parse(edited)
	if err != nil {
		return text, fmt.Errorf("cannot be edited safely: %w", err)
	}
	if !reflect.DeepEqual(strip(before), strip(after)) {
		return text, errors.New("cannot be edited without changing something else")
	}
	return edited, nil
}

func jsonTree(text string) (any, error) {
	root, err := scanJSON(text)
	if err != nil {
		return nil, err
	}
	return decode(text, root), nil
}

func rootObject(text string) (*node, error) {
	root, err := scanJSON(text)
	if err == nil && root.kind != '{' {
		err = errors.New("is not a JSON object")
	}
	return root, err
}

// once returns a member. Two of the same name are an error: parsers differ in which one
// they use.
func (n *node) once(name string) (item, error) {
	found := n.member(name)
	if i := n.index(name); i >= 0 && slices.ContainsFunc(n.items[i+1:], func(it item) bool { return it.name == name }) {
		return found, fmt.Errorf("names %q twice", name)
	}
	return found, nil
}

// only is once for a member of a kind.
func (n *node) only(name string, kind byte) (item, error) {
	found, err := n.once(name)
	if err == nil && found.value != nil && found.value.kind != kind {
		err = fmt.Errorf("%q is not %s", name, map[byte]string{'{': "an object", '[': "a list"}[kind])
	}
	return found, err
}

// had reports whether a text has a member at a path.
func had(text string, path ...string) bool {
	n, err := scanJSON(text)
	for _, name := range path {
		if err != nil || n.kind != '{' {
			return false
		}
		if n = n.member(name).value; n == nil {
			return false
		}
	}
	return err == nil
}

func splice(text string, n *node, value string) string { return text[:n.start] + value + text[n.end:] }

// blank reports whether a text has nothing but what a new file begins with. A comment
// counts as content.
func blank(text, base string) bool {
	if strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)) == "" {
		return true
	}
	root, err := rootObject(text)
	if err != nil || hasComment(text) {
		return false
	}
	begin, err := jsonTree(base)
	return err == nil && (len(root.items) == 0 || reflect.DeepEqual(decode(text, root), begin))
}
