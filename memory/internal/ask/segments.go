package ask

import (
	"context"
	"fmt"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// SegmentsInput asks how a key goes on.
type SegmentsInput struct {
	Prefix  string // what is typed of a key
	AskedBy string // the agent that reads; "" whom the memory was opened for
	Branch  string // as of QueryInput
}

// Segment is one way in which a key goes on.
type Segment struct {
	Name  string // up to the next slash, or a whole key
	Claim string // of a whole key
}

// SegmentsResult is how a key goes on, by name.
type SegmentsResult struct {
	core.Answer
	Segments []Segment
}

// maxSegments bounds how many whole keys are offered: their facts are read.
const maxSegments = 500

// Segments lists how keys that begin with a text go on: up to the next slash, or as the whole key
// of a fact that holds now or later. It reads the facts of whole keys alone, so a folder may hold
// nothing but facts that have ended. A folder in which a limited reader may read nothing is left out.
func (m *Reader) Segments(ctx context.Context, in SegmentsInput) (SegmentsResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return SegmentsResult{}, err
	}
	s := segments{m: m, reads: m.Reader(manifest, in.AskedBy), branch: m.ResolveBranch(in.Branch)}
	r := SegmentsResult{Answer: core.AnswerAt(tip)}
	folder := in.Prefix[:strings.LastIndexByte(in.Prefix, '/')+1]
	var names []string
	files := make(map[string][]gitstore.File)
	for file, err := range m.Store.Names(ctx, tip, folder) {
		if err != nil {
			return r, fmt.Errorf("read names: %w", err)
		}
		key, ok := facts.KeyOfPath(file.Path)
		name := key.String()
		if !ok || core.IsInternal(key) || !strings.HasPrefix(name, in.Prefix) {
			continue
		}
		if slash := strings.IndexByte(name[len(folder):], '/'); slash >= 0 {
			name = name[:len(folder)+slash+1]
		}
		if files[name] == nil {
			names = append(names, name)
		}
		if len(files[name]) == 0 || s.reads != nil {
			files[name] = append(files[name], file)
		}
	}
	var keys []gitstore.File
	for _, name := range names {
		if !strings.HasSuffix(name, "/") && len(keys) < maxSegments {
			keys = append(keys, files[name]...)
		}
	}
	claims, err := s.claims(ctx, keys, len(keys))
	for _, name := range names {
		if err != nil {
			return r, err
		}
		claim, holds := claims[name]
		if strings.HasSuffix(name, "/") {
			if holds = s.reads == nil; !holds {
				var readable map[string]string
				readable, err = s.claims(ctx, files[name], 1)
				holds = len(readable) > 0
			}
		}
		if holds {
			r.Segments = append(r.Segments, Segment{name, claim})
		}
	}
	return r, err
}

// segments reads facts for one caller.
type segments struct {
	m      *Reader
	reads  *core.Reader
	branch string
}

// claims are those of up to most facts among files that hold and may be read, by key.
func (s segments) claims(ctx context.Context, files []gitstore.File, most int) (map[string]string, error) {
	claims, now := make(map[string]string), s.m.Moment()
	for file, err := range s.m.Store.ReadAll(ctx, files) {
		if err != nil || len(claims) == most {
			return claims, err
		}
		f, err := core.Parse(file)
		if err == nil && core.CurrentOrScheduled(f, now) && core.VisibleOn(f, s.branch) && s.reads.MayReadScope(f.Scope) {
			claims[f.Key.String()] = f.Claim
		}
	}
	return claims, nil
}
