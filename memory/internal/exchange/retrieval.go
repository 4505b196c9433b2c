package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"engram/bus"
	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
)

// Retrieved is a passage that a retrieval system found.
type Retrieved struct {
	Text  string  `json:"text"`
	Path  string  `json:"path"` // file path or URL, as that system reports it
	Score float64 `json:"score,omitempty"`
}

// RetrievedInput is the result of a retrieval.
type RetrievedInput struct {
	Question string      `json:"question,omitempty"`
	Passages []Retrieved `json:"passages"`
	Agent    string      `json:"-"` // whose turn pays for excerpts; "" gets none
	Excerpts bool        `json:"excerpts,omitempty"`
}

// RetrievedResult is the result of a retrieval with pointers first (the protocol document,
// §8.1).
type RetrievedResult struct {
	core.Answer
	Items   []RetrievedItem `json:"items"`
	Notes   []string        `json:"notes,omitempty"`
	Dropped int             `json:"dropped"` // passages without a source in this repository
}

// RetrievedItem is a passage as a pointer.
type RetrievedItem struct {
	Pointer budget.EngramPointer `json:"pointer"`
	Engram  *budget.Engram       `json:"engram,omitempty"`  // "this span likely answers X"; not stored
	Excerpt string               `json:"excerpt,omitempty"` // only as far as the turn has room
	Score   float64              `json:"score,omitempty"`
}

// Bounds of a retrieval, and the fields of its engrams.
const (
	maxPassages    = 100
	retrievedTTL   = "P7D" // an index of the code is soon out of date
	fileConfidence = 0.3   // for a file whose lines are not known
	spanConfidence = 0.5   // if the retrieval gave no score between 0 and 1
)

// PointersOf turns retrieved passages into pointers into this repository at HEAD, with
// excerpts only within the agent's dereference budget:
//
//  1. a file that contains the passage: a pointer to those lines;
//  2. a file that does not, because the file or the passage changed: a pointer to the
//     file;
//  3. an http or https address: a url pointer;
//  4. anything else is dropped, and counted.
//
// With a question each pointer into the repository comes with an engram that proposes it
// as the answer; nothing is stored.
func (m *Bus) PointersOf(ctx context.Context, in RetrievedInput) (RetrievedResult, error) {
	revision, err := m.budget.RevisionIfAny(ctx)
	if err != nil {
		return RetrievedResult{}, err
	}
	result := RetrievedResult{Answer: core.AnswerAt(revision), Items: []RetrievedItem{}}
	note := func(format string, args ...any) { result.Notes = append(result.Notes, fmt.Sprintf(format, args...)) }
	if extra := len(in.Passages) - maxPassages; extra > 0 {
		in.Passages = in.Passages[:maxPassages]
		result.Dropped += extra
		note("of %d passages the first %d were looked at", maxPassages+extra, maxPassages)
	}
	head, err := m.Store.CodeHead(ctx)
	if err != nil {
		return RetrievedResult{}, err
	}
	if in.Excerpts && in.Agent == "" {
		in.Excerpts = false
		note("excerpts are for agents, whose turn pays for them: say which one asks")
	}
	seen := make(map[string]bool)
	for _, passage := range in.Passages {
		whole, exact, err := m.locatePassage(ctx, head, passage)
		if err != nil {
			return RetrievedResult{}, err
		}
		if whole.Ref == "" || seen[whole.Ref] {
			result.Dropped++
			continue
		}
		seen[whole.Ref] = true
		item := RetrievedItem{Pointer: whole, Score: passage.Score}
		if in.Question != "" && whole.Type != string(facts.PointURL) {
			item.Engram = m.proposal(in, passage, whole, exact)
		}
		if in.Excerpts && exact {
			switch read, err := m.deref.Deref(ctx, deref.DerefInput{Ref: whole.Ref, Digest: whole.Digest, Agent: in.Agent}); {
			case errors.Is(err, bus.ErrRefused):
				in.Excerpts = false
				note("the turn has no room for more excerpts: %v", err)
			case err != nil:
				return RetrievedResult{}, err
			default:
				item.Excerpt = read.Excerpt
			}
		}
		result.Items = append(result.Items, item)
	}
	return result, nil
}

// proposal returns an engram that proposes a pointer as the answer to a question.
func (m *Bus) proposal(in RetrievedInput, passage Retrieved, whole budget.EngramPointer, exact bool) *budget.Engram {
	confidence := spanConfidence
	if passage.Score > 0 && passage.Score <= 1 {
		confidence = passage.Score
	}
	what := "This span"
	if !exact {
		what, confidence = "This file", min(confidence, fileConfidence)
	}
	scope := facts.ReachProject
	if confidence < ReachFloor {
		scope = facts.ReachRun
	}
	claim := []rune(what + " likely answers: " + facts.FoldSpace(in.Question))
	if len(claim) > facts.MaxClaim {
		claim = append(claim[:facts.MaxClaim-1], '…')
	}
	return &budget.Engram{
		Kind: string(facts.KindFact), Claim: string(claim), Pointers: []budget.EngramPointer{whole}, Confidence: &confidence,
		TTL: retrievedTTL, Scope: string(scope),
		Provenance: &bus.Provenance{CreatedAt: m.Moment(), CreatedBy: cmp.Or(in.Agent, string(facts.SourceRAG)), Source: string(facts.SourceRAG)},
	}
}

// locatePassage returns the pointer to a passage; its Ref is "" if this repository has no
// such file. exact reports whether the lines are known.
func (m *Bus) locatePassage(ctx context.Context, head string, passage Retrieved) (whole budget.EngramPointer, exact bool, err error) {
	if strings.HasPrefix(passage.Path, "http://") || strings.HasPrefix(passage.Path, "https://") {
		ref := "url:" + passage.Path
		if _, err := facts.ParseRef(ref); err != nil {
			return budget.EngramPointer{}, false, nil
		}
		return budget.PointerOf(ref, ""), false, nil
	}
	file := m.repositoryPath(passage.Path)
	ref := "repo:" + file
	if address, err := facts.ParseRef(ref); file == "" || head == "" || err != nil || address.Path != file {
		return budget.EngramPointer{}, false, nil
	}
	code, err := m.Store.CodeAt(ctx, head, file)
	if err != nil || code.Kind != gitstore.CodeFile {
		return budget.EngramPointer{}, false, err
	}
	content, err := m.Store.CodeBlob(ctx, code.Name)
	if err != nil && !errors.Is(err, gitstore.ErrTooLarge) {
		return budget.EngramPointer{}, false, err
	}
	first, last, exact := evidence.Passage(content, passage.Text)
	if exact {
		ref += fmt.Sprintf("#L%d-L%d", first, last)
	}
	completed, err := m.deref.Complete(ctx, ref+"@"+head)
	if errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrUsage) {
		return budget.EngramPointer{}, false, nil
	}
	return budget.PointerOf(completed.Ref, completed.Digest), exact, err
}

// repositoryPath returns a path of another system relative to the top of the repository;
// "" if it is outside.
func (m *Bus) repositoryPath(p string) string {
	if rest, ok := strings.CutPrefix(p, "file://"); ok {
		if unescaped, err := url.PathUnescape(rest); err == nil {
			p = unescaped
		}
	}
	if filepath.IsAbs(p) {
		tree := m.Store.WorkTree()
		rel, err := filepath.Rel(tree, p)
		if tree == "" || err != nil {
			return ""
		}
		p = rel
	}
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	if p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
		return ""
	}
	return p
}
