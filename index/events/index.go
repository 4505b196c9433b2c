package events

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"engram/index/internal/catchup"
	"engram/index/internal/embedding"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/index/internal/version"
)

// Index is the index of the events of a repository's sessions in one folder. Its methods
// may be called from several goroutines, and several processes may have an Index on the
// same folder.
type Index struct {
	folder   catchup.Folder // without its Content, which each call has of its own
	source   Source
	progress func(done, total int)
	scratch  score.Scratch
	vectors  *embedding.Vectors
	embedder embedding.Embedder // nil: no vectors
	kinds    []string           // that have vectors
	meaning  func(stored []byte) string
	most     int // vectors
}

// New returns the index of src in the folder dir. It does no I/O.
func New(dir string, src Source, opts *Options) *Index {
	o := *cmp.Or(opts, &Options{})
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	x := &Index{
		folder: catchup.Folder{Dir: dir, Logger: o.Logger, Kept: catchup.NewKept()}, source: src, progress: o.Progress,
		embedder: o.Embedder, kinds: o.Kinds, meaning: o.Meaning, most: maxVectors,
	}
	x.vectors = embedding.New(dir, meanings{x}, o.Embedder, o.Logger, o.Embedding)
	return x
}

// begin reads the tips that a call is to reflect at least.
func (x *Index) begin(ctx context.Context, src Source) (folder *catchup.Folder, c *content, tips map[string]string, err error) {
	if tips, err = src.Tips(ctx); err != nil {
		return nil, nil, nil, err
	}
	f := x.folder
	c = &content{source: src, progress: x.progress, seen: []string{digest(tips)}}
	f.Content = c
	return &f, c, tips, nil
}

// CatchUp brings the index up to the tips of all sessions. What is damaged, or of another
// version of engram, is rebuilt.
func (x *Index) CatchUp(ctx context.Context) (Report, error) {
	return x.catchUp(ctx, x.source)
}

func (x *Index) catchUp(ctx context.Context, src Source) (Report, error) {
	folder, c, _, err := x.begin(ctx, src)
	if err != nil {
		return Report{}, err
	}
	r, err := folder.View(ctx, c.seen[0], nil)
	return report(r), err
}

// Search returns the best hits of a query, after catching up. If the folder cannot be
// written, the index is searched as it stands.
func (x *Index) Search(ctx context.Context, q Query) (a Answer, err error) {
	r, err := x.Searches(ctx, nil, func(search func(Query) (Answer, error)) (err error) {
		a, err = search(q)
		return err
	})
	a.Report = r
	return a, err
}

// Searches catches up once and calls do with a function that searches what the index has then.
// That function is valid until do returns, and for one goroutine at a time. If the index turns out to be damaged, it is rebuilt
// and do is called again. The events of tail, which may be nil, are found as well. Without sessions
// no index is made.
func (x *Index) Searches(ctx context.Context, tail *Tail, do func(search func(Query) (Answer, error)) error) (Report, error) {
	folder, c, tips, err := x.begin(ctx, x.source)
	if err != nil {
		return Report{}, err
	}
	if len(tips) == 0 {
		return Report{}, x.searchTail(ctx, tail, do)
	}
	read := func(s *store.Store, st store.Stamp) error {
		loan := x.vectors.Lend()
		defer loan.Close()
		var last lookup
		return do(func(q Query) (a Answer, err error) {
			if a, err = x.search(ctx, s, tail, loan, &last, q); err == nil && !slices.Contains(c.seen, st.Revision) {
				a.Missing, err = missing(s, tips)
				a.Behind = true
			}
			return a, err
		})
	}
	r, err := folder.View(ctx, c.seen[0], read)
	return report(r), err
}

// searchTail is Searches without an index.
func (x *Index) searchTail(ctx context.Context, tail *Tail, do func(func(Query) (Answer, error)) error) error {
	if tail == nil {
		return do(func(Query) (Answer, error) { return Answer{}, nil })
	}
	loan := x.vectors.Lend()
	defer loan.Close()
	var last lookup
	return do(func(q Query) (Answer, error) { return x.search(ctx, tail.store, nil, loan, &last, q) })
}

