package setup

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"engram/internal/lazyregexp"
)

// event is an event at which a client runs `engram hook`.
type event struct {
	name string // as the client calls it
	hook string // as engram does
}

// jsonHooks are engram's entries in the lists of hooks: "hooks" → event → entries.
type jsonHooks struct {
	events   []event
	unwanted []event // at which an earlier set-up may have left hooks
	command  func(hook string) string
	// entry returns a new entry of a list; it, or its only inner hook, runs the command.
	entry func(hook, command string) object
	// flat: an entry is a command, not a group with a list of commands.
	flat bool
}

// ownHook matches the commands of engram's hooks, wherever the binary is.
var ownHook = lazyregexp.New(`(^|[/\\"' ])engram(\.exe)?["']? hook (session-start|prompt|tool|subagent|pre-compact|compacted|stop|end)\b`)

func (e jsonHooks) put(text string) (string, error) {
	return guarded(text, jsonTree, e.strip, func(text string) (string, error) {
		var err error
		for _, ev := range e.unwanted {
			at := func(name string) bool { return name == ev.name }
			if text, err = e.takeAll(text, "", at); err != nil {
				return "", err
			}
		}
		for _, ev := range e.events {
			if text, err = e.putOne(text, ev); err != nil {
				return "", err
			}
		}
		return text, nil
	})
}

// begins reports whether a text has no hook that keeps sessions before it is edited, and has one
// then.
func (e jsonHooks) begins(before, after string) bool {
	return slices.ContainsFunc(e.events, func(ev event) bool {
		return captures(ev.hook) && strings.Contains(after, " hook "+ev.hook+" ") && !strings.Contains(before, " hook "+ev.hook+" ")
	})
}

func (e jsonHooks) putOne(text string, ev event) (string, error) {
	root, err := rootObject(text)
	if err != nil {
		return "", err
	}
	l := layoutOf(text, root)
	command := e.command(ev.hook)
	fresh := []any{e.entry(ev.hook, command)}
	hooks, err := root.only("hooks", '{')
	if err != nil {
		return "", err
	}
	if hooks.value == nil {
		return l.add(text, root, "hooks", object{{ev.name, fresh}}), nil
	}
	list, err := hooks.value.only(ev.name, '[')
	if err != nil {
		return "", err
	}
	if list.value == nil {
		return l.add(text, hooks.value, ev.name, fresh), nil
	}
	_, own := e.find(text, list.value)
	if own == nil {
		return l.add(text, list.value, "", fresh[0]), nil
	}
	value := own.member("command").value
	if decode(text, value) == command {
		return text, nil
	}
	return splice(text, value, quote(command)), nil
}

// find returns engram's first hook in a list, and the place of its entry; nil if there is
// none.
func (e jsonHooks) find(text string, list *node) (at int, own *node) {
	if list.kind != '[' {
		return -1, nil
	}
	for i, entry := range list.items {
		for _, hook := range e.commands(entry.value) {
			if isOwn(text, hook) {
				return i, hook
			}
		}
	}
	return -1, nil
}

// commands are the hooks of an entry.
func (e jsonHooks) commands(entry *node) []*node {
	if entry.kind != '{' {
		return nil
	}
	if e.flat {
		return []*node{entry}
	}
	inner := entry.member("hooks").value
	if inner == nil || inner.kind != '[' {
		return nil
	}
	var list []*node
	for _, it := range inner.items {
		list = append(list, it.value)
	}
	return list
}

func isOwn(text string, hook *node) bool {
	value := hook.member("command").value
	if hook.kind != '{' || value == nil {
		return false
	}
	command, _ := decode(text, value).(string)
	return ownHook.MatchString(command)
}

func (e jsonHooks) take(text, original string) (string, error) {
	return guarded(text, jsonTree, e.strip, func(text string) (string, error) {
		return e.takeAll(text, original, func(string) bool { return true })
	})
}

// takeAll removes engram's hooks from the lists that at chooses by their names.
func (e jsonHooks) takeAll(text, original string, at func(name string) bool) (string, error) {
	for {
		next, err := e.takeOne(text, original, at)
		if err != nil || next == text {
			return next, err
		}
		text = next
	}
}

// takeOne removes engram's first hook, and the lists and objects that are empty then.
func (e jsonHooks) takeOne(text, original string, chosen func(name string) bool) (string, error) {
	root, err := rootObject(text)
	if err != nil {
		return "", err
	}
	hooks, err := root.only("hooks", '{')
	if err != nil || hooks.value == nil {
		return text, err
	}
	for at, list := range hooks.value.items {
		i, own := e.find(text, list.value)
		if own == nil || !chosen(list.name) {
			continue
		}
		inner := list.value.items[i].value.member("hooks").value
		switch {
		case !e.flat && len(inner.items) > 1:
			return drop(text, inner, slices.IndexFunc(inner.items, func(it item) bool { return it.value == own })), nil
		case len(list.value.items) > 1 || had(original, "hooks", list.name):
			return drop(text, list.value, i), nil
		case len(hooks.value.items) > 1 || had(original, "hooks"):
			return drop(text, hooks.value, at), nil
		}
		return drop(text, root, root.index("hooks")), nil
	}
	return text, nil
}

// strip returns a tree without engram's hooks and without empty lists.
func (e jsonHooks) strip(tree any) any {
	return changed(tree, "hooks", func(hooks map[string]any) {
		for name, v := range hooks {
			if list, ok := v.([]any); ok {
				if hooks[name] = e.stripList(list); reflect.DeepEqual(hooks[name], []any{}) {
					delete(hooks, name)
				}
			}
		}
	})
}

func (e jsonHooks) stripList(list []any) []any {
	kept := []any{}
	for _, v := range list {
		entry, _ := v.(map[string]any)
		inner, isList := entry["hooks"].([]any)
		switch {
		case e.flat && isOwnValue(v):
			continue
		case !e.flat && isList:
			rest := slices.DeleteFunc(slices.Clone(inner), isOwnValue)
			if len(rest) == 0 && len(inner) > 0 {
				continue
			}
			entry = maps.Clone(entry)
			entry["hooks"] = rest
			v = entry
		}
		kept = append(kept, v)
	}
	return kept
}

func isOwnValue(hook any) bool {
	entry, _ := hook.(map[string]any)
	command, _ := entry["command"].(string)
	return ownHook.MatchString(command)
}

func (e jsonHooks) holds(text string) bool {
	root, err := rootObject(text)
	if err != nil {
		return false
	}
	hooks := root.member("hooks").value
	return hooks != nil && slices.ContainsFunc(hooks.items, func(list item) bool {
		_, own := e.find(text, list.value)
		return own != nil
	})
}
