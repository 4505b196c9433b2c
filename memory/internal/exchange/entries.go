package exchange

import (
	"context"
	"errors"

	"engram/bus"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
)

// EntriesInput asks for entries of the memory as pointers, by a question or by their keys
// (the protocol document, §8.2).
type EntriesInput struct {
	Text     string   `json:"question,omitempty"`
	Keys     []string `json:"keys,omitempty"`
	K        int      `json:"k,omitempty"`        // of a question, as of EngramQuery
	Scope    string   `json:"scope,omitempty"`    // of a question: a topic path
	Excerpts bool     `json:"excerpts,omitempty"` // whole entries, as far as the agent's turn has room
	Agent    string   `json:"agent_id,omitempty"` // who reads, and whose turn pays for excerpts; "" gets none
}

// maxEntries is how many keys a request may name.
const maxEntries = 12

// ReadEntries returns each entry as a pointer and its short statement; behind those that a
// question finds come pointers to messages of sessions. An excerpt for which the turn has no
// room is omitted, with a note.
func (m *Bus) ReadEntries(ctx context.Context, in EntriesInput) (RetrievedResult, error) {
	result, hits, err := m.entries(ctx, in)
	if err != nil {
		return RetrievedResult{}, err
	}
	for _, hit := range hits {
		result.Items = append(result.Items, RetrievedItem{Pointer: budget.PointerOf("sam:"+hit.Key.String()+"@"+hit.ID, ""), Engram: &hit.Engram})
	}
	said, err := m.said(ctx, in)
	if err != nil {
		return RetrievedResult{}, err
	}
	result.Items = append(result.Items, said...)
	if in.Excerpts && in.Agent != "" {
		if err := m.readItems(ctx, in.Agent, &result); err != nil {
			return RetrievedResult{}, err
		}
	}
	if in.Excerpts && in.Agent == "" {
		result.Notes = append(result.Notes, "excerpts are paid for by an agent's turn, and no agent asks")
	}
	return result, nil
}

// maxSaid is how many messages of sessions follow the entries that a question finds.
const maxSaid = 3

// said returns pointers to what users and agents said in sessions about a question.
func (m *Bus) said(ctx context.Context, in EntriesInput) (items []RetrievedItem, err error) {
	if in.Text == "" || in.Scope != "" { // sessions have no scope
		return nil, nil
	}
	refs, err := m.archive.Said(ctx, in.Text, in.Agent, maxSaid)
	for _, ref := range refs {
		items = append(items, RetrievedItem{Pointer: budget.PointerOf(ref, "")})
	}
	return items, err
}

// readItems adds excerpts as long as the agent's turn has room.
func (m *Bus) readItems(ctx context.Context, agent string, result *RetrievedResult) error {
	for i := range result.Items {
		item := &result.Items[i]
		read, err := m.deref.Deref(ctx, deref.DerefInput{Ref: item.Pointer.Ref, Strict: true, Agent: agent})
		if errors.Is(err, bus.ErrRefused) {
			result.Notes = append(result.Notes, "there is no room in this turn for more excerpts: "+err.Error())
			return nil
		}
		if err != nil {
			return err
		}
		item.Excerpt, item.Pointer.Digest = read.Excerpt, read.ContentDigest
	}
	return nil
}

// entries returns the requested engrams.
func (m *Bus) entries(ctx context.Context, in EntriesInput) (RetrievedResult, []EngramHit, error) {
	result := RetrievedResult{Items: []RetrievedItem{}}
	switch {
	case (in.Text == "") == (len(in.Keys) == 0):
		return result, nil, core.UsageErrorf(core.OneOfTwoHint, "entries are asked for by a question or by keys")
	case len(in.Keys) > maxEntries:
		return result, nil, core.UsageErrorf(hint.New("ask for fewer at a time"), "%d keys, at most %d are read", len(in.Keys), maxEntries)
	case in.Text != "":
		found, err := m.QueryEngrams(ctx, EngramQuery{Text: in.Text, K: in.K, Scope: in.Scope, AskedBy: in.Agent})
		result.Answer, result.Notes, result.Dropped = found.Answer, found.Notes, found.Omitted
		return result, found.Engrams, err
	}
	var hits []EngramHit
	for _, key := range in.Keys {
		one, err := m.GetEngram(ctx, key, in.Agent)
		if err != nil {
			return result, nil, err
		}
		one.Engram.HashKeys = nil // they would fill an inline budget, and the caller knows the key
		result.Answer, hits = one.Answer, append(hits, one.Engram)
	}
	return result, hits, nil
}
