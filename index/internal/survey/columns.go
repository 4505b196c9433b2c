package survey

import (
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"engram/facts"
	"engram/index/internal/store"
	"engram/index/internal/version"
)

// columns are what a survey reads of the documents of a segment, each by the number of
// the document, deleted ones included. They never change, as segments do not.
type columns struct {
	from, until []int64 // when the version holds, in milliseconds; until is open if that has no end
	committed   []int64
	key         []uint64 // KeyDigest
	version     []uint32 // VersionDigest
	scope       []uint32 // numbers of names, as the next three
	agent       []uint32
	kind        []uint32
	factType    []uint32
	flags       []uint8
	byKey       []uint32 // the documents in the order of their keys
	newest      func() []uint32
}

const open = math.MaxInt64

const (
	isPlanned = 1 << iota
	isRetirement
	isLimited
	isTip
)

// names are the texts that columns number.
type names struct{ scopes, kinds, types, agents dictionary }

// load reads the columns of a segment.
func (d *names) load(seg store.Segment) (*columns, error) {
	n := seg.Size()
	c := &columns{
		from: make([]int64, n), until: make([]int64, n), committed: make([]int64, n), key: make([]uint64, n), version: make([]uint32, n), scope: make([]uint32, n),
		agent: make([]uint32, n), kind: make([]uint32, n), factType: make([]uint32, n), flags: make([]uint8, n), byKey: make([]uint32, n),
	}
	text, ends, err := namesOf(seg)
	if err != nil {
		return nil, err
	}
	keys, begin := make([]string, n), 0
	for i, end := range ends {
		id, err := version.DecodeNameless(text[begin:end])
		if err != nil {
			return nil, err
		}
		c.from[i], c.until[i], c.committed[i] = id.Window.From.UnixMilli(), open, id.Committed.UnixMilli()
		c.key[i], c.version[i] = KeyDigest(id.Key), versionDigest(id.Text, c.committed[i])
		if !id.Window.Until.IsZero() {
			c.until[i] = id.Window.Until.UnixMilli()
		}
		c.scope[i], c.agent[i] = d.scopes.path(id.Scope), d.agents.number(id.Agent)
		c.kind[i], c.factType[i] = d.kinds.number(string(id.Kind)), d.types.number(string(id.Type))
		c.flags[i], c.byKey[i], keys[i], begin = flagsOf(id.ID), uint32(i), id.Key, end
	}
	slices.SortFunc(c.byKey, func(a, b uint32) int { return cmp.Or(strings.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
	c.newest = sync.OnceValue(func() []uint32 {
		order := slices.Clone(c.byKey)
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(c.from[b], c.from[a]) })
		return order
	})
	return c, nil
}

// namesOf reads the names of all documents of a segment into one text, and where each ends.
func namesOf(seg store.Segment) (text string, ends []int, err error) {
	const usual = 128 // bytes of a name
	var b strings.Builder
	b.Grow(usual * seg.Size())
	for i := range seg.Size() {
		name, err := seg.DocID(uint64(i))
		if err != nil {
			return "", nil, err
		}
		_, _ = b.Write(name)
		ends = append(ends, b.Len())
	}
	return b.String(), ends, nil
}

func flagsOf(id version.ID) (flags uint8) {
	if id.Planned {
		flags |= isPlanned
	}
	if id.Retirement {
		flags |= isRetirement
	}
	if id.Limited {
		flags |= isLimited
	}
	if id.Tip {
		flags |= isTip
	}
	return flags
}

var seed = maphash.MakeSeed()

// KeyDigest stands for a key, for the life of the process.
func KeyDigest(key string) uint64 { return maphash.String(seed, key) }

// VersionDigest tells a version of a key from its other versions.
func VersionDigest(f facts.Fact) uint32 {
	committed := f.Provenance.CreatedAt
	if committed.IsZero() { // as the index has it
		committed = f.ValidFrom
	}
	return versionDigest(version.ClaimDigest(f.Claim), committed.UnixMilli())
}

func versionDigest(claim uint64, committed int64) uint32 {
	return uint32(claim>>32) ^ uint32(claim) ^ uint32(committed) ^ uint32(committed>>32)
}

// keyOf is the key of a document, in memory of the segment.
func keyOf(seg store.Segment, doc uint32) ([]byte, error) {
	name, err := seg.DocID(uint64(doc))
	if err != nil {
		return nil, err
	}
	key, _, ok := bytes.Cut(name, []byte{0})
	if !ok {
		return nil, errors.New("document name without a key")
	}
	return key, nil
}

// dictionary numbers texts. A number is never given to another text.
type dictionary struct {
	texts   []string
	numbers map[string]uint32
	parents []uint32 // of paths: the number of the path above, which is smaller, or top
	sorted  []uint32 // the numbers by text
}

// top is the parent of a path without one.
const top = math.MaxUint32

func (d *dictionary) number(text string) uint32 {
	if n, known := d.numbers[text]; known {
		return n
	}
	if d.numbers == nil {
		d.numbers = make(map[string]uint32)
	}
	n, text := uint32(len(d.texts)), strings.Clone(text)
	d.numbers[text], d.texts = n, append(d.texts, text)
	return n
}

// path is number for a path, whose parents get numbers as well.
func (d *dictionary) path(path string) uint32 {
	if n, known := d.numbers[path]; known {
		return n
	}
	parent := uint32(top)
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		parent = d.path(path[:at])
	}
	d.parents = append(d.parents, parent)
	return d.number(path)
}

