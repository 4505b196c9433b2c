package eval

import (
	"context"
	"strings"

	"engram/memory"
)

// system answers questions with a ranked list of items.
type system struct {
	name string
	ask  func(context.Context, question) (reply, error)
}

type reply struct {
	items  []string
	tokens int
}

// The systems, by the names in reports:
//
//  1. grep: git grep over the memory branch, a process a question
//  2. bm25: the reference BM25 over the same facts
//  3. grep-whole, bm25-whole: the same over whole groups, where groups are ranked
//  4. words, keys: engram with one signal alone
//  5. engram: all signals but vectors
//  6. hybrid: all signals, where there is an embedder
const (
	systemGrep      = "grep"
	systemGrepWhole = "grep-whole"
	systemBM25      = "bm25"
	systemBM25Whole = "bm25-whole"
	systemWords     = "words"
	systemKeys      = "keys"
	systemEngram    = "engram"
	systemHybrid    = "hybrid"
)

func (s suite) systems(t *throwaway, opts Options) []system {
	list := []system{s.grepSystem(systemGrep, t, false), s.bm25System(systemBM25, fact.text, s.facts)}
	if s.grouped {
		list = append(list, s.grepSystem(systemGrepWhole, t, true), s.bm25System(systemBM25Whole, fact.said, s.whole()))
	}
	list = append(list,
		s.engramSystem(systemWords, t.memory, memory.SignalWords),
		s.engramSystem(systemKeys, t.memory, memory.SignalKeys),
		s.engramSystem(systemEngram, t.memory, memory.SignalWords, memory.SignalKeys, memory.SignalEntities),
	)
	if opts.Embedder != nil {
		list = append(list, s.engramSystem(systemHybrid, t.memory,
			memory.SignalWords, memory.SignalKeys, memory.SignalEntities, memory.SignalVectors))
	}
	return list
}

// hits is how many facts are asked for: enough to rank groups by, where groups
// are ranked.
func (s suite) hits() int {
	if s.grouped {
		return memory.MaxLimit
	}
	return depth
}

// ranked makes a ranked list of items out of the items of facts, best first.
// Where facts are ranked, their order is the system's own.
func (s suite) ranked(found []string) []string {
	if s.grouped {
		return byItem(found)
	}
	return found
}

func (s suite) grepSystem(name string, t *throwaway, whole bool) system {
	itemOf := make(map[string]string, len(s.facts))
	for _, f := range s.facts {
		itemOf[f.path()] = f.item
	}
	return system{name, func(ctx context.Context, q question) (reply, error) {
		folder := ""
		if q.scope != "" {
			folder = "domain/" + q.scope + "/"
		}
		out, err := t.grep(ctx, q.text, folder)
		return reply{items: rankGrep(out, itemOf, whole)}, err
	}}
}

// whole joins the facts of each item.
func (s suite) whole() []fact {
	var groups []fact
	at := make(map[string]int)
	for _, f := range s.facts {
		i, ok := at[f.item]
		if !ok {
			i = len(groups)
			at[f.item] = i
			groups = append(groups, fact{item: f.item, record: memory.Record{CommitInput: memory.CommitInput{Scope: f.record.Scope}}})
		}
		groups[i].record.Detail += "\n" + f.said()
	}
	return groups
}

// bm25System has one index a scope that is asked, over what text gives of list.
func (s suite) bm25System(name string, text func(fact) string, list []fact) system {
	indexes := make(map[string]*bm25)
	for _, q := range s.questions {
		if indexes[q.scope] != nil {
			continue
		}
		var items, texts []string
		for _, f := range list {
			if q.scope == "" || f.record.Scope == q.scope || strings.HasPrefix(f.record.Scope, q.scope+"/") {
				items, texts = append(items, f.item), append(texts, text(f))
			}
		}
		indexes[q.scope] = newBM25(items, texts)
	}
	return system{name, func(_ context.Context, q question) (reply, error) {
		var items []string
		for _, hit := range indexes[q.scope].search(q.text, s.hits()) {
			items = append(items, hit.item)
		}
		return reply{items: s.ranked(items)}, nil
	}}
}

// wholeBudget is more tokens than any answer has, for answers that are summed
// up by group before anybody reads them.
const wholeBudget = 1 << 20

func (s suite) engramSystem(name string, m *memory.Memory, signals ...string) system {
	itemOf := make(map[string]string, len(s.facts))
	for _, f := range s.facts {
		itemOf[f.record.Key] = f.item
	}
	budget := 0
	if s.grouped {
		budget = wholeBudget
	}
	return system{name, func(ctx context.Context, q question) (reply, error) {
		result, err := m.Query(ctx, memory.QueryInput{
			Question: q.text, Scope: q.scope, Limit: s.hits(), Budget: budget, Signals: signals,
		})
		if err != nil {
			return reply{}, err
		}
		var items []string
		for _, hit := range result.Results {
			items = append(items, itemOf[hit.Key.String()])
		}
		return reply{s.ranked(items), result.Tokens}, nil
	}}
}
