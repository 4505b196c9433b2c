package store

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Bleve trusts its files: a changed byte may cause wrong hits, a panic, or an
// allocation of all memory. So every writer leaves a seal with the name, the size and
// the modification time of each file, which every reader checks before it opens the
// files, at the cost of one stat a file.
//
// The cases of a file:
//
//  1. as sealed: fine;
//  2. a segment that is not as sealed (it was copied, or written by a process
//     that died before it could seal): fine if its own checksum says so, and
//     if it never was sealed and a writer died, since then it is in no list;
//  3. the list of segments not as sealed: fine only if a writer died, because
//     it has no checksum of its own but is replaced atomically;
//  4. sealed and gone: fine only if a writer died, which may have merged it.
const (
	sealFile    = "seal.json"
	writingFile = "writing" // exists while a writer is at work
	segmentList = "root.bolt"
	segmentExt  = ".zap"
)

// Seal is what a writer leaves behind.
type Seal struct {
	Revision string          `json:"revision"` // what the index reflects, readable without opening it
	Write    string          `json:"write"`    // names the write that left it; no two have the same
	Files    map[string]file `json:"files"`
}

type file struct {
	Size    int64     `json:"size"`
	Written time.Time `json:"written"`
}

// WriteSeal writes the seal of a closed index.
func WriteSeal(folder, revision string) error {
	files, err := statFiles(folder)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(Seal{revision, rand.Text(), files})
	if err != nil {
		return err
	}
	// A truncated seal counts as none; then the checksums decide.
	if err := os.WriteFile(filepath.Join(folder, sealFile), raw, 0o644); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(folder, writingFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// MarkWriting says that the seal is about to be out of date.
func MarkWriting(folder string) error {
	return os.WriteFile(filepath.Join(folder, writingFile), nil, 0o644)
}

// Unsealed reports whether a writer is at work, or died before it could seal.
func Unsealed(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, writingFile))
	return err == nil
}

// ReadSeal returns the seal, or an empty one if none can be read.
func ReadSeal(folder string) (s Seal) {
	raw, err := os.ReadFile(filepath.Join(folder, sealFile))
	if err != nil || json.Unmarshal(raw, &s) != nil {
		return Seal{}
	}
	return s
}

// Check reports damage to the files of an index that is not open.
func (s Seal) Check(folder string) error {
	files, err := statFiles(folder)
	if err != nil {
		return err
	}
	writerDied := Unsealed(folder)
	if _, ok := files[segmentList]; !ok {
		return errors.New("its list of segments is missing")
	}
	for name := range s.Files {
		if _, ok := files[name]; !ok && !writerDied {
			return fmt.Errorf("its file %s is missing", name)
		}
	}
	for name, file := range files {
		was, ok := s.Files[name]
		switch {
		case ok && was.Size == file.Size && was.Written.Equal(file.Written):
		case name == segmentList && (writerDied || s.Files == nil):
		case name == segmentList:
			return errors.New("its list of segments was changed by another program")
		default:
			if err := checkSegment(filepath.Join(folder, name)); err != nil && (ok || !writerDied) {
				return err
			}
		}
	}
	return nil
}

// statFiles stats the files that Bleve reads.
func statFiles(folder string) (map[string]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	files := make(map[string]file, len(entries))
	for _, entry := range entries {
		if entry.Name() != segmentList && filepath.Ext(entry.Name()) != segmentExt {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return nil, err
		}
		files[entry.Name()] = file{info.Size(), info.ModTime()}
	}
	return files, nil
}

// checkSegment compares a segment with the CRC-32 it ends in.
func checkSegment(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	if info.Size() > crc32.Size {
		if _, err := io.CopyN(sum, f, info.Size()-crc32.Size); err != nil {
			return err
		}
	}
	var want [crc32.Size]byte
	if _, err := io.ReadFull(f, want[:]); err != nil || binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
		return fmt.Errorf("the checksum of segment %s does not match", filepath.Base(name))
	}
	return nil
}
