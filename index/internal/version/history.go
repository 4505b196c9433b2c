package version

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
)

// History is the set of all states of one key, whatever the order in which they
// became known.
type History struct {
	Key  facts.Key
	tip  string            // the blob that stands on the branch, "" for none
	Data map[string][]byte // content by blob; nil if it was not read yet
}

// NewHistory returns the empty history of a key.
func NewHistory(key facts.Key) *History {
	return &History{Key: key, Data: make(map[string][]byte)}
}

// Add adds a state, and says whether it stands on the branch.
func (h *History) Add(blob string, tip bool) {
	if _, known := h.Data[blob]; !known {
		h.Data[blob] = nil
	}
	if tip {
		h.tip = blob
	}
}

// Apply adds the states that came between two revisions. If none of them stands at the end
// and the file is not gone, the state that stood before still does.
func (h *History) Apply(states []State) {
	for _, s := range states {
		if s.Blob == "" {
			h.tip = ""
		}
	}
	for _, s := range states {
		if s.Blob != "" {
			h.Add(s.Blob, s.Tip)
		}
		if s.Blob != "" && s.Data != nil {
			h.Data[s.Blob] = s.Data
		}
	}
}

// Read parses all states and gives each its window. skipped are the blobs that do not
// parse as a fact of this key.
func (h *History) Read(ctx context.Context, src Source, concepts func(string) []string) (versions []Version, skipped map[string]bool, err error) {
	blobs := make([]string, 0, len(h.Data))
	for blob := range h.Data {
		blobs = append(blobs, blob)
	}
	slices.SortFunc(blobs, strings.Compare)
	skipped = make(map[string]bool)
	var parsed []facts.Fact
	var names []string
	tip := -1
	for _, blob := range blobs {
		data := h.Data[blob]
		if data == nil {
			if data, err = src.Read(ctx, blob); err != nil {
				return nil, nil, fmt.Errorf("read %s of %s: %w", blob, h.Key, &SourceError{Err: err})
			}
		}
		f, err := facts.ParseAt(h.Key, data)
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
		id := ID{Key: h.Key.String(), Blob: names[i], Window: window, Tip: i == tip, Planned: parsed[i].Planned(), Traits: traitsOf(parsed[i], named)}
		versions = append(versions, Version{parsed[i], id, named})
	}
	return versions, skipped, nil
}
