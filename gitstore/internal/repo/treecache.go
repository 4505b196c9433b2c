package repo

import (
	"sync"

	"engram/gitstore/internal/object"
)

// treeCache keeps the trees that the next commit most likely builds on. The
// entries in it are never changed.
type treeCache struct {
	mu      sync.Mutex
	trees   map[string][]object.Entry
	entries int

	roots map[string]string // the trees of revisions that were looked into
}

// maxCachedEntries bounds the cache to some 20 MB.
const maxCachedEntries = 200_000

func (c *treeCache) get(name string) ([]object.Entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, ok := c.trees[name]
	return entries, ok
}

func (c *treeCache) add(name string, entries []object.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.trees[name]; known || len(entries) >= maxCachedEntries {
		return
	}
	// What no commit replaced for so long is rarely wanted; starting over is
	// the cheapest way to be rid of it and costs a few reads.
	if c.trees == nil || c.entries+len(entries)+1 > maxCachedEntries {
		c.trees, c.entries = make(map[string][]object.Entry), 0
	}
	c.trees[name] = entries
	c.entries += len(entries) + 1
}

// replace adds a tree and drops the one that it was made of.
func (c *treeCache) replace(old, name string, entries []object.Entry) {
	c.mu.Lock()
	if dropped, known := c.trees[old]; known && old != name {
		delete(c.trees, old)
		c.entries -= len(dropped) + 1
	}
	c.mu.Unlock()
	c.add(name, entries)
}

func (c *treeCache) root(revision string) (tree string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tree, ok = c.roots[revision]
	return tree, ok
}

// maxRoots is how many revisions are kept: evidence names many.
const maxRoots = 1000

func (c *treeCache) setRoot(revision, tree string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.roots == nil || len(c.roots) == maxRoots {
		c.roots = make(map[string]string)
	}
	c.roots[revision] = tree
}
