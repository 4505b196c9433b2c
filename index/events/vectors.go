package events

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/catchup"
	"engram/index/internal/embedding"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/vectors"
)

// maxVectors is how many events have a vector: the newest ones. At 256 dimensions so many take
// some 220 MB.
const maxVectors = 200_000

// VectorReport says what the vectors reflect.
type VectorReport = embedding.Report

// Embed computes the vectors of events, the newest first, after catching up. It may be
// cancelled at any time and goes on where it stopped. Only one process embeds at a time; to
// the others the report says that it is busy. Without an embedder it does nothing.
func (x *Index) Embed(ctx context.Context) (VectorReport, error) {
	if x.embedder == nil {
		return VectorReport{}, nil
	}
	tips, err := x.source.Tips(ctx)
	if err != nil || len(tips) == 0 {
		return VectorReport{}, err
	}
	if _, err := x.CatchUp(ctx); err != nil {
		return VectorReport{}, err
	}
	return x.vectors.Embed(ctx, digest(tips), true)
}

// meanings are what the vectors of an Index are made of (embedding.Content). The index has
// the texts: the source is only asked whether a session was rewritten.
//
// The key of a row is the beginning of the ID by which Bleve finds the document of the event,
// so that each leads to the other and the documents need not know of vectors. A redaction
// changes what an event says and not its name; so a session that was rewritten loses its
// vectors first.
type meanings struct{ *Index }

// Compares is embedding.Content's.
func (m meanings) Compares() bool { return false }

// unembedded is an event without a vector.
type unembedded struct {
	millis int64
	key    uint64
}

// Update is embedding.Content's.
func (m meanings) Update(ctx context.Context, call *embedding.Call, revision string) error {
	var list []unembedded
	err := m.glance(ctx, func(s *store.Store) (err error) {
		list, err = m.plan(ctx, call, s)
		return err
	})
	if err != nil {
		return err
	}
	call.Revision = revision
	if err := call.Save(); err != nil {
		return err
	}
	for part := range slices.Chunk(list, call.BatchSize()) {
		var texts []embedding.Text
		err := m.glance(ctx, func(s *store.Store) (err error) {
			texts, err = m.texts(s.Segments(), part)
			return err
		})
		if err != nil {
			return err
		}
		call.Missing = max(0, call.Missing-len(part)+len(texts)) // the others have no meaning, or are gone
		if err := call.Add(ctx, texts, len(list)); err != nil {
			return err
		}
	}
	return nil
}

// glance calls read with the index as it stands.
func (x *Index) glance(ctx context.Context, read func(*store.Store) error) error {
	folder := x.folder
	folder.Content = &content{}
	_, err := folder.Glance(ctx, func(s *store.Store, _ store.Stamp) error {
		return store.Guard(func() error { return read(s) })
	})
	return err
}

// plan removes the vectors that events have no more, and lists the events that have none yet,
// the newest first. It notes in the state what the index reflects.
func (m meanings) plan(ctx context.Context, call *embedding.Call, s *store.Store) ([]unembedded, error) {
	file, err := call.Open()
	if err != nil {
		return nil, err
	}
	if file != nil && call.Tips == nil { // whether the events still say so is not known
		if err := errors.Join(file.Close(), call.StartOver()); err != nil {
			return nil, err
		}
		file = nil
	}
	defer func() {
		if file != nil {
			_ = file.Close()
		}
	}()
	tips, err := reflected(s)
	if err != nil {
		return nil, err
	}
	look, rewritten := m.compare(ctx, call.Tips, tips)
	if file != nil && len(rewritten) > 0 {
		if file, err = m.keep(call, file, s.Segments(), rewritten); err != nil {
			return nil, err
		}
	}
	if file == nil || call.Missing > 0 {
		look = nil // at all
	} else if len(look) == 0 {
		return nil, nil
	}
	var list []unembedded
	err = m.each(s.Segments(), look, nil, func(e unembedded) {
		if e.millis >= call.Since && !has(file, e.key) {
			list = append(list, e)
		}
	})
	if err == nil && rows(file)+len(list) > m.most {
		list, err = m.newest(call, file, s.Segments())
	}
	slices.SortFunc(list, func(a, b unembedded) int {
		return cmp.Or(cmp.Compare(b.millis, a.millis), cmp.Compare(a.key, b.key))
	})
	call.Tips, call.Missing, call.Live = tips, len(list), m.count(s.Segments())
	return list, err
}

