package gitstore_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// BenchmarkExtend adds a segment of 300 KB to a session, in a folder of ENGRAM_BENCH_DIR.
func BenchmarkExtend(b *testing.B) {
	dir := newRepo(b)
	if on := os.Getenv("ENGRAM_BENCH_DIR"); on != "" {
		moved, err := os.MkdirTemp(on, "extend")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = os.RemoveAll(moved) })
		mustDo(b, os.CopyFS(moved, os.DirFS(dir)))
		dir = moved
	}
	store := open(b, dir)
	n := 0
	for b.Loop() {
		n++
		text := strings.Repeat(fmt.Sprintf("{\"kind\":\"text\",\"text\":\"line of %d\"}\n", n), 8000)
		extend(b, store, session, map[string]string{fmt.Sprintf("%04d/%02d-x/events.jsonl", n/100, n%100): text})
	}
}
