package index_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"engram/facts"
	"engram/fixtures"
	"engram/index"
)

// memory is a Source over a line of revisions r0, r1, … kept in memory. What
// git would say is worked out from the changes of each revision.
type memory struct {
	mu    sync.Mutex
	line  string              // names the history: revisions of another line are diverged
	log   []map[string][]byte // by revision: content by key, nil where removed
	side  []map[string][]byte // by revision: states that a merge brought and overruled
	blobs map[string][]byte
	reads int
}

func newMemory(line string) *memory {
	return &memory{line: line, log: []map[string][]byte{{}}, side: []map[string][]byte{nil}, blobs: map[string][]byte{}}
}

// commit adds a revision and returns its name.
func (m *memory) commit(changes map[string][]byte) string { return m.merge(changes, nil) }

// merge adds a revision whose history also has the states of side, which do
// not stand in it.
func (m *memory) merge(changes, side map[string][]byte) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.log, m.side = append(m.log, changes), append(m.side, side)
	for _, set := range []map[string][]byte{changes, side} {
		for _, data := range set {
			if data != nil {
				m.blobs[blobName(data)] = data
			}
		}
	}
	return m.name(len(m.log) - 1)
}

func (m *memory) put(list ...facts.Fact) string {
	changes := map[string][]byte{}
	for _, f := range list {
		changes[f.Key.String()] = facts.Marshal(f)
	}
	return m.commit(changes)
}

func (m *memory) name(i int) string { return m.line + "-" + strconv.Itoa(i) }

func (m *memory) tip() string { return m.name(len(m.log) - 1) }

func (m *memory) number(revision string) (int, bool) {
	line, n, _ := strings.Cut(revision, "-")
	i, err := strconv.Atoi(n)
	return i, line == m.line && err == nil && i >= 0 && i < len(m.log)
}

func blobName(data []byte) string {
	sum := sha1.Sum(data)
	return hex.EncodeToString(sum[:])
}

// between collects the states that the revisions after from up to to brought.
func (m *memory) between(from, to int) []index.State {
	type keyed struct{ key, blob string }
	seen := map[keyed]int{}
	var states []index.State
	add := func(key, blob string) {
		k, err := facts.ParseKey(key)
		if err != nil {
			panic(err)
		}
		if _, ok := seen[keyed{key, blob}]; !ok {
			seen[keyed{key, blob}] = len(states)
			states = append(states, index.State{Key: k, Blob: blob})
		}
	}
	tip := map[string]string{}
	for i := from + 1; i <= to; i++ {
		for key, data := range m.side[i] {
			add(key, blobName(data))
		}
		for key, data := range m.log[i] {
			if tip[key] = ""; data != nil {
				tip[key] = blobName(data)
				add(key, tip[key])
			}
		}
	}
	for key, blob := range tip {
		add(key, blob)
		states[seen[keyed{key, blob}]].Tip = blob != ""
	}
	return states
}

func (m *memory) States(_ context.Context, to string) (iter.Seq2[index.State, error], int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.number(to)
	if !ok {
		return nil, 0, fmt.Errorf("no revision %s", to)
	}
	states := m.between(0, n)
	states = slices.DeleteFunc(states, func(s index.State) bool { return s.Blob == "" })
	slices.SortStableFunc(states, func(a, b index.State) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return func(yield func(index.State, error) bool) {
		for _, s := range states {
			m.mu.Lock()
			s.Data = m.blobs[s.Blob]
			m.mu.Unlock()
			if !yield(s, nil) {
				return
			}
		}
	}, len(states), nil
}

func (m *memory) Changes(_ context.Context, from, to string) ([]index.State, index.Relation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.number(to)
	if !ok {
		return nil, 0, fmt.Errorf("no revision %s", to)
	}
	f, ok := m.number(from)
	switch {
	case !ok:
		return nil, index.Diverged, nil
	case f >= t:
		return nil, index.Behind, nil
	}
	return m.between(f, t), index.Ahead, nil
}

func (m *memory) Read(_ context.Context, blob string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	data, ok := m.blobs[blob]
	if !ok {
		return nil, fmt.Errorf("no blob %s", blob)
	}
	return data, nil
}

// grown returns a memory with n facts in its first revision and one more in
// each of the extra revisions that follow. It is the same in every process.
func grown(n, extra int) *memory {
	m := newMemory("main")
	first := map[string][]byte{}
	i := 0
	for f := range fixtures.Facts(n+extra, 1) {
		data := facts.Marshal(f)
		if i++; i <= n {
			first[f.Key.String()] = data
			if i == n {
				m.commit(first)
			}
			continue
		}
		m.commit(map[string][]byte{f.Key.String(): data})
	}
	return m
}
