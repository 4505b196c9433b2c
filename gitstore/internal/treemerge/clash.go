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

// treePath is a file, or a folder with something in it, by its whole path.
type treePath struct {
	path   string
	folder bool
}

// compareTreePaths orders by path as bytes, a file before the folder of its name.
func compareTreePaths(a, b treePath) int {
	if c := strings.Compare(a.path, b.path); c != 0 || a.folder == b.folder {
		return c
	}
	if b.folder {
		return -1
	}
	return 1
}

// clash is a file that has to move. What is at prefix, the file itself or a folder on
// the way to it, clashes with a path that is less as bytes.
type clash struct{ path, prefix string }

// clashes lists the files that have to move because the merge brought together
// names that a checkout cannot hold together: names that differ only in case, and
// files with the path of a folder. If one side has such names already, they stay,
// unless the merge adds another.
//
// Of clashing names, the one that is least as bytes stays. If neither side has both
// names, ours lacks one and theirs lacks the other, or both lack one. Only such names
// are examined, which costs little if nothing clashes.
func (m *Merge) clashes(ctx context.Context) ([]clash, error) {
	f := &clashFinder{m: m, folded: map[string]string{}, names: map[string]map[string][]object.Entry{}}
	newToOurs, err := f.newPaths(ctx, m.ours, func(s sides) item { return s.ours })
	if err != nil {
		return nil, err
	}
	newToTheirs, err := f.newPaths(ctx, m.theirs, func(s sides) item { return s.theirs })
	if err != nil {
		return nil, err
	}
	suspects := map[string]bool{}
	for key, here := range newToOurs {
		there := newToTheirs[key]
		if len(there) == 0 {
			continue
		}
		twins := len(here) > 1 || len(there) > 1 || here[0] != there[0]
		if !twins {
			if twins, err = f.taken(ctx, key); err != nil {
				return nil, err
			}
		}
		if twins {
			suspects[key] = true
		}
	}
	if len(suspects) == 0 {
		return nil, nil
	}
	return f.clashesAt(ctx, suspects)
}

// clashFinder looks for clashes in a merge as it stands.
type clashFinder struct {
	m      *Merge
	folded map[string]string                    // of folders
	names  map[string]map[string][]object.Entry // of trees, by folded name
}

// fold is fold of a whole path; folders are folded once.
func (f *clashFinder) fold(path string) string {
	at := strings.LastIndexByte(path, '/')
	if at < 0 {
		return object.Fold(path)
	}
	folder, known := f.folded[path[:at]]
	if !known {
		folder = f.fold(path[:at])
		f.folded[path[:at]] = folder
	}
	return folder + "/" + object.Fold(path[at+1:])
}

// newPaths is what the outcome has and one side has not, by folded path.
func (f *clashFinder) newPaths(ctx context.Context, side string, of func(sides) item) (map[string][]treePath, error) {
	found := map[string][]treePath{}
	folders := map[string]bool{}
	for path, it := range f.m.result {
		if it.absent() || !of(f.m.sides[path]).absent() {
			continue
		}
		key := f.fold(path)
		found[key] = append(found[key], treePath{path: path})
		for at := strings.LastIndexByte(path, '/'); at > 0 && !folders[path[:at]]; at = strings.LastIndexByte(path[:at], '/') {
			folders[path[:at]] = true
		}
	}
	for folder := range folders {
		_, there, err := f.m.repo.EntryIn(ctx, side, folder, true)
		if err != nil {
			return nil, err
		}
		if !there {
			key := f.fold(folder)
			found[key] = append(found[key], treePath{folder, true})
		}
	}
	return found, nil
}

// taken reports whether ours has anything under a folded path.
func (f *clashFinder) taken(ctx context.Context, key string) (bool, error) {
	trees := []string{f.m.ours}
	found := false
	for segment := range strings.SplitSeq(key, "/") {
		var below []string
		found = false
		for _, tree := range trees {
			names, err := f.namesIn(ctx, tree)
			if err != nil {
				return false, err
			}
			for _, e := range names[segment] {
				found = true
				if e.Folder() {
					below = append(below, e.Hash.String())
				}
			}
		}
		trees = below
	}
	return found, nil
}

func (f *clashFinder) namesIn(ctx context.Context, tree string) (map[string][]object.Entry, error) {
	if names, known := f.names[tree]; known {
		return names, nil
	}
	entries, err := f.m.repo.Tree(ctx, tree)
	if err != nil {
		return nil, err
	}
	names := make(map[string][]object.Entry, len(entries))
	for _, e := range entries {
		key := object.Fold(e.Name)
		names[key] = append(names[key], e)
	}
	f.names[tree] = names
	return names, nil
}

// clashesAt looks through every file of the outcome for clashes at the suspected paths.
func (f *clashFinder) clashesAt(ctx context.Context, suspects map[string]bool) ([]clash, error) {
	files, err := f.m.repo.Files(ctx, f.m.ours, "")
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, file := range files {
		all[file.Path] = true
	}
	for path, it := range f.m.result {
		all[path] = !it.absent()
	}
	groups := map[string]map[treePath][]string{}
	for path, there := range all {
		for at := range len(path) + 1 {
			if !there || at < len(path) && path[at] != '/' {
				continue
			}
			if key := f.fold(path[:at]); suspects[key] {
				if groups[key] == nil {
					groups[key] = map[treePath][]string{}
				}
				p := treePath{path[:at], at < len(path)}
				groups[key][p] = append(groups[key][p], path)
			}
		}
	}
	return decideGroups(groups), nil
}

// decideGroups decides each group of clashing paths, outer folders first: what has
// to leave a folder is no longer in anybody's way inside.
func decideGroups(groups map[string]map[treePath][]string) []clash {
	var list []clash
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
					list = append(list, clash{file, p.path})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b clash) int { return strings.Compare(a.path, b.path) })
	return list
}

// moveAll removes files from the paths at which they clash and returns their new places.
func (m *Merge) moveAll(ctx context.Context, clashes []clash, late bool) ([]placement, error) {
	var moved []placement
	for part := range slices.Chunk(clashes, gitcmd.MaxSpecs) {
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
				moved = append(moved, placement{pathWithHash(l.path, l.prefix, items[i].hash), items[i]})
				continue
			}
			w, err := m.joiner.Move(ctx, l.path, content)
			if err == nil && w.Data == nil {
				err = fmt.Errorf("%s would be lost", l.path)
			}
			if err == nil {
				err = object.CheckPath(w.Path)
			}
			if err != nil {
				return nil, fmt.Errorf("move %s: %w", l.path, err)
			}
			moved = append(moved, placement{w.Path, item{items[i].mode, m.blob(w.Data)}})
		}
	}
	return moved, nil
}
