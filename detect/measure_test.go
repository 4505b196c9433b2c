package detect_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"engram/detect/entity"
)

// TestMeasure logs what the rules find in public data, which is no part of the
// project: ENGRAM_DATA names its folder. With ENGRAM_SHOW=1 it prints misses.
func TestMeasure(t *testing.T) {
	root := os.Getenv("ENGRAM_DATA")
	if root == "" {
		t.Skip("ENGRAM_DATA is not set: no data to measure on")
	}
	t.Run("numbers", func(t *testing.T) { measureNumbers(t, filepath.Join(root, "facts/facts_share.jsonl")) })
	t.Run("documents", func(t *testing.T) { measureDocuments(t, filepath.Join(root, "facts/facts_share.jsonl")) })
	t.Run("pairs", func(t *testing.T) {
		measurePairs(t, filepath.Join(root, "nli/structured_fact_pairs.jsonl"), "text_a", "text_b")
	})
	t.Run("edits", func(t *testing.T) {
		measurePairs(t, filepath.Join(root, "nli/git_edit_contradictions.reviewed.jsonl"), "old", "new")
		measurePairs(t, filepath.Join(root, "nli/git_edit_equivalent.auto.jsonl"), "old", "new")
		measurePairs(t, filepath.Join(root, "nli/memorycode_pairs.jsonl"), "text_a", "text_b")
	})
	t.Run("updates", func(t *testing.T) {
		for _, name := range []string{"gomod", "kep", "springai"} {
			measureUpdates(t, filepath.Join(root, "facts", name+"_fact_updates.jsonl"))
		}
	})
}

// each calls f with every record of a file of JSON lines.
func each(t *testing.T, path string, f func(map[string]any)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r map[string]any
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		f(r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func show(format string, args ...any) {
	if os.Getenv("ENGRAM_SHOW") != "" {
		fmt.Printf(format+"\n", args...)
	}
}

func percent(n, of int) string {
	return fmt.Sprintf("%d of %d (%.1f%%)", n, of, 100*float64(n)/float64(max(of, 1)))
}

func measureNumbers(t *testing.T, path string) {
	var texts, numbers, values, named, without, wrong int
	each(t, path, func(r map[string]any) {
		text := r["text"].(string)
		var number, value, name bool
		for _, e := range entity.Entities(text) {
			number = number || e.Type == entity.Number
			value = value || e.Valued() && e.Type != entity.State
			name = name || e.Valued() && e.Type != entity.State && e.Slot() != ""
		}
		if r["has_number"] == true {
			texts++
			numbers, values, named = numbers+bit(number), values+bit(value), named+bit(name)
			if !value && texts%40 == 0 {
				show("no value: %s", text)
			}
		} else {
			without++
			wrong += bit(value)
			if value && wrong%20 == 0 {
				show("value without a digit: %s", text)
			}
		}
	})
	t.Logf("texts with a digit: a number in %s, a number, version, port or date in %s, with a name in %s",
		percent(numbers, texts), percent(values, texts), percent(named, texts))
	t.Logf("texts without: a value in %s", percent(wrong, without))
}

// measureDocuments counts the facts that the rules hold against another of the
// same document, where few contradict each other.
func measureDocuments(t *testing.T, path string) {
	type stated struct {
		entity.Entity
		text string
	}
	slots := make(map[string][]stated)
	var texts, against int
	each(t, path, func(r map[string]any) {
		texts++
		text, found := r["text"].(string), false
		for _, e := range entity.Entities(text) {
			key := r["path"].(string) + " " + e.Slot()
			if e.Slot() == "" || len(slots[key]) > 20 {
				continue
			}
			for _, o := range slots[key] {
				if !found && o.text != text && entity.Incompatible(o.Entity, e) {
					found = true
					show("same document: %s: %s | %s", e.Slot(), o.text, text)
				}
			}
			slots[key] = append(slots[key], stated{e, text})
		}
		against += bit(found)
	})
	t.Logf("facts held against another of the same document: %s", percent(against, texts))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func measurePairs(t *testing.T, path, a, b string) {
	total, shared, found := map[string]int{}, map[string]int{}, map[string]int{}
	each(t, path, func(r map[string]any) {
		label := r["label"].(string)
		kind, _ := r["kind"].(string)
		slot, conflict := compare(r[a].(string), r[b].(string))
		for _, key := range []string{label, label + " " + kind} {
			total[key]++
			shared[key] += bit(slot)
			found[key] += bit(conflict)
		}
		if conflict != (label == "contradiction") {
			show("%s, found %v: %s | %s", label, conflict, r[a], r[b])
		}
	})
	for _, key := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%s: a shared slot in %s, an incompatible value in %s", key, percent(shared[key], total[key]), percent(found[key], total[key]))
	}
}

// compare reports whether two texts share a slot, and one with incompatible
// values.
func compare(a, b string) (slot, conflict bool) {
	for _, x := range entity.Entities(a) {
		for _, y := range entity.Entities(b) {
			slot = slot || x.Slot() != "" && x.Slot() == y.Slot()
			conflict = conflict || entity.Incompatible(x, y)
		}
	}
	return slot, conflict
}

// measureUpdates states the old and the new value in one plain sentence each.
func measureUpdates(t *testing.T, path string) {
	var total, found int
	each(t, path, func(r map[string]any) {
		say := func(value any) string {
			return fmt.Sprintf("The %v of %v is %v.", r["attribute"], r["subject"], value)
		}
		_, conflict := compare(say(r["old"]), say(r["new"]))
		total++
		found += bit(conflict)
		if !conflict && total%20 == 0 {
			show("update not seen: %s | %s", say(r["old"]), say(r["new"]))
		}
	})
	t.Logf("%s: an incompatible value in %s", filepath.Base(path), percent(found, total))
}
