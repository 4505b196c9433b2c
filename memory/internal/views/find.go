package views

import (
	"context"
	"slices"

	"engram/index/events"
	"engram/memory/internal/core"
	"engram/recall/views"
)

// Hit is a view that a question found: either an episode, or what a record says of an event.
type Hit struct {
	Session, Event string // the first event of an episode; the event of a record
	Kind           views.RecordKind
	Episode        *views.Episode // nil for a record
	Text           string         // of a record; "" if the index was made before it kept texts
	Score          float64
}

// Find returns the views that answer a question, the best first. Without views there are none.
func (k *Keeper) Find(ctx context.Context, q events.Query) ([]Hit, error) {
	kept, err := k.kept()
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	q.WithStored = true
	answer, err := k.index.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var list []Hit
	read := make(map[string]views.Views)
	for _, hit := range answer.Hits {
		h := Hit{Session: hit.Session, Event: hit.Event, Kind: views.RecordKind(hit.Kind), Text: string(hit.Stored), Score: hit.Score}
		if hit.Kind == kindEpisode {
			v, ok := read[hit.Session]
			if !ok {
				if v, err = k.read(hit.Session, kept[hit.Session]); err != nil {
					continue // they were made again meanwhile
				}
				read[hit.Session] = v
			}
			at := slices.IndexFunc(v.Episodes, func(e views.Episode) bool { return e.First == hit.Event })
			if at < 0 {
				continue
			}
			h.Episode = &v.Episodes[at]
		}
		list = append(list, h)
	}
	return list, nil
}

// ShowInput names a session whose views to show.
type ShowInput struct {
	Session string `json:"session_id,omitempty"` // "": the tree of topics over all
}

// ShowResult is what was derived.
type ShowResult struct {
	SchemaVersion int             `json:"schema_version"`
	Session       string          `json:"session_id,omitempty"`
	Episodes      []views.Episode `json:"episodes"`
	Records       []views.Record  `json:"records"`
	Topics        *views.Topic    `json:"topics,omitempty"` // over Episodes, if no session is named
	// Behind are the sessions that have changed since their views were made, or have none.
	Behind int `json:"behind"`
}

// Show returns the views of a session, or the episodes of all with the tree of topics over them.
func (k *Keeper) Show(ctx context.Context, in ShowInput) (ShowResult, error) {
	result := ShowResult{SchemaVersion: core.SchemaVersion, Episodes: []views.Episode{}, Records: []views.Record{}}
	if in.Session != "" {
		id, err := k.archive.Resolve(ctx, in.Session)
		if err != nil {
			return result, err
		}
		result.Session = id
	}
	sessions, err := k.archive.IDs(ctx)
	if err != nil {
		return result, err
	}
	list, err := k.all(ctx)
	if err != nil {
		return result, err
	}
	made := make(map[string]string)
	for _, v := range list {
		made[v.Session] = v.Tip
		if result.Session == "" || v.Session == result.Session {
			result.Episodes = append(result.Episodes, v.Episodes...)
			result.Records = append(result.Records, v.Records...)
		}
	}
	for id, tip := range sessions {
		if tip != "" && tip != made[id] && (result.Session == "" || id == result.Session) {
			result.Behind++
		}
	}
	if result.Session == "" {
		result.Topics = views.Tree(result.Episodes)
	}
	return result, nil
}
