package window

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"engram/facts"
	"engram/session"
)

// Budgets are the most tokens of each block of a pack (§9.1). 0 is the default.
type Budgets struct {
	Window   int `json:"window,omitempty" flag:"budget-window,,N" min:"0" help:"the model takes N tokens; by default the sum is not checked"`
	Headroom int `json:"headroom,omitempty" flag:"budget-headroom,,N" min:"0" help:"N tokens are left for the answer and for tools"`
	System   int `json:"system,omitempty" flag:"budget-system,,N" min:"0" default:"4000" help:"at most N tokens of the caller's policy"`
	Brief    int `json:"brief,omitempty" flag:"budget-brief,,N" min:"0" default:"400" help:"at most N tokens of the brief"`
	Task     int `json:"task,omitempty" flag:"budget-task,,N" min:"0" default:"800" help:"at most N tokens of the task's state"`
	Markers  int `json:"markers,omitempty" flag:"budget-markers,,N" min:"0" default:"1200" help:"at most N tokens of markers"`
	Tail     int `json:"tail,omitempty" flag:"budget-tail,,N" min:"0" default:"12000" help:"at most N tokens of the last turns"`
}

// Check rejects budgets that cannot be.
func (b Budgets) Check() error {
	for _, n := range []int{b.Window, b.Headroom, b.System, b.Brief, b.Task, b.Markers, b.Tail} {
		if n < 0 {
			return fmt.Errorf("a budget of %d tokens", n)
		}
	}
	return nil
}

// DefaultBudgets are at most 2,500 tokens without the system block and the tail.
func DefaultBudgets() Budgets {
	return Budgets{System: 4000, Brief: 400, Task: 800, Markers: 1200, Tail: 12000}
}

func (b Budgets) withDefaults() Budgets {
	d := DefaultBudgets()
	for _, pair := range []struct{ value, or *int }{
		{&b.System, &d.System}, {&b.Brief, &d.Brief}, {&b.Task, &d.Task}, {&b.Markers, &d.Markers}, {&b.Tail, &d.Tail},
	} {
		if *pair.value == 0 {
			*pair.value = *pair.or
		}
	}
	return b
}

// Declaration tells a model that what was evicted can be had. It never changes, so that caches
// of prompts keep it.
const Declaration = "Earlier parts of this work may have left this window. Nothing is lost: " +
	"call recall(query), which is the tool engram_recall or the command `engram recall QUERY`, for what was said, done or printed before. " +
	"Do so before you repeat an exact value (a path, a hash, a flag, an error) from memory."

// Parts are what a pack is made of.
type Parts struct {
	System  string // the caller's policy; never cut
	Brief   string // rules and facts of the memory; cut at a line
	Task    string // the state of the task as text; cut at a line
	Markers []session.Marker
	Tail    []Item // the last turns, oldest first; the oldest are left out
	User    string // the new message; never cut
}

// Block is one part of a pack.
type Block struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Pack is what is put into a window. Blocks are in the order in which they change: those that
// never change stand first, so that caches of prompts can keep them (§4.1, P8).
type Pack struct {
	Blocks []Block `json:"blocks"`
	Tokens int     `json:"tokens"`
	// Cut are the names of blocks that were shortened to their budget.
	Cut []string `json:"cut,omitempty"`
}

// Text is the whole pack.
func (p Pack) Text() string {
	var parts []string
	for _, block := range p.Blocks {
		parts = append(parts, block.Text)
	}
	return strings.Join(parts, "\n\n")
}

// Build makes a pack. Each block keeps to its budget, and all of them with the headroom to the
// window; if the system block or the message is too large for that, the error says by how much.
func Build(parts Parts, budgets Budgets) (Pack, error) {
	b := budgets.withDefaults()
	var p Pack
	p.add("system", parts.System)
	if n := facts.Tokens(parts.System); n > b.System {
		return Pack{}, fmt.Errorf("the system block has %d tokens, and its budget %d", n, b.System)
	}
	p.addCut("brief", parts.Brief, b.Brief)
	p.add("recall", Declaration)
	p.addCut("task_state", parts.Task, b.Task)
	p.addMarkers(parts.Markers, b.Markers)
	p.addTail(parts.Tail, p.room(b, parts.User))
	p.add("user", parts.User)
	if b.Window > 0 && p.Tokens+b.Headroom > b.Window {
		return Pack{}, fmt.Errorf("the pack has %d tokens and the headroom %d, and the window takes %d", p.Tokens, b.Headroom, b.Window)
	}
	return p, nil
}

// room is what is left for the tail.
func (p *Pack) room(b Budgets, user string) int {
	if b.Window == 0 {
		return b.Tail
	}
	return max(0, min(b.Tail, b.Window-b.Headroom-p.Tokens-facts.Tokens(user)))
}

func (p *Pack) add(name, text string) {
	if text == "" {
		return
	}
	tokens := facts.Tokens(text)
	p.Blocks = append(p.Blocks, Block{name, text, tokens})
	p.Tokens += tokens
}

// addCut adds as many lines of a text as its budget allows.
func (p *Pack) addCut(name, text string, budget int) {
	short := CutLines(text, budget)
	if short != text {
		p.Cut = append(p.Cut, name)
	}
	p.add(name, short)
}

// CutLines returns the first lines of a text, in at most so many tokens.
func CutLines(text string, budget int) string {
	if facts.Tokens(text) <= budget {
		return text
	}
	lines := strings.Split(text, "\n")
	n := sort.Search(len(lines), func(n int) bool { return facts.Tokens(strings.Join(lines[:n+1], "\n")) > budget })
	return strings.Join(lines[:n], "\n")
}

func (p *Pack) addMarkers(markers []session.Marker, budget int) {
	items := make([]Item, len(markers))
	for i, m := range markers {
		items[i] = markerItem(m)
	}
	most := len(items)
	for most > 1 && sum(items) > budget {
		most--
		items = mergeMarkers(items, most)
	}
	var lines []string
	for _, item := range items {
		lines = append(lines, item.Text)
	}
	p.addCut("markers", strings.Join(lines, "\n"), budget)
}

func (p *Pack) addTail(tail []Item, budget int) {
	first := len(tail)
	var lines []string
	for first > 0 {
		text := tail[first-1].Text
		tokens := facts.Tokens(text) + 1
		if tokens > budget {
			p.Cut = append(p.Cut, "tail")
			break
		}
		budget -= tokens
		lines = append(lines, text)
		first--
	}
	slices.Reverse(lines)
	p.add("tail", strings.Join(lines, "\n"))
}

func sum(items []Item) (tokens int) {
	for _, item := range items {
		tokens += item.Tokens
	}
	return tokens
}
