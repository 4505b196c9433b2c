package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
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
	// Total is how many there are without the limit; of the keys beyond it, some may not
	// hold any more.
	Total int `json:"total"`
}

// Names finds the keys or scopes that contain a text, among the facts that the caller may
// read. It reads the names of all files, and the facts of those that it returns; scopes come
// from the index.
func (m *Reader) Names(ctx context.Context, in NamesInput) (NamesResult, error) {
	if in.Limit < 0 {
		return NamesResult{}, core.UsageErrorf(core.OmitHint(hint.Limit), "a limit of %d names is below 0", in.Limit)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return NamesResult{}, err
	}
	result := NamesResult{Answer: core.AnswerAt(tip), Names: []string{}}
	in.Limit, in.Branch = cmp.Or(in.Limit, maxNames), m.ResolveBranch(in.Branch)
	find := m.keys
	if in.Scopes {
		find = m.scopes
	}
	if err := find(ctx, tip, in, m.Reader(manifest, in.AskedBy), &result); err != nil {
		return NamesResult{}, fmt.Errorf("read names: %w", err)
	}
	return result, nil
}

// matches are the names that contain a text, in the order of a NamesResult.
type matches[T any] struct {
	text          string // in lower case
	begin, inside []T
}

func (m *matches[T]) add(name string, value T) {
	switch at := strings.Index(strings.ToLower(name), m.text); {
	case at == 0:
		m.begin = append(m.begin, value)
	case at > 0:
		m.inside = append(m.inside, value)
	}
}

func (m *Reader) keys(ctx context.Context, tip string, in NamesInput, reads *core.Reader, r *NamesResult) error {
	found := matches[gitstore.File]{text: strings.ToLower(in.Contains)}
	for file, err := range m.Store.Names(ctx, tip, "") {
		if err != nil {
			return err
		}
		if key, ok := facts.KeyOfPath(file.Path); ok && !core.IsInternal(key) {
			found.add(key.String(), file)
		}
	}
	for _, list := range []*[]gitstore.File{&found.begin, &found.inside} {
		slices.SortFunc(*list, func(a, b gitstore.File) int { return strings.Compare(a.Path, b.Path) })
	}
	list, now := append(found.begin, found.inside...), m.Moment()
	r.Total = len(list)
	for len(list) > 0 && len(r.Names) < in.Limit {
		some := list[:min(in.Limit, len(list))]
		list = list[len(some):]
		for file, err := range m.Store.ReadAll(ctx, some) {
			if err != nil {
				return err
			}
			f, err := core.Parse(file)
			switch {
			case err != nil || !core.CurrentOrScheduled(f, now) || !core.VisibleOn(f, in.Branch) || !reads.MayReadScope(f.Scope):
				r.Total--
			case len(r.Names) < in.Limit:
				r.Names = append(r.Names, f.Key.String())
			}
		}
	}
	return nil
}

func (m *Reader) scopes(ctx context.Context, tip string, in NamesInput, reads *core.Reader, r *NamesResult) error {
	found := matches[string]{text: strings.ToLower(in.Contains)}
	_, err := m.Index.View(ctx, tip, func(view *index.View) error {
		q := index.Query{Now: m.Moment(), Ephemeral: true, Without: core.InternalPrefixes(""), Access: reads.ScopeRules(), Branch: in.Branch}
		all, err := view.Survey(ctx, index.SurveyQuery{Query: q, Doubted: []string{}})
		own := make(map[string]int) // facts of a scope without those of the scopes below it
		for _, s := range all.Scopes {
			own[s.Scope] += s.Facts
			if at := strings.LastIndexByte(s.Scope, '/'); at > 0 {
				own[s.Scope[:at]] -= s.Facts
			}
		}
		for scope, n := range own {
			if n > 0 && scope != "" {
				found.add(scope, scope)
			}
		}
		r.Answer = core.AnswerAt(view.Revision())
		return err
	})
	slices.Sort(found.begin)
	slices.Sort(found.inside)
	list := append(found.begin, found.inside...)
	r.Total = len(list)
	r.Names = append(r.Names, list[:min(in.Limit, len(list))]...)
	return err
}