// compare names the sessions that have changed since their vectors were made, and those of
// them that lose their vectors.
func (m meanings) compare(ctx context.Context, had, tips map[string]string) (list, rewritten []string) {
	for _, c := range changed(had, tips) {
		list = append(list, c.session)
		if c.to == "" {
			rewritten = append(rewritten, c.session)
			continue
		}
		if c.from == "" {
			continue
		}
		for _, err := range m.source.Events(ctx, c.session, c.from, c.to) {
			if err != nil { // also one that does not tell
				rewritten = append(rewritten, c.session)
			}
			break
		}
	}
	return list, rewritten
}

// each visits the events that may have a vector: of some sessions (nil: of all), and not of
// others.
func (x *Index) each(segments []store.Segment, sessions, but []string, visit func(unembedded)) error {
	for _, seg := range segments {
		f := &filter{seg: seg, set: seg.All()}
		f.any(byKind, x.kinds)
		f.any(bySession, sessions)
		for _, session := range but {
			f.without(version.FilterTerm(bySession, session), "")
		}
		if f.err != nil {
			return f.err
		}
		for it := f.set.Iterator(); it.HasNext(); {
			name, err := seg.DocID(uint64(it.Next()))
			if err != nil {
				return err
			}
			millis, err := decodeTime(name)
			if err != nil {
				return err
			}
			visit(unembedded{millis, rowKey(name)})
		}
	}
	return nil
}

// count is how many events may have a vector.
func (x *Index) count(segments []store.Segment) (n int) {
	terms := make([]string, len(x.kinds))
	for i, kind := range x.kinds {
		terms[i] = version.FilterTerm(byKind, kind)
	}
	lists, err := store.Lookup(segments, version.FilterField, terms)
	if err != nil {
		return 0
	}
	for _, list := range lists {
		n += store.CountPostings(list)
	}
	return n
}

// keep removes the vectors of some sessions, and of what is not in the index any more. It
// closes file, and opens what there is then.
func (x *Index) keep(call *embedding.Call, file *vectors.File, segments []store.Segment, but []string) (*vectors.File, error) {
	var keys []uint64
	err := x.each(segments, nil, but, func(e unembedded) {
		if e.millis >= call.Since && has(file, e.key) {
			keys = append(keys, e.key)
		}
	})
	if err != nil {
		return file, err
	}
	return rewrite(call, file, keys)
}

// rewrite leaves only the vectors of some keys. It closes file, and opens what there is then.
func rewrite(call *embedding.Call, file *vectors.File, keys []uint64) (*vectors.File, error) {
	if len(keys) == file.Len() {
		return file, nil
	}
	if len(keys) == 0 {
		tips, since := call.Tips, call.Since
		err := errors.Join(file.Close(), call.StartOver())
		call.Tips, call.Since = tips, since
		return nil, err
	}
	if err := errors.Join(call.Keep(file, keys), file.Close(), call.Save()); err != nil {
		return nil, err
	}
	return call.Open()
}

