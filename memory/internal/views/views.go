// Package views keeps what is derived from sessions: episodes, decisions, lessons and the tree of
// topics over them. It makes them in the background, in files that can be deleted at any time,
// and finds them by an index of their own.
package views

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/index/events"
	"engram/internal/atomicfile"
	"engram/memory/internal/archive"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/recall/views"
)

// Keeper makes and finds views. It is safe for concurrent use, by goroutines and by processes.
type Keeper struct {
	*core.Memory
	archive *archive.Archive
	index   *events.Index
	dir     string
}

// New returns the Keeper of a memory.
func New(m *core.Memory) *Keeper {
	k := &Keeper{Memory: m, archive: archive.New(m), dir: filepath.Join(m.Store.CommonDir(), "engram", "sessions", clone.ViewsFolder)}
	k.index = events.New(filepath.Join(k.dir, "index"), source{k}, &events.Options{Logger: m.Log})
	return k
}

// Close releases what is kept between searches. The Keeper may be used afterwards.
func (k *Keeper) Close() error { return k.index.Close() }

// ConsolidateInput says which sessions to derive views of.
type ConsolidateInput struct {
	Session string `json:"session_id,omitempty"` // "": all that have changed
	Again   bool   `json:"again,omitempty" flag:"again" help:"make them again although nothing changed"`
	// Questions bounds what the language model is asked, if one may read sessions. What is left is
	// asked the next time.
	Questions int `json:"questions,omitempty" flag:"questions,,N" min:"1" default:"50" help:"ask the language model at most N questions, if one may read sessions"`
}

