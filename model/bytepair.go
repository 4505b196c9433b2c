package model

import (
	"container/heap"
	"strings"
)

// bytePairs is the byte-level BPE tokenizer of GPT-2 and RoBERTa: a text is split into
// words, and a word into bytes; then the neighbours that are first in the list of merges
// are joined, until no neighbours are in the list. It accepts any text, even if it is not
// UTF-8, and omits nothing. It agrees with Hugging Face's library, with one difference: the
// name of a special token in a text, such as "</s>", is text. It is read only.
//
// A word of n bytes takes n log n steps.
type bytePairs struct {
	bytes   [256]int32 // the piece of each byte
	merges  map[neighbours]merge
	spaced  bool  // a space is added to a text that begins without one
	highest int32 // identifier
}

// neighbours are two pieces, by their identifiers.
type neighbours struct{ left, right int32 }

// merge joins two pieces.
type merge struct{ rank, piece int32 }

// encode splits a text into tokens, without special ones. A token's span excludes the
// spaces at its beginning and end.
func (b *bytePairs) encode(text string) []token {
	shift := 0
	if b.spaced && text != "" && text[0] != ' ' {
		text, shift = " "+text, 1
	}
	var tokens []token
	m := merging{bytePairs: b}
	for at := 0; at < len(text); {
		end := at + wordEnd(text[at:])
		first := len(tokens)
		for _, p := range m.word(text[at:end]) {
			if p.length > 0 {
				piece := strings.TrimLeft(text[at:at+int(p.length)], " ")
				at += int(p.length)
				start := at - len(piece)
				last := start + len(strings.TrimRight(piece, " "))
				tokens = append(tokens, token{p.id, len(tokens) == first, int32(start - shift), int32(last - shift)})
			}
		}
	}
	return tokens
}

// merging is the state of splitting one word: its pieces, as a linked list, and the merges
// that apply. Reusing it saves allocations.
type merging struct {
	*bytePairs
	pieces []linked
	queue  candidates
}

// linked is a piece of the word. Places are indexes of merging.pieces.
type linked struct {
	id            int32
	length        int32 // bytes; 0 if it was joined to the piece before it
	before, after int32 // places; -1: there is none
}

// word splits a word into pieces; those of length 0 do not count. The result is valid until
// the next call.
func (m *merging) word(text string) []linked {
	m.pieces, m.queue = m.pieces[:0], m.queue[:0]
	for i := range len(text) {
		m.pieces = append(m.pieces, linked{m.bytes[text[i]], 1, int32(i - 1), int32(i + 1)})
	}
	m.pieces[len(text)-1].after = -1
	for at := range int32(len(text)) {
		m.propose(at)
	}
	for len(m.queue) > 0 {
		m.apply(heap.Pop(&m.queue).(candidate))
	}
	return m.pieces
}

// propose queues the merge of the piece at a place with the one after it, if
// there is such a merge.
func (m *merging) propose(at int32) {
	if found, ok := m.find(at); ok {
		heap.Push(&m.queue, candidate{found, at})
	}
}

func (m *merging) find(at int32) (merge, bool) {
	if at < 0 || m.pieces[at].after < 0 {
		return merge{}, false
	}
	p := m.pieces[at]
	found, ok := m.merges[neighbours{p.id, m.pieces[p.after].id}]
	return found, ok
}

// apply makes a merge, unless its pieces have changed since.
func (m *merging) apply(c candidate) {
	left := &m.pieces[c.at]
	if found, ok := m.find(c.at); !ok || left.length == 0 || found.piece != c.piece {
		return
	}
	right := &m.pieces[left.after]
	left.id, left.after = c.piece, right.after
	left.length, right.length = left.length+right.length, 0
	if left.after >= 0 {
		m.pieces[left.after].before = c.at
	}
	m.propose(left.before)
	m.propose(c.at)
}

// candidate is a merge that can be made at a place.
type candidate struct {
	merge
	at int32
}

// candidates are a heap, ordered by the place in the list of merges, and then by the place
// in the word.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return c[i].rank < c[j].rank || c[i].rank == c[j].rank && c[i].at < c[j].at
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}
