package memory_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

// madeTranscript makes a transcript of Claude Code of about size bytes: messages of words
// that are as frequent as in a language, calls of tools and their results of up to 12 KB.
func madeTranscript(size int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.2, 4, 60_000)
	words := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			fmt.Fprintf(&b, "%s%c", word(zipf.Uint64()), " \n"[min(1, random.IntN(12)/11)])
		}
		return b.String()
	}
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	var out bytes.Buffer
	add := func(role string, content any) {
		at = at.Add(time.Second)
		line, _ := json.Marshal(map[string]any{
			"type": role, "uuid": fmt.Sprintf("%016x-%016x", random.Uint64(), random.Uint64()), "sessionId": "made-session", "cwd": "/home/dev/app",
			"gitBranch": "main", "version": "2.1.12", "timestamp": at.Format(time.RFC3339Nano), "message": map[string]any{"role": role, "content": content},
		}) // strings and numbers cannot fail
		out.Write(append(line, '\n'))
	}
	for n := 0; out.Len() < size; n++ {
		add("user", words(300))
		for range 6 {
			id := fmt.Sprintf("toolu_%d_%d", n, random.Uint32())
			add("assistant", []any{map[string]any{"type": "text", "text": words(500)}})
			add("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": words(80)}}})
			add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": words(200 + random.IntN(12_000))}})
		}
	}
	return out.Bytes()
}

// word is the word of a rank.
func word(rank uint64) string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	text := ""
	for rank++; rank > 0; rank /= 80 {
		text += string(consonants[rank%16]) + string(vowels[rank/16%5])
	}
	return text
}

// BenchmarkSessions imports a transcript of 70 MB at once, and in fourteen parts as a client
// that seals fourteen times, and compares what is stored with gzip -6 of the text.
func BenchmarkSessions(b *testing.B) {
	text := madeTranscript(70 << 20)
	var zipped bytes.Buffer
	z, _ := gzip.NewWriterLevel(&zipped, 6)
	_, _ = z.Write(text) // into memory
	_ = z.Close()
	for _, parts := range []int{1, 14} {
		b.Run(fmt.Sprintf("parts=%d", parts), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r := newSessions(b)
				before := objectBytes(b, r.dir)
				file := filepath.Join(b.TempDir(), "made.jsonl")
				for part := range parts {
					upTo := len(text) * (part + 1) / parts
					upTo = min(len(text), upTo+bytes.IndexByte(text[upTo-1:], '\n'))
					if err := os.WriteFile(file, text[:upTo], 0o644); err != nil {
						b.Fatal(err)
					}
					r.importFiles(file)
				}
				b.ReportMetric(float64(objectBytes(b, r.dir)-before)/float64(zipped.Len()), "stored/gzip")
				began := time.Now()
				if _, err := r.Sessions(b.Context(), memory.SessionsInput{Text: word(2000) + " " + word(700)}); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(time.Since(began).Milliseconds()), "search-ms")
			}
		})
	}
}

// objectBytes is the size of all objects of a repository.
func objectBytes(b *testing.B, dir string) (size int64) {
	err := filepath.WalkDir(filepath.Join(dir, ".git", "objects"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				size += info.Size()
			}
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}
