package index

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
)

// history is the set of all states of one key, whatever the order in which they
// became known.
type history struct {
	key  facts.Key
	tip  string            // the blob that stands on the branch, "" for none
	data map[string][]byte // content by blob; nil where it is still to be read
}

func newHistory(key facts.Key) *history {
	return &history{key: key, data: make(map[string][]byte)}
}

func (h *history) add(blob string, tip bool) {
	if _, known := h.data[blob]; !known {
		h.data[blob] = nil
	}
	if tip {
		h.tip = blob
	}
}

// apply adds the states that came between two revisions. Where none of them is
// said to stand at the end, and the file is not said to be gone, what stood
// there still does.
func (h *history) apply(states []State) {
	for _, s := range states {
		if s.Blob == "" {
			h.tip = ""
		}
	}
	for _, s := range states {
		if s.Blob != "" {
			h.add(s.Blob, s.Tip)
		}
		if s.Blob != "" && s.Data != nil {
			h.data[s.Blob] = s.Data
		}
	}
}

// read parses all states. skipped are the blobs that are no fact of this key.
func (h *history) read(ctx context.Context, src Source, concepts func(string) []string) (versions []version, skipped map[string]bool, err error) {
	blobs := make([]string, 0, len(h.data))
	for blob := range h.data {
		blobs = append(blobs, blob)
	}
	slices.SortFunc(blobs, strings.Compare)
	skipped = make(map[string]bool)
	var parsed []facts.Fact
	var names []string
	tip := -1
	for _, blob := range blobs {
		data := h.data[blob]
		if data == nil {
			if data, err = src.Read(ctx, blob); err != nil {
				return nil, nil, fmt.Errorf("read %s of %s: %w", blob, h.key, &sourceError{err})
			}
		}
		f, err := facts.ParseAt(h.key, data)
		if err != nil {
			skipped[blob] = true
			continue
		}
		if blob == h.tip {
			tip = len(parsed)
		}
		parsed, names = append(parsed, f), append(names, blob)
	}
	for i, window := range facts.Timeline(parsed, tip) {
		named := concepts(parsed[i].Claim)
		id := docID{Key: h.key.String(), Blob: names[i], Window: window, Tip: i == tip, Planned: parsed[i].Planned(), traits: traitsOf(parsed[i], named)}
		versions = append(versions, version{parsed[i], id, named})
	}
	return versions, skipped, nil
}
