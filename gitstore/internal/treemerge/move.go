package treemerge

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// loseOnce decides each group of clashing paths, outer folders first: what has
// to leave a folder is no longer in anybody's way inside.
func loseOnce(groups map[string]map[treePath][]string) []loser {
	var list []loser
	gone := map[string]bool{}
	keys := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
	})
	for _, key := range keys {
		group := groups[key]
		for p, files := range group {
			if group[p] = slices.DeleteFunc(files, func(file string) bool { return gone[file] }); len(group[p]) == 0 {
				delete(group, p)
			}
		}
		for i, p := range slices.SortedFunc(maps.Keys(group), compareTreePaths) {
			for _, file := range group[p] {
				if i > 0 {
					gone[file] = true
					list = append(list, loser{file, p.path})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b loser) int { return strings.Compare(a.path, b.path) })
	return list
}

// moveAll takes files away from where they clash and returns where they go.
func (m *Merge) moveAll(ctx context.Context, losers []loser, late bool) ([]placed, error) {
	var moved []placed
	for part := range slices.Chunk(losers, gitcmd.MaxSpecs) {
		items := make([]item, len(part))
		for i, l := range part {
			var err error
			if items[i], err = m.at(ctx, l.path); err != nil {
				return nil, err
			}
		}
		data, err := m.read(ctx, items)
		if err != nil {
			return nil, err
		}
		for i, l := range part {
			m.result[l.path] = item{}
			m.Moved = append(m.Moved, l.path)
			content, readable := data[items[i].hash]
			if !readable || late {
				moved = append(moved, placed{aside(l.path, l.prefix, items[i].hash), items[i]})
				continue
			}
			w, err := m.joiner.Move(l.path, content)
			if err == nil && w.Data == nil {
				err = fmt.Errorf("%s would be lost", l.path)
			}
			if err == nil {
				err = object.CheckPath(w.Path)
			}
			if err != nil {
				return nil, fmt.Errorf("move %s: %w", l.path, err)
			}
			moved = append(moved, placed{w.Path, item{items[i].mode, m.blob(w.Data)}})
		}
	}
	return moved, nil
}
