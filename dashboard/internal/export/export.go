// Package export writes the dashboard as files that any web server, or a browser alone, can show.
package export

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// Marker is a file of every copy. A folder without it is not overwritten.
const Marker = ".engram-copy"

// ErrFolder reports a folder that a copy must not replace.
var ErrFolder = errors.New("nothing was exported")

// Input says what to write and where.
type Input struct {
	Site   *site.Site
	Memory *memory.Memory
	Dir    string
	Agent  string // the reader whose permissions hold; "" is a person
	// Progress is told how far it is; nil for nobody.
	Progress func(done, total int)
}

// Result says what was written.
type Result struct {
	Revision string
	Pages    int
	Facts    int // in every state
	Bytes    int64
	Withheld int // facts that the reader may not read
	// Moved: the memory moved meanwhile, so that pages may show different revisions.
	Moved bool
}

// copier writes one copy.
type copier struct {
	Input
	into string   // the folder that becomes Dir
	todo []string // the pages of the facts

	mu    sync.Mutex
	seen  map[string]bool // addresses below Root
	bytes int64
}

// Run writes a copy. Dir has the former copy, or nothing, until all is written.
func Run(ctx context.Context, in Input) (Result, error) {
	dir, err := filepath.Abs(in.Dir)
	if err != nil {
		return Result{}, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil { // the link stays
		dir = real
	}
	in.Dir = dir
	if err := checkDir(dir); err != nil {
		return Result{}, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return Result{}, err
	}
	into, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = os.RemoveAll(into) }() // renamed if all went well
	c := &copier{Input: in, into: into, seen: make(map[string]bool)}
	result, err := c.run(ctx)
	if err != nil {
		return Result{}, err
	}
	return result, replace(into, dir)
}

func (c *copier) run(ctx context.Context) (Result, error) {
	result, err := c.writeSearch(ctx)
	if err != nil {
		return result, err
	}
	next := append(c.Site.Copied(), c.todo...)
	for _, path := range next {
		c.seen[path] = true
	}
	for len(next) > 0 {
		if next, err = c.pages(ctx, next, &result); err != nil {
			return result, err
		}
	}
	if err := c.write(".nojekyll", nil); err != nil { // a pages host serves the files as they are
		return result, err
	}
	status, err := c.Memory.Status(ctx, memory.StatusInput{})
	result.Bytes, result.Moved = c.bytes, status.Revision != result.Revision
	return result, errors.Join(err, c.write(Marker, []byte("A copy of engram's dashboard, at revision "+result.Revision+". \"engram dashboard --export\" replaces this folder.\n")))
}

// pages writes pages beside each other, and returns those that they lead to.
func (c *copier) pages(ctx context.Context, paths []string, result *Result) (found []string, err error) {
	var wg sync.WaitGroup
	todo, done := make(chan string), 0
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for path := range todo {
				links, problem := c.page(ctx, path)
				c.mu.Lock()
				err = errors.Join(err, problem)
				found = append(found, links...)
				done++
				if c.Progress != nil {
					c.Progress(result.Pages+done, max(len(c.seen), result.Facts))
				}
				c.mu.Unlock()
			}
		})
	}
	for _, path := range paths {
		c.mu.Lock()
		failed := err != nil
		c.mu.Unlock()
		if failed {
			break
		}
		todo <- path
	}
	close(todo)
	wg.Wait()
	result.Pages += done
	return found, err
}

var linkRE = regexp.MustCompile(` (href|src)="([^"]*)"`)

// page writes one page with its links changed to files, and returns the addresses that it is the first
// to lead to.
func (c *copier) page(ctx context.Context, path string) (found []string, err error) {
	body, err := c.Site.Copy(ctx, path, c.Agent)
	if err != nil {
		return nil, err
	}
	here, err := url.Parse(site.Root + path)
	if err != nil {
		return nil, err
	}
	file := placeOf(here).file
	if strings.HasPrefix(file, "static/") {
		return nil, c.write(file, body)
	}
	up := strings.Repeat("../", strings.Count(file, "/"))
	text := linkRE.ReplaceAllStringFunc(string(body), func(attribute string) string {
		name, value, _ := strings.Cut(strings.TrimSuffix(attribute[1:], `"`), `="`)
		link, err := here.Parse(html.UnescapeString(value))
		if err != nil || strings.HasPrefix(value, "#") {
			return attribute
		}
		to := placeOf(link)
		if to.file == "" {
			return "" // there is nothing to lead to
		}
		c.mu.Lock()
		if !c.seen[to.page] {
			c.seen[to.page], found = true, append(found, to.page)
		}
		c.mu.Unlock()
		return " " + name + `="` + up + to.file + html.EscapeString(to.fragment) + `"`
	})
	return found, c.write(file, []byte(text))
}

// write writes a file of the copy.
func (c *copier) write(name string, data []byte) error {
	at := filepath.Join(c.into, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return err
	}
	c.mu.Lock()
	c.bytes += int64(len(data))
	c.mu.Unlock()
	return os.WriteFile(at, data, 0o666)
}

// checkDir refuses a folder that has something else than a copy.
func checkDir(dir string) error {
	if strings.Contains(filepath.ToSlash(dir)+"/", "/.git/") {
		return refuse(dir, "is inside a .git folder")
	}
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(list) == 0:
		return nil
	case err != nil:
		return refuse(dir, "is no folder that can be read: "+err.Error())
	}
	if _, err := os.Stat(filepath.Join(dir, Marker)); err != nil {
		return refuse(dir, "has other files, which an export would remove")
	}
	return nil
}

func refuse(dir, why string) error { return fmt.Errorf("%w: %s %s", ErrFolder, dir, why) }

// replace puts a folder in the place of another.
func replace(into, dir string) error {
	if err := os.Chmod(into, 0o755); err != nil { // os.MkdirTemp lets nobody else in
		return err
	}
	old := into + ".old"
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(into, dir); err != nil {
		_ = os.Rename(old, dir)
		return err
	}
	_ = os.RemoveAll(old) // the copy is in its place
	return nil
}