// ConsolidateResult says what was made.
type ConsolidateResult struct {
	SchemaVersion int `json:"schema_version"`
	Sessions      int `json:"sessions"` // whose views were made now
	Current       int `json:"current"`  // whose views were up to date
	Episodes      int `json:"episodes"` // of all sessions
	Records       int `json:"records"`
	Embedded      int `json:"embedded,omitempty"` // events that got a vector, if there is a model
	Asked         int `json:"asked,omitempty"`    // questions that the language model answered
	// Unread are the episodes that the language model has not read yet, if one may.
	Unread int      `json:"unread,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// Consolidate derives the views of sessions from what is sealed of them. A session that has not
// changed is left alone.
func (k *Keeper) Consolidate(ctx context.Context, in ConsolidateInput) (ConsolidateResult, error) {
	result := ConsolidateResult{SchemaVersion: core.SchemaVersion}
	only := ""
	if in.Session != "" {
		id, err := k.archive.Resolve(ctx, in.Session)
		if err != nil {
			return result, err
		}
		only = id
	}
	all, err := k.archive.IDs(ctx)
	if err != nil {
		return result, err
	}
	kept, err := k.kept()
	if err != nil {
		return result, err
	}
	done := 0
	for id, tip := range all {
		if tip == "" || only != "" && id != only {
			continue
		}
		k.Progress("deriving views of sessions", done, len(all))
		done++
		if tipOf(kept[id]) == tip && !in.Again {
			result.Current++
			continue
		}
		before := kept[id]
		if in.Again {
			before = ""
		}
		if err := k.derive(ctx, id, tip, before); err != nil {
			return result, fmt.Errorf("derive the views of session %s: %w", id, err)
		}
		result.Sessions++
	}
	k.Progress("deriving views of sessions", done, done)
	for id := range kept {
		if all[id] == "" {
			k.drop(id, "") // the session was forgotten
		}
	}
	if err := k.pick(ctx, only, in.Questions, &result); err != nil {
		return result, err
	}
	list, err := k.all(ctx)
	for _, v := range list {
		result.Episodes += len(v.Episodes)
		result.Records += len(v.Records)
	}
	if err == nil {
		_, err = k.index.CatchUp(ctx)
	}
	return result, err
}

// derive makes the views of a session. What a model picked before is kept.
func (k *Keeper) derive(ctx context.Context, id, tip, before string) error {
	s, err := k.archive.Open(ctx, id)
	if err != nil {
		return err
	}
	v, err := views.Of(id, s.Sealed(ctx))
	if err != nil {
		return err
	}
	v.Tip = tip
	if old, err := k.read(id, before); err == nil && before != "" {
		v.KeepPicked(old)
	}
	return k.store(v)
}

// store replaces the views of a session.
func (k *Keeper) store(v views.Views) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(k.dir, 0o755); err != nil {
		return err
	}
	version := v.Tip
	if v.Read > 0 {
		version += fmt.Sprint(readMark, v.Read)
	}
	if err := atomicfile.Write(k.file(v.Session, version), text, 0o644, false); err != nil {
		return err
	}
	k.drop(v.Session, version)
	return nil
}

// A file is named ID@VERSION: the id of a session, which has no "@", and what its views were made
// of, which is the session's tip and, behind "+", how many episodes a model has read.
const (
	separator = "@"
	readMark  = "+"
)

// tipOf is the tip in a version.
func tipOf(version string) string {
	tip, _, _ := strings.Cut(version, readMark)
	return tip
}

// madeBy ends the tip that views are of with the version of the rules that made them.
var madeBy = fmt.Sprintf(".v%d", views.Version)

func (k *Keeper) file(id, version string) string {
	return filepath.Join(k.dir, id+separator+version+madeBy+".json")
}

// kept returns the sessions that have views, with the version of these.
func (k *Keeper) kept() (map[string]string, error) {
	entries, err := os.ReadDir(k.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	list := make(map[string]string, len(entries))
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), madeBy+".json")
		if id, version, found := strings.Cut(name, separator); ok && found {
			list[id] = version
		}
	}
	return list, nil
}

// drop removes the views of a session but those of one version.
func (k *Keeper) drop(id, but string) {
	files, _ := filepath.Glob(filepath.Join(k.dir, id+separator+"*.json")) // an id has nothing that a pattern means
	for _, file := range files {
		if but == "" || file != k.file(id, but) {
			_ = os.Remove(file) // what is left is not read, and goes with the next one
		}
	}
}

func (k *Keeper) read(id, version string) (v views.Views, err error) {
	text, err := os.ReadFile(k.file(id, version))
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	return v, err
}

// all returns the views of all sessions, in the order of their ids.
func (k *Keeper) all(ctx context.Context) (list []views.Views, err error) {
	kept, err := k.kept()
	for id, version := range kept {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		v, err := k.read(id, version)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b views.Views) int { return cmp.Compare(a.Session, b.Session) })
	return list, err
}

// source shows views to their index.
type source struct{ k *Keeper }

// Tips is that of events.Source: versions of views, with that of the rules, so that views that
// other rules made are indexed again.
func (s source) Tips(context.Context) (map[string]string, error) {
	kept, err := s.k.kept()
	for id, version := range kept {
		kept[id] = version + madeBy
	}
	return kept, err
}

// kindEpisode is the kind of an episode in the index; a record has its own.
const kindEpisode = "episode"

// Events is that of events.Source.
func (s source) Events(_ context.Context, id, from, to string) iter.Seq2[events.Doc, error] {
	return func(yield func(events.Doc, error) bool) {
		if from != "" {
			yield(events.Doc{}, events.ErrRewritten)
			return
		}
		v, err := s.k.read(id, strings.TrimSuffix(to, madeBy))
		if err != nil {
			yield(events.Doc{}, err)
			return
		}
		for _, e := range v.Episodes {
			doc := events.Doc{Session: id, Event: e.First, Turn: e.FirstTurn, At: e.Started, Kind: kindEpisode, Paths: e.Files, Commits: e.Commits, Text: TextOf(e)}
			if !yield(doc, nil) {
				return
			}
		}
		for i, r := range v.Records {
			if slices.ContainsFunc(v.Records[:i], r.Same) {
				continue // those of one event are one document
			}
			var text []string
			for _, other := range v.Records[i:] {
				if r.Same(other) {
					text = append(text, other.Text)
				}
			}
			said := strings.Join(text, "\n")
			if !yield(events.Doc{Session: id, Event: r.Event, Turn: r.Turn, At: r.At, Kind: string(r.Kind), Text: said, Stored: []byte(said)}, nil) {
				return
			}
		}
	}
}

// TextOf is an episode in a few lines.
func TextOf(e views.Episode) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, text)
		}
	}
	line("asked", e.Asked)
	line("outcome", e.Outcome)
	line("topics", strings.Join(e.Topics, ", "))
	line("files", strings.Join(e.Files, ", "))
	line("commits", strings.Join(e.Commits, ", "))
	return strings.TrimSuffix(b.String(), "\n")
}
