package setup

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"engram/internal/lazyregexp"
)

// event is a moment at which a client runs `engram hook`.
type event struct {
	name string // as the client calls it
	hook string // as engram does
}

// jsonHooks are engram's entries in the lists of hooks: "hooks" → event → entries.
type jsonHooks struct {
	events  []event
	command func(hook string) string
	// entry is what a list gets; its command, or that of its only inner hook, is
	// the one given.
	entry func(hook, command string) object
	// flat: an entry is a command, and not a group with a list of them.
	flat bool
}

// ownHook matches commands that are engram's, wherever the binary was.
var ownHook = lazyregexp.New(`(^|[/\\"' ])engram(\.exe)?["']? hook (session-start|pre-compact|stop)\b`)

func (e jsonHooks) put(text string) (string, error) {
	return guarded(text, e.strip, func(text string) (string, error) {
		for _, ev := range e.events {
			var err error
			if text, err = e.putOne(text, ev); err != nil {
				return "", err
			}
		}
		return text, nil
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
	hooks, there, err := root.only("hooks", '{')
	if err != nil {
		return "", err
	}
	if !there {
		return l.add(text, root, "hooks", object{{ev.name, fresh}}), nil
	}
	list, there, err := hooks.value.only(ev.name, '[')
	if err != nil {
		return "", err
	}
	if !there {
		return l.add(text, hooks.value, ev.name, fresh), nil
	}
	for _, group := range list.value.items {
		for _, inner := range e.commands(group.value) {
			value, _ := inner.member("command")
			if value.value == nil || !isOwn(text, inner) {
				continue
			}
			if decode(text, value.value) == command {
				return text, nil
			}
			return splice(text, value.value, quote(command)), nil
		}
	}
	return l.add(text, list.value, "", fresh[0]), nil
}

// commands are the hooks of an entry.
func (e jsonHooks) commands(entry *node) []*node {
	if entry.kind != '{' {
		return nil
	}
	if e.flat {
		return []*node{entry}
	}
	inner, there := entry.member("hooks")
	if !there || inner.value.kind != '[' {
		return nil
	}
	var list []*node
	for _, it := range inner.value.items {
		if it.value.kind == '{' {
			list = append(list, it.value)
		}
	}
	return list
}

func isOwn(text string, hook *node) bool {
	it, there := hook.member("command")
	if !there {
		return false
	}
	command, _ := decode(text, it.value).(string)
	return ownHook.MatchString(command)
}

func (e jsonHooks) take(text, original string) (string, error) {
	return guarded(text, e.strip, func(text string) (string, error) {
		for {
			next, err := e.takeOne(text, original)
			if err != nil || next == text {
				return next, err
			}
			text = next
		}
	})
}

// takeOne takes the first hook of engram's out, with what it leaves empty.
func (e jsonHooks) takeOne(text, original string) (string, error) {
	root, err := rootObject(text)
	if err != nil {
		return "", err
	}
	hooks, there, err := root.only("hooks", '{')
	if err != nil || !there {
		return text, err
	}
	for at, list := range hooks.value.items {
		if list.value.kind != '[' {
			continue
		}
		for i, entry := range list.value.items {
			own := slices.IndexFunc(e.commands(entry.value), func(n *node) bool { return isOwn(text, n) })
			if own < 0 {
				continue
			}
			inner, _ := entry.value.member("hooks")
			switch {
			case !e.flat && len(inner.value.items) > 1:
				at := slices.IndexFunc(inner.value.items, func(it item) bool { return isOwn(text, it.value) })
				return drop(text, inner.value, at), nil
			case len(list.value.items) > 1 || had(original, "hooks", list.name):
				return drop(text, list.value, i), nil
			case len(hooks.value.items) > 1 || had(original, "hooks"):
				return drop(text, hooks.value, at), nil
			}
			return drop(text, root, slices.Index(namesOf(root), "hooks")), nil
		}
	}
	return text, nil
}

// strip is a text's tree without engram's hooks and without empty lists.
func (e jsonHooks) strip(tree any) any {
	root, ok := tree.(map[string]any)
	if !ok {
		return tree
	}
	root = maps.Clone(root)
	hooks, ok := root["hooks"].(map[string]any)
	if !ok {
		return root
	}
	hooks = maps.Clone(hooks)
	for name, v := range hooks {
		if list, ok := v.([]any); ok {
			if hooks[name] = e.stripList(list); reflect.DeepEqual(hooks[name], []any{}) {
				delete(hooks, name)
			}
		}
	}
	if root["hooks"] = hooks; len(hooks) == 0 {
		delete(root, "hooks")
	}
	return root
}

func (e jsonHooks) stripList(list []any) []any {
	kept := []any{}
	for _, v := range list {
		entry, ok := v.(map[string]any)
		inner, isList := entry["hooks"].([]any)
		switch {
		case ok && e.flat && ownHook.MatchString(fmt.Sprint(entry["command"])):
			continue
		case ok && !e.flat && isList:
			rest := slices.DeleteFunc(slices.Clone(inner), func(h any) bool {
				hook, ok := h.(map[string]any)
				command, isText := hook["command"].(string)
				return ok && isText && ownHook.MatchString(command)
			})
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

func (e jsonHooks) holds(text string) bool {
	root, err := rootObject(text)
	if err != nil {
		return false
	}
	hooks, there := root.member("hooks")
	if !there {
		return false
	}
	for _, list := range hooks.value.items {
		for _, entry := range list.value.items {
			if slices.ContainsFunc(e.commands(entry.value), func(n *node) bool { return isOwn(text, n) }) {
				return true
			}
		}
	}
	return false
}
