package object

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// writePack writes one pack file and its index. git's own index-pack would
// inflate, hash and check the new objects again, and if it fails it leaves its
// temporary files.
func (d *Dir) writePack(ctx context.Context, objects []Object, readers os.FileMode) error {
	folder := filepath.Join(d.Path, "pack")
	if err := makeFolder(folder, d.Path); err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	name, index, err := d.placePack(ctx, folder, objects, readers)
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	// The index comes last: git takes a pack without one for absent.
	final := filepath.Join(folder, "pack-"+name)
	if refresh(final+".idx") != nil {
		err = writeFile(final+".idx", "idx", readers, func(w io.Writer) error {
			_, err := w.Write(index)
			return err
		})
		if err != nil {
			_ = os.Remove(final + ".pack")
			return fmt.Errorf("write objects: %w", err)
		}
	}
	if err := syncFolders(map[string]bool{folder: true, d.Path: true}); err != nil {
		return fmt.Errorf("sync objects: %w", err)
	}
	return nil
}

// placePack writes the pack under its final name, which is the hash of its
// content, and returns that hash and the index.
func (d *Dir) placePack(ctx context.Context, folder string, objects []Object, readers os.FileMode) (name string, index []byte, err error) {
	tmp := filepath.Join(folder, "tmp_pack_"+objects[len(objects)-1].hash.String()+".done")
	err = writeFile(tmp, "pack", readers, func(w io.Writer) (err error) {
		name, index, err = d.encodePack(ctx, w, objects)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	final := filepath.Join(folder, "pack-"+name+".pack")
	if refresh(final) == nil {
		return name, index, os.Remove(tmp)
	}
	if err = os.Rename(tmp, final); err != nil {
		_ = os.Remove(tmp)
	}
	return name, index, err
}

// packTypes are the kinds of objects as packs number them.
var packTypes = map[string]byte{"commit": 1, "tree": 2, "blob": 3}

// encodePack writes a pack of whole objects and returns its checksum and index. There
// are no deltas: facts are small, and the next repack makes them anyway.
func (d *Dir) encodePack(ctx context.Context, w io.Writer, objects []Object) (name string, index []byte, err error) {
	sum := d.Format.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(w, sum), 256<<10)
	header := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(objects)))
	_, _ = buffered.Write(header) // the buffer keeps its first error until Flush
	entries := make([]indexEntry, 0, len(objects))
	at := uint64(len(header))
	for encoded := range d.packEntries(ctx, objects) {
		entries = append(entries, indexEntry{encoded.hash, crc32.ChecksumIEEE(encoded.data), at})
		_, _ = buffered.Write(encoded.data)
		at += uint64(len(encoded.data))
	}
	if ctx.Err() != nil {
		return "", nil, context.Cause(ctx)
	}
	if err := buffered.Flush(); err != nil {
		return "", nil, err
	}
	checksum := sum.Sum(nil)
	if _, err := w.Write(checksum); err != nil {
		return "", nil, err
	}
	index, err = d.Format.encodeIndex(entries, checksum)
	return hex.EncodeToString(checksum), index, err
}

type packEntry struct {
	hash Hash
	data []byte
}

// packEntries yields the objects as they stand in a pack, in their order,
// compressed by all processors. It ends early when ctx is done.
func (d *Dir) packEntries(ctx context.Context, objects []Object) func(yield func(packEntry) bool) {
	return func(yield func(packEntry) bool) {
		const batch = 64
		type result chan []packEntry
		workers := make(chan struct{}, runtime.GOMAXPROCS(0))
		ordered := make(chan result, cap(workers)) // bounds what is ahead of the writer
		go func() {
			defer close(ordered)
			for start := 0; start < len(objects) && ctx.Err() == nil; start += batch {
				part := objects[start:min(start+batch, len(objects))]
				done := make(result, 1)
				workers <- struct{}{}
				go func() {
					done <- d.encodeEntries(part)
					<-workers
				}()
				ordered <- done
			}
		}()
		for done := range ordered {
			for _, e := range <-done {
				if !yield(e) {
					panic("gitstore: the caller must read all entries of a pack")
				}
			}
		}
	}
}

func (d *Dir) encodeEntries(objects []Object) []packEntry {
	entries := make([]packEntry, len(objects))
	for i, o := range objects {
		entries[i] = packEntry{o.hash, append(packHeader(o), d.deflated(o.data)...)}
	}
	return entries
}

// packHeader is the type and the size of an object in a pack: the lowest four
// bits of the size beside the type, then seven a byte.
func packHeader(o Object) []byte {
	size := len(o.data)
	first := packTypes[o.kind]<<4 | byte(size&15)
	header := []byte{first}
	for size >>= 4; size > 0; size >>= 7 {
		header[len(header)-1] |= 0x80
		header = append(header, byte(size&0x7f))
	}
	return header
}