// Stats describes the index as it stands and changes nothing. If there is none the
// result is zero. The error says what is wrong with an index that cannot be used.
func (x *Index) Stats(ctx context.Context) (Stats, error) {
	folder := x.folder
	folder.Content = &content{}
	s, err := folder.Stats(ctx)
	if err != nil || s.Documents == 0 {
		return Stats{}, err
	}
	stats := Stats{Segments: s.Segments, Bytes: s.Bytes}
	_, err = folder.Glance(ctx, func(s *store.Store, _ store.Stamp) error {
		for _, seg := range s.Segments() {
			tips, err := seg.Postings(version.FilterField, isTip)
			if err != nil {
				return err
			}
			stats.Sessions += int(tips.Count())
		}
		stats.Events = s.Documents() - stats.Sessions
		return nil
	})
	return stats, err
}

// Remove removes the index, so that the next call rebuilds it. It waits for readers and
// writers to finish; none needs to know.
func (x *Index) Remove(ctx context.Context) error { return x.folder.Remove(ctx) }

// Forget removes what must not be kept of some sessions: it removes the index, with all
// that builders left that died, because the terms of deleted documents stay in files
// until these are merged; then it builds the index again without the sessions, and removes
// their vectors. What the source still has of them comes back with the next call that catches
// up. It waits for a process that embeds.
func (x *Index) Forget(ctx context.Context, sessions ...string) (r Report, err error) {
	err = x.vectors.Purge(ctx, func(call *embedding.Call) error {
		if err := x.folder.Clear(ctx, embedding.IsFolder); err != nil {
			return err
		}
		if r, err = x.catchUp(ctx, &without{x.source, sessions}); err != nil || call == nil {
			return err
		}
		return x.keepIndexed(ctx, call)
	})
	return r, err
}

// Close releases what the Index keeps between calls: the open index, which is closed by itself
// when it was not used for a while, and the vectors. It may be used afterwards.
func (x *Index) Close() error { return errors.Join(x.folder.Kept.Close(), x.vectors.Close()) }

// without is a source that does not have some sessions.
type without struct {
	Source
	sessions []string
}

// Tips is Source's.
func (s *without) Tips(ctx context.Context) (map[string]string, error) {
	tips, err := s.Source.Tips(ctx)
	if err != nil {
		return nil, err
	}
	tips = maps.Clone(tips)
	for _, session := range s.sessions {
		delete(tips, session)
	}
	return tips, nil
}

// digest stands for the tips of all sessions.
func digest(tips map[string]string) string {
	h := sha256.New()
	for _, session := range slices.Sorted(maps.Keys(tips)) {
		_, _ = h.Write([]byte(session + "\x00" + tips[session] + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func report(r catchup.Report) Report {
	return Report{Rebuilt: r.Rebuilt, Reason: r.Reason, Indexed: r.Indexed, Took: r.Took}
}

// reflected are the tips that an open index reflects.
func reflected(s *store.Store) (tips map[string]string, err error) {
	tips = make(map[string]string)
	err = store.Guard(func() error {
		for _, seg := range s.Segments() {
			set, err := seg.Documents(version.FilterField, isTip)
			if err != nil {
				return err
			}
			for it := set.Iterator(); it.HasNext(); {
				name, err := seg.DocID(uint64(it.Next()))
				if err != nil {
					return err
				}
				session, tip, err := decodeTip(name)
				if err != nil {
					return err
				}
				tips[session] = tip
			}
		}
		return nil
	})
	return tips, err
}

// missing are the sessions whose tip the index does not reflect.
func missing(s *store.Store, tips map[string]string) ([]string, error) {
	have, err := reflected(s)
	if err != nil {
		return nil, err
	}
	var list []string
	for session, tip := range tips {
		if have[session] != tip {
			list = append(list, session)
		}
	}
	slices.Sort(list)
	return list, nil
}
