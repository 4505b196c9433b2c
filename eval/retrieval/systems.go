package retrieval

import (
	"context"
	"strings"

	"engram/eval/corpus"
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

func (s suite) systems(t *corpus.Throwaway, opts corpus.Options) []system {
	list := []system{s.grepSystem(systemGrep, t, false), s.bm25System(systemBM25, corpus.Fact.Text, s.facts)}
	if s.grouped {
		list = append(list, s.grepSystem(systemGrepWhole, t, true), s.bm25System(systemBM25Whole, corpus.Fact.Said, s.whole()))
	}
	list = append(list,
		s.engramSystem(systemWords, t.Memory, memory.SignalWords),
		s.engramSystem(systemKeys, t.Memory, memory.SignalKeys),
		s.engramSystem(systemEngram, t.Memory, memory.SignalWords, memory.SignalKeys, memory.SignalEntities),
	)
	if opts.Embedder != nil {
		list = append(list, s.engramSystem(systemHybrid, t.Memory,
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

func (s suite) grepSystem(name string, t *corpus.Throwaway, whole bool) system {
	itemOf := make(map[string]string, len(s.facts))
	for _, f := range s.facts {
		itemOf[f.Path()] = f.Item
	}
	return system{name, func(ctx context.Context, q question) (reply, error) {
		folder := ""
		if q.scope != "" {
			folder = "domain/" + q.scope + "/"
		}
		out, err := grep(ctx, t, q.text, folder)
		return reply{items: rankGrep(out, itemOf, whole)}, err
	}}
}

// whole joins the facts of each item.
func (s suite) whole() []corpus.Fact {
	var groups []corpus.Fact
	at := make(map[string]int)
	for _, f := range s.facts {
		i, ok := at[f.Item]
		if !ok {
			i = len(groups)
			at[f.Item] = i
			groups = append(groups, corpus.Fact{Item: f.Item, Record: memory.Record{CommitInput: memory.CommitInput{Scope: f.Record.Scope}}})
		}
		groups[i].Record.Detail += "\n" + f.Said()
	}
	return groups
}

// bm25System has one index a scope that is asked, over what text gives of list.
func (s suite) bm25System(name string, text func(corpus.Fact) string, list []corpus.Fact) system {
	indexes := make(map[string]*bm25)
	for _, q := range s.questions {
		if indexes[q.scope] != nil {
			continue
		}
		var items, texts []string
		for _, f := range list {
			if q.scope == "" || f.Record.Scope == q.scope || strings.HasPrefix(f.Record.Scope, q.scope+"/") {
				items, texts = append(items, f.Item), append(texts, text(f))
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
		itemOf[f.Record.Key] = f.Item
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
