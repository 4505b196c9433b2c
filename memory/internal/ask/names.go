package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// maxNames is the number of names by default.
const maxNames = 100

// NamesInput asks for completions of a key or a scope.
type NamesInput struct {
	Contains string `json:"contains,omitempty"` // whatever its case; "" for all
	Scopes   bool   `json:"scopes,omitempty"`   // scopes in use instead of keys
	Limit    int    `json:"limit,omitempty"`    // 0 means 100
	AskedBy  string `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
	Branch   string `json:"branch,omitempty"`   // as of QueryInput
}

// NamesResult is the keys or scopes of facts that hold now or later: first those that
// begin with the text, then those that contain it, each by name.
type NamesResult struct {
	core.Answer
	Names []string `json:"names"`
	Total int      `json:"total"` // how many there are without the limit
}

// Names finds the keys or scopes that contain a text, among the facts that the caller may
// read. The first call reads the branch, as List does; later calls read only what changed
// and take milliseconds for a memory of any size.
func (m *Reader) Names(ctx context.Context, in NamesInput) (NamesResult, error) {
	if in.Limit < 0 {
		return NamesResult{}, core.UsageErrorf(core.OmitHint(hint.Limit), "a limit of %d names is below 0", in.Limit)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return NamesResult{}, err
	}
	list, err := core.CacheOf[names](m.Memory).at(ctx, m, tip)
	if err != nil {
		return NamesResult{}, fmt.Errorf("read names: %w", err)
	}
	f := nameFilter{reads: m.Reader(manifest, in.AskedBy), branch: m.ResolveBranch(in.Branch), now: m.Moment(), scopes: make(map[string]bool)}
	text, seen := strings.ToLower(in.Contains), make(map[string]bool)
	begin, inside := []string{}, []string{}
	add := func(name, lower string) {
		if strings.HasPrefix(lower, text) {
			begin = append(begin, name)
		} else if strings.Contains(lower, text) {
			inside = append(inside, name)
		}
	}
	for _, n := range list {
		switch {
		case !in.Scopes:
			if strings.Contains(n.lower, text) && f.shows(n) {
				add(n.key, n.lower)
			}
		case n.scope != "" && !seen[n.scope] && f.shows(n):
			seen[n.scope] = true
			add(n.scope, strings.ToLower(n.scope))
		}
	}
	slices.Sort(begin)
	slices.Sort(inside)
	result := NamesResult{Answer: core.AnswerAt(tip), Names: append(begin, inside...)}
	result.Total = len(result.Names)
	result.Names = result.Names[:min(cmp.Or(in.Limit, maxNames), result.Total)]
	return result, nil
}

// nameFilter selects the facts whose names the caller may see.
type nameFilter struct {
	reads  *core.Reader
	branch string
	now    time.Time
	scopes map[string]bool // which may be read
}

func (f *nameFilter) shows(n name) bool {
	if n.until != 0 && f.now.UnixMilli() >= n.until || n.branch != "" && n.branch != f.branch && f.branch != core.EveryBranch {
		return false
	}
	may, known := f.scopes[n.scope]
	if !known {
		may = f.reads.MayReadScope(n.scope)
		f.scopes[n.scope] = may
	}
	return may
}

// name is what completion needs of a fact.
type name struct {
	key, lower    string
	scope, branch string
	until         int64 // milliseconds; 0: open
}

// names are the names of all facts of a revision, by key. They are read on first use and
// only kept in memory.
type names struct {
	mu       sync.Mutex
	revision string
	list     []name // immutable once returned
}

// at returns the names at a revision.
func (n *names) at(ctx context.Context, m *Reader, revision string) ([]name, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.revision == revision {
		return n.list, nil
	}
	changes, err := m.audit.Changes(ctx, n.revision, revision)
	if err != nil {
		return nil, err
	}
	list, err := m.updateNames(ctx, n.list, changes)
	if err == nil {
		n.revision, n.list = revision, list
	}
	return list, err
}

// updateNames returns a list of names updated by changed files.
func (m *Reader) updateNames(ctx context.Context, old []name, changes []gitstore.Change) ([]name, error) {
	var files []gitstore.File
	gone := make(map[string]bool)
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		if !ok || core.IsInternal(key) {
			continue
		}
		if gone[key.String()] = true; c.New != "" {
			files = append(files, gitstore.File{Path: c.Path, Blob: c.New})
		}
	}
	list := make([]name, 0, len(old)+len(files))
	for _, n := range old {
		if !gone[n.key] {
			list = append(list, n)
		}
	}
	scopes := make(map[string]string) // one string for all facts of a scope
	for file, err := range m.Store.ReadAll(ctx, files) {
		if err != nil {
			return nil, err
		}
		f, err := core.Parse(file)
		if err != nil || f.Operation == facts.OpDelete && !f.ValidUntil.IsZero() {
			continue // retired, or damaged, which Lint reports
		}
		scope, known := scopes[f.Scope]
		if !known {
			scope = strings.Clone(f.Scope)
			scopes[scope] = scope
		}
		list = append(list, nameOf(f, scope))
	}
	slices.SortFunc(list, func(a, b name) int { return strings.Compare(a.key, b.key) })
	return list, ctx.Err()
}

func nameOf(f facts.Fact, scope string) name {
	key := f.Key.String()
	n := name{key: key, lower: strings.ToLower(key), scope: scope, branch: strings.Clone(f.Branch)}
	if until := f.Window().Until; !until.IsZero() {
		n.until = until.UnixMilli()
	}
	return n
}
