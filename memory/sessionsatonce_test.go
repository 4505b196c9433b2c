package memory_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"engram/memory"
)

// TestImportAtOnce: a session lies in several files, each of which has another part of it, and
// all are imported at once. The session is as one import makes it, and every event was new to
// one import only.
func TestImportAtOnce(t *testing.T) {
	const files, turns = 6, 60
	lines := talk("at-once", turns).lines
	var list []string
	for i := range files {
		part := lines[i*len(lines)/files/2:]
		list = append(list, writeFile(t, filepath.Join(t.TempDir(), fmt.Sprintf("part-%d.jsonl", i)), strings.Join(part, "")))
	}
	one := newSessions(t)
	one.importFiles(list...)
	want := one.eventIDs("at-once")

	b := newSessions(t)
	added := make([]int, files)
	var running sync.WaitGroup
	for i, file := range list {
		own := sessionsIn(t, b.dir)
		running.Go(func() {
			r, err := own.ImportSessions(t.Context(), memory.ImportSessionsInput{Files: []string{file}})
			if err != nil {
				t.Error(err)
			}
			added[i] = r.Events
		})
	}
	running.Wait()
	sum := 0
	for _, n := range added {
		sum += n
	}
	got := b.eventIDs("at-once")
	if sum != len(want) || len(got) != len(want) {
		t.Errorf("the imports say that they added %v, and there are %d events; one import made %d", added, len(got), len(want))
	}
	for _, list := range [][]string{got, want} { // in what order they came does not matter
		for i, text := range list {
			list[i], _, _ = strings.Cut(text, " ")
		}
		slices.Sort(list)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
