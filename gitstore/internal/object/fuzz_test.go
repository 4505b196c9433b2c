package object_test

import (
	"bytes"
	"strings"
	"testing"

	"engram/gitstore/internal/object"
)

// FuzzTree: nothing panics, and a tree that was read and written is read as the same.
func FuzzTree(f *testing.F) {
	name := strings.Repeat("\x01", 20)
	f.Add([]byte("100644 engram.yml\x00" + name + "40000 domain\x00" + name))
	f.Add([]byte("0040000 b\x00" + name + "100644 a\x00" + name))
	f.Add([]byte("100644 cut\x00" + name[:7]))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []object.Format{object.SHA1, object.SHA256} {
			entries, err := object.DecodeTree(format, data)
			if err != nil {
				continue
			}
			written := object.EncodeTree(entries)
			again, err := object.DecodeTree(format, written)
			if err != nil || !bytes.Equal(object.EncodeTree(again), written) {
				t.Fatalf("%q became %q: %v", data, written, err)
			}
		}
	})
}

// FuzzIdentity: nothing panics, and a person is read from what was written.
func FuzzIdentity(f *testing.F) {
	f.Add("Ada <ada@example.com> 1767225600 +0100")
	f.Add("<> 1 +0000")
	f.Add("no > brackets <")
	f.Fuzz(func(t *testing.T, s string) {
		p, _, err := object.ParseIdentity(s)
		if err != nil || strings.ContainsAny(p.Name, "<>") {
			return
		}
		if again, _, err := object.ParseIdentity(p.String() + " 1 +0000"); err != nil || again != p {
			t.Fatalf("%q: %+v became %+v, %v", s, p, again, err)
		}
	})
}

// FuzzHash: nothing panics, and a name that is read is written as it was.
func FuzzHash(f *testing.F) {
	f.Add(strings.Repeat("0a", 20))
	f.Add("HEAD")
	f.Fuzz(func(t *testing.T, name string) {
		if h, err := object.ParseHash(name); err == nil && h.String() != strings.ToLower(name) {
			t.Fatalf("%q became %s", name, h)
		}
	})
}