// newest makes room: nine tenths of all vectors that there may be are of the newest events,
// and what is older has none any more. It lists those that have none yet.
func (x *Index) newest(call *embedding.Call, file *vectors.File, segments []store.Segment) (list []unembedded, err error) {
	var all []unembedded
	if err := x.each(segments, nil, nil, func(e unembedded) { all = append(all, e) }); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b unembedded) int { return cmp.Compare(b.millis, a.millis) })
	all = all[:min(len(all), x.most*9/10)]
	if len(all) == 0 {
		return nil, nil
	}
	call.Since = all[len(all)-1].millis
	var keys []uint64
	for _, e := range all {
		if has(file, e.key) {
			keys = append(keys, e.key)
		} else {
			list = append(list, e)
		}
	}
	if file != nil {
		if file, err = rewrite(call, file, keys); file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return list, err
}

// keepIndexed removes the vectors of what is not in the index.
func (x *Index) keepIndexed(ctx context.Context, call *embedding.Call) error {
	file, err := call.Open()
	if err != nil || file == nil {
		return err
	}
	if call.Tips == nil { // whether the events still say so is not known
		return errors.Join(file.Close(), call.StartOver())
	}
	err = x.glance(ctx, func(s *store.Store) error {
		tips, err := reflected(s)
		if err != nil {
			return err
		}
		if file, err = x.keep(call, file, s.Segments(), nil); err != nil {
			return err
		}
		maps.DeleteFunc(call.Tips, func(session, _ string) bool { return tips[session] == "" })
		return nil
	})
	if errors.Is(err, catchup.ErrNotReady) { // no session is left
		err = errors.Join(file.Close(), call.StartOver())
		file = nil
	}
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return err
	}
	return call.Save()
}

// texts are what the vectors of some events are made of.
func (x *Index) texts(segments []store.Segment, list []unembedded) (texts []embedding.Text, err error) {
	ids, err := newIDIndex(segments)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		err := ids.each(e.key, func(i int, doc uint32) error {
			stored, err := segments[i].Stored(doc)
			if text := x.meaning(stored); err == nil && text != "" {
				texts = append(texts, embedding.Text{Key: e.key, Text: text})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// rowKey is the key of the vector of the event with a name.
func rowKey(name []byte) uint64 {
	return binary.BigEndian.Uint64([]byte(version.StoredID(string(name))))
}

// idIndex finds documents by the keys of their vectors. It is for one goroutine.
type idIndex struct {
	segments     []store.Segment
	dictionaries []segmentapi.TermDictionary
}

func newIDIndex(segments []store.Segment) (*idIndex, error) {
	x := &idIndex{segments: segments}
	for _, seg := range segments {
		dictionary, err := seg.Segment().Dictionary(version.IDField)
		if err != nil {
			return nil, err
		}
		x.dictionaries = append(x.dictionaries, dictionary)
	}
	return x, nil
}

// each calls visit for the live document with a key.
func (x *idIndex) each(key uint64, visit func(segment int, doc uint32) error) error {
	first := binary.BigEndian.AppendUint64(nil, key)
	var end []byte
	if key+1 != 0 {
		end = binary.BigEndian.AppendUint64(nil, key+1)
	}
	for i, dictionary := range x.dictionaries {
		entries := dictionary.AutomatonIterator(nil, first, end)
		for {
			entry, err := entries.Next()
			if err != nil {
				return err
			}
			if entry == nil {
				break
			}
			list, err := dictionary.PostingsList([]byte(entry.Term), x.segments[i].Deleted(), nil)
			if err != nil {
				return err
			}
			set, err := store.Numbers(x.segments[i], list)
			if err != nil {
				return err
			}
			for it := set.Iterator(); it.HasNext(); {
				if err := visit(i, it.Next()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func has(file *vectors.File, key uint64) bool {
	if file == nil {
		return false
	}
	_, ok := file.Row(key)
	return ok
}

func rows(file *vectors.File) int {
	if file == nil {
		return 0
	}
	return file.Len()
}

// passing counts the documents of segments that are in sets (nil: all).
func passing(segments []store.Segment, sets []*roaring.Bitmap) (n int) {
	for i, seg := range segments {
		if sets[i] == nil {
			n += seg.Live()
		} else {
			n += int(sets[i].GetCardinality())
		}
	}
	return n
}