// copy returns the dictionary as it stands, for readers.
func (d *dictionary) copy() dictionary {
	if len(d.sorted) != len(d.texts) {
		d.sorted = make([]uint32, len(d.texts))
		for n := range d.sorted {
			d.sorted[n] = uint32(n)
		}
		slices.SortFunc(d.sorted, func(a, b uint32) int { return strings.Compare(d.texts[a], d.texts[b]) })
	}
	return dictionary{texts: d.texts, parents: d.parents, sorted: d.sorted}
}

// Cache keeps the columns of the segments of an index between calls: some 60 bytes a
// document. It is safe for concurrent use; the zero value is ready.
type Cache struct {
	mu       sync.Mutex
	names    names
	segments map[file]*columns
}

// file names the file of a segment as long as the file is the same.
type file struct {
	path    string
	size    int64
	written time.Time
}

// fileOf is the file of a segment; the zero file if the segment is in memory.
func fileOf(seg store.Segment) (file, error) {
	on, ok := seg.Segment().(interface{ Path() string })
	if !ok {
		return file{}, nil
	}
	info, err := os.Stat(on.Path())
	if err != nil {
		return file{}, err
	}
	return file{on.Path(), info.Size(), info.ModTime()}, nil
}

// Newest returns the documents of a segment, those that began latest first and of one moment by
// key, if the columns of the segment are kept; nil otherwise. The caller may not change the list.
func (c *Cache) Newest(seg store.Segment) []uint32 {
	name, err := fileOf(seg)
	if err != nil || name == (file{}) {
		return nil
	}
	c.mu.Lock()
	kept := c.segments[name]
	c.mu.Unlock()
	if kept == nil {
		return nil
	}
	return kept.newest()
}

// of returns the columns of segments, and the names that they number. It reads those of new
// segments, and forgets those of segments that are gone.
func (c *Cache) of(segments []store.Segment) (all []*columns, n names, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := make(map[file]*columns, len(segments))
	for _, seg := range segments {
		name, err := fileOf(seg)
		if err != nil {
			return nil, n, err
		}
		read := c.segments[name]
		if read == nil {
			if read, err = c.names.load(seg); err != nil {
				return nil, n, err
			}
		}
		if name != (file{}) {
			kept[name] = read
		}
		all = append(all, read)
	}
	c.segments = kept
	return all, names{c.names.scopes.copy(), c.names.kinds.copy(), c.names.types.copy(), c.names.agents.copy()}, nil
}
