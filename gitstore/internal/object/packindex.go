package object

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// indexEntry is where an object is in a pack.
type indexEntry struct {
	hash  Hash
	check uint32 // CRC-32 of its entry
	at    uint64
}

// encodeIndex is the index of a pack with that checksum: by go-git, which knows names of SHA-1
// alone, or by encodeLongIndex.
func (f Format) encodeIndex(entries []indexEntry, pack []byte) ([]byte, error) {
	if f != SHA1 {
		return f.encodeLongIndex(entries, pack), nil
	}
	var w idxfile.Writer
	if err := w.OnHeader(uint32(len(entries))); err != nil {
		return nil, err
	}
	for _, e := range entries {
		w.Add(plumbing.NewHash(e.hash.String()), e.at, e.check)
	}
	if err := w.OnFooter(plumbing.Hash(pack)); err != nil {
		return nil, err
	}
	table, err := w.Index()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = idxfile.NewEncoder(&out).Encode(table)
	return out.Bytes(), err
}

// encodeLongIndex is such an index in git's version 2 (gitformat-pack): how many names
// begin with each byte or a lower one, then all names, checksums and offsets in order of
// the names, then the checksums of the pack and of this index. An offset of more than 31
// bits refers to the table of long ones.
func (f Format) encodeLongIndex(entries []indexEntry, pack []byte) []byte {
	slices.SortFunc(entries, func(a, b indexEntry) int { return cmp.Compare(a.hash, b.hash) })
	var fan [256]uint32
	var names, checks, offsets, long bytes.Buffer
	for _, e := range entries {
		fan[e.hash[0]]++
		names.WriteString(string(e.hash))
		_ = binary.Write(&checks, binary.BigEndian, e.check) // into memory: cannot fail
		at := uint32(e.at)
		if e.at >= 1<<31 {
			at = 1<<31 | uint32(long.Len()/8)
			_ = binary.Write(&long, binary.BigEndian, e.at)
		}
		_ = binary.Write(&offsets, binary.BigEndian, at)
	}
	for i := range fan[1:] {
		fan[i+1] += fan[i]
	}
	out := bytes.NewBuffer([]byte("\xfftOc\x00\x00\x00\x02"))
	_ = binary.Write(out, binary.BigEndian, fan)
	for _, part := range [][]byte{names.Bytes(), checks.Bytes(), offsets.Bytes(), long.Bytes(), pack} {
		out.Write(part)
	}
	sum := f.New()
	sum.Write(out.Bytes())
	return sum.Sum(out.Bytes())
}
