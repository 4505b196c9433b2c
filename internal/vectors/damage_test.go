package vectors_test

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"engram/internal/vectors"
)

// Where the header has what, as the layout says.
const (
	dimensionsAt  = 12
	modelLengthAt = 16
	sumAt         = 220
	slotsAt       = 256
	slotSize      = 16
	centreAt      = 512
	headerSize    = 4096
	blockRows     = 4096
)

var tiny = vectors.Stamp{Model: "tiny", Dimensions: 2}

// tinyFile returns the bytes of a file of n rows of two dimensions, the last
// of which came with a second append.
func tinyFile(t testing.TB, n int) (content []byte, keys []uint64, rows [][]float32) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "vectors")
	keys, rows = keysFrom(0, n), unitVectors(newRandom(5), n, 2)
	mustAppend(t, path, tiny, keys[:n-1], rows[:n-1])
	mustAppend(t, path, tiny, keys[n-1:], rows[n-1:])
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content, keys, rows
}

// seal makes the checksums of a header right, whatever it says.
func seal(content []byte) {
	if len(content) < slotsAt+2*slotSize {
		return
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	binary.NativeEndian.PutUint32(content[sumAt:], crc32.Checksum(content[:sumAt], table))
	head := crc32.Checksum(content[:sumAt+4], table)
	for at := slotsAt; at < slotsAt+2*slotSize; at += slotSize {
		binary.NativeEndian.PutUint32(content[at+12:], crc32.Update(head, table, content[at:at+12]))
	}
}

// use opens a file that may be damaged and calls everything: it must be
// refused as damaged or work.
func use(t testing.TB, path string) *vectors.File {
	t.Helper()
	file, err := vectors.Open(path)
	if err != nil {
		if !errors.Is(err, vectors.ErrDamaged) {
			t.Errorf("another error: %v", err)
		}
		return nil
	}
	t.Cleanup(func() { _ = file.Close() })
	query := make([]float32, file.Stamp().Dimensions)
	query[0] = 1
	found, err := file.Nearest(query, 3, nil)
	if err != nil {
		t.Error(err)
	}
	for _, neighbour := range found {
		if !(neighbour.Cosine >= -1 && neighbour.Cosine <= 1) {
			t.Errorf("cosine %v", neighbour.Cosine)
		}
	}
	for row := range file.Len() {
		if found, ok := file.Row(file.Key(row)); !ok || file.Key(found) != file.Key(row) {
			t.Fatalf("row %d is not to be found", row)
		}
	}
	return file
}

// TestDamaged: a file that is cut off, overwritten or made up is refused, or
// shows rows that are right; it can always be appended to.
func TestDamaged(t *testing.T) {
	whole, keys, rows := tinyFile(t, blockRows+100)
	edit := func(at int, bytes ...byte) func([]byte) []byte {
		return func(content []byte) []byte { copy(content[at:], bytes); return content }
	}
	number := func(at int, value uint64, size int) func([]byte) []byte {
		return func(content []byte) []byte {
			copy(content[at:at+size], binary.NativeEndian.AppendUint64(nil, value)[:size])
			seal(content)
			return content
		}
	}
	cases := map[string]func([]byte) []byte{
		"empty":           func([]byte) []byte { return nil },
		"text":            func([]byte) []byte { return []byte("hello") },
		"zeros":           func([]byte) []byte { return make([]byte, 10000) },
		"magic":           edit(0, 'E'),
		"version":         number(8, 2, 4),
		"other order":     number(8, 1<<24, 4),
		"no dimensions":   number(dimensionsAt, 0, 4),
		"more dimensions": number(dimensionsAt, 8193, 4),
		"all dimensions":  number(dimensionsAt, math.MaxUint32, 4),
		"other dimension": number(dimensionsAt, 8192, 4),
		"long model":      number(modelLengthAt, 201, 4),
		"huge model":      number(modelLengthAt, math.MaxUint32, 4),
		"a block more":    number(slotsAt, 2*blockRows+1, 8),
		"31 bits":         number(slotsAt, math.MaxInt32, 8),
		"63 bits":         number(slotsAt, math.MaxInt64, 8),
		"64 bits":         number(slotsAt, math.MaxUint64, 8),
		"no slot":         edit(slotsAt, make([]byte, 2*slotSize)...),
		"centre":          edit(centreAt, 1, 2, 3, 4),
	}
	for _, size := range []int{1, 7, 8, 219, 223, 256, 287, 288, 511, 512, 519, 520, headerSize - 1, headerSize,
		headerSize + 1, headerSize + 8*blockRows, len(whole) - 8*blockRows, len(whole) - 1} {
		cases["cut to "+strconv.Itoa(size)] = func(content []byte) []byte { return content[:size] }
	}
	for name, damage := range cases {
		path := filepath.Join(t.TempDir(), "vectors")
		if err := os.WriteFile(path, damage(slices.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		if use(t, path) != nil {
			t.Errorf("%q: opened", name)
		}
		mustAppend(t, path, tiny, keys[:3], rows[:3])
		checkRows(t, mustOpen(t, path), tiny, keys[:3], rows[:3])
	}
}

// TestFlippedHeader: with any byte of the header wrong the file is refused,
// or has the rows it had before or after the last append.
func TestFlippedHeader(t *testing.T) {
	for _, n := range []int{20, blockRows + 20} {
		whole, keys, rows := tinyFile(t, n)
		path := filepath.Join(t.TempDir(), "vectors")
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		raw, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = raw.Close() }()
		seen := map[string]int{}
		for at := range centreAt + 16 {
			if _, err := raw.WriteAt([]byte{whole[at] ^ 0x41}, int64(at)); err != nil {
				t.Fatal(err)
			}
			file, err := vectors.Open(path)
			switch {
			case errors.Is(err, vectors.ErrDamaged):
				seen["refused"]++
			case err != nil:
				t.Fatalf("byte %d: %v", at, err)
			case file.Len() == n || file.Len() == n-1:
				seen[map[int]string{n: "whole", n - 1: "before"}[file.Len()]]++
				last := file.Len() - 1
				if file.Stamp() != tiny || file.Key(last) != keys[last] || !slices.Equal(file.Vector(last), rows[last]) {
					t.Fatalf("byte %d: other content", at)
				}
			default:
				t.Fatalf("byte %d: %d rows", at, file.Len())
			}
			if file != nil {
				_ = file.Close()
			}
			if _, err := raw.WriteAt(whole[at:at+1], int64(at)); err != nil {
				t.Fatal(err)
			}
		}
		if seen["refused"] < sumAt || seen["before"] != slotSize || seen["whole"] < slotSize {
			t.Errorf("%d rows: %v", n, seen)
		}
	}
}

// TestDiedWhileAppending: what a writer wrote before it died, without the
// number of rows, is not seen and not in the way.
func TestDiedWhileAppending(t *testing.T) {
	for _, n := range []int{10, blockRows - 1, blockRows, 2 * blockRows} {
		after, keys, rows := tinyFile(t, n+1)
		var before []byte
		if before, _, _ = tinyFile(t, n); n == 2*blockRows {
			before = append(before, after[len(before):]...)
		}
		died := slices.Clone(after)
		copy(died[slotsAt:], before[slotsAt:slotsAt+2*slotSize])
		path := filepath.Join(t.TempDir(), "vectors")
		if err := os.WriteFile(path, died, 0o600); err != nil {
			t.Fatal(err)
		}
		checkRows(t, mustOpen(t, path), tiny, keys[:n], rows[:n])
		mustAppend(t, path, tiny, keys[n:], rows[n:])
		checkRows(t, mustOpen(t, path), tiny, keys, rows)
	}
}

// FuzzOpen: no bytes make Open or what follows panic, and whatever a file is,
// it can be appended to.
func FuzzOpen(f *testing.F) {
	small, keys, rows := tinyFile(f, 5)
	full, _, _ := tinyFile(f, blockRows+2)
	// Rows are zero here: what matters is the header, and that it is short.
	for _, content := range [][]byte{small[:528], full[:528], make([]byte, 528), {}} {
		for _, size := range []uint32{528, headerSize, uint32(len(small)), uint32(len(full)) - 1, uint32(len(full))} {
			f.Add(content, size, true)
			f.Add(content, size, false)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte, size uint32, sealed bool) {
		content = slices.Clone(content)
		if sealed {
			seal(content)
		}
		path := filepath.Join(t.TempDir(), "vectors")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(size%(1<<19))); err != nil {
			t.Fatal(err)
		}
		stamp := tiny
		if file := use(t, path); file != nil {
			stamp = file.Stamp()
		}
		if stamp.Dimensions != 2 {
			return
		}
		mustAppend(t, path, stamp, keys, rows)
		file := mustOpen(t, path)
		for _, key := range keys {
			if _, ok := file.Row(key); !ok {
				t.Error("appended, but not there")
			}
		}
	})
}
