package model_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/model"
)

// hub is a server of one model's files that can be made to misbehave.
type hub struct {
	*httptest.Server
	files    map[string][]byte
	requests atomic.Int32
	served   atomic.Int64
	override http.HandlerFunc // for model.safetensors, until it is nil
}

// newHub serves the tiny table and returns an empty cache that fetches from it.
func newHub(t *testing.T) (*hub, *model.Cache) {
	t.Helper()
	h := &hub{files: map[string][]byte{}}
	entry := model.Entry{Name: "animals", Kind: model.KindStatic, Repository: "owner/Animals", Revision: "0123456789abcdef0123456789abcdef01234567"}
	source := animals(t)
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors"} {
		b, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256(b)
		entry.Files = append(entry.Files, model.File{Path: name, Size: int64(len(b)), SHA256: hex.EncodeToString(digest[:])})
		h.files["/owner/Animals/resolve/"+entry.Revision+"/"+name] = b
	}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h, &model.Cache{Dir: filepath.Join(t.TempDir(), "models"), Models: []model.Entry{entry}, Base: h.URL + "/"}
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.requests.Add(1)
	b, ok := h.files[r.URL.Path]
	switch {
	case !ok:
		http.NotFound(w, r)
	case h.override != nil && strings.HasSuffix(r.URL.Path, "model.safetensors"):
		h.override(w, r)
	default:
		counted := &countingWriter{ResponseWriter: w, n: &h.served}
		http.ServeContent(counted, r, "", time.Time{}, bytes.NewReader(b))
	}
}

type countingWriter struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return c.ResponseWriter.Write(b)
}

func mustPull(t *testing.T, c *model.Cache) {
	t.Helper()
	if err := c.Pull(context.Background(), "animals", nil); err != nil {
		t.Fatal(err)
	}
	checks, err := c.Verify("animals")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		if check.Problem != "" {
			t.Errorf("%s: %s", check.Path, check.Problem)
		}
	}
	dir, err := model.Resolve(c, "animals")
	if err != nil {
		t.Fatal(err)
	}
	e, err := model.OpenEmbedderFor(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	embed(t, e, "dog")
	if parts, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(parts) > 0 {
		t.Errorf("left behind: %v", parts)
	}
}

func (h *hub) table(c *model.Cache) (part string, content []byte) {
	e := c.Models[0]
	return filepath.Join(c.Dir, "animals", "model.safetensors.part"), h.files["/owner/Animals/resolve/"+e.Revision+"/model.safetensors"]
}

func TestPull(t *testing.T) {
	h, c := newHub(t)
	if c.Installed("animals") || c.List()[0].Installed || c.List()[0].Fetched != 0 {
		t.Error("an empty cache has it")
	}
	if _, err := c.Verify("animals"); !errors.As(err, new(*model.NotInstalledError)) {
		t.Errorf("verify: %v", err)
	}
	last := map[string]int64{}
	if err := c.Pull(context.Background(), "animals", func(file string, done, total int64) {
		if done < last[file] || done > total {
			t.Errorf("%s: %d of %d after %d", file, done, total, last[file])
		}
		last[file] = done
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{}
	for _, f := range c.Models[0].Files {
		want[f.Path] = f.Size
	}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if item := c.List()[0]; !item.Installed || item.Fetched != item.Size() {
		t.Errorf("%+v", item)
	}
	before := h.requests.Load()
	mustPull(t, c)
	if h.requests.Load() != before {
		t.Error("what was there was fetched again")
	}
}

func TestPullContinues(t *testing.T) {
	h, c := newHub(t)
	part, table := h.table(c)
	h.override = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(table)))
		w.Write(table[:60])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler) // the connection breaks
	}
	err := c.Pull(context.Background(), "animals", nil)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("interrupted after 60 of %d bytes; pull again to continue", len(table))) {
		t.Errorf("interrupted: %v", err)
	}
	if info, err := os.Stat(part); err != nil || info.Size() != 60 {
		t.Fatalf("the part: %v, %v", info, err)
	}
	if item := c.List()[0]; item.Installed || item.Fetched == 0 || item.Fetched >= item.Size() {
		t.Errorf("half of it: %+v", item)
	}
	h.override = nil
	h.served.Store(0)
	mustPull(t, c)
	if got, want := h.served.Load(), int64(len(table)-60); got != want {
		t.Errorf("%d bytes fetched to continue, want %d", got, want)
	}
}

func TestPullWithoutRanges(t *testing.T) {
	h, c := newHub(t)
	part, table := h.table(c)
	h.override = func(w http.ResponseWriter, _ *http.Request) { w.Write(table) }
	writePart(t, part, []byte("something else"))
	mustPull(t, c)
}

func TestPullStartsAgain(t *testing.T) {
	for name, content := range map[string]func(table []byte) []byte{
		"a part that is too long": func(table []byte) []byte { return append(append([]byte{}, table...), 1) },
		"a part that is all":      func(table []byte) []byte { return table },
	} {
		t.Run(name, func(t *testing.T) {
			h, c := newHub(t)
			part, table := h.table(c)
			writePart(t, part, content(table))
			mustPull(t, c)
		})
	}
}

func writePart(t *testing.T, part string, b []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(part), 0o755), os.WriteFile(part, b, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestPullRefuses whatever is not the file of the catalogue, and keeps none of
// it where continuing would lead nowhere.
func TestPullRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		serve func(w http.ResponseWriter, table []byte)
		part  string // what is there already
		want  string
		keeps bool
	}{
		"wrong bytes":  {func(w http.ResponseWriter, table []byte) { w.Write(bytes.Repeat([]byte{7}, len(table))) }, "", "its SHA-256 is", false},
		"a wrong part": {func(w http.ResponseWriter, table []byte) { partial(w, table, 3) }, "bad", "its SHA-256 is", false},
		"too long":     {func(w http.ResponseWriter, table []byte) { w.Write(append(table[:len(table):len(table)], 1)) }, "", "the server has", false},
		"too long, not said": {func(w http.ResponseWriter, table []byte) {
			w.(http.Flusher).Flush()
			w.Write(append(table[:len(table):len(table)], 1))
		}, "", "server sent more than", false},
		"too short":             {func(w http.ResponseWriter, table []byte) { w.Write(table[:50]) }, "", "interrupted after 50", true},
		"another range":         {func(w http.ResponseWriter, table []byte) { partial(w, table, 5) }, "abc", "has another size", false},
		"range not satisfiable": {func(w http.ResponseWriter, _ []byte) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) }, "abc", "has another size", false},
		"404":                   {func(w http.ResponseWriter, _ []byte) { w.WriteHeader(http.StatusNotFound) }, "", "/model.safetensors: 404 Not Found", true},
		"503":                   {func(w http.ResponseWriter, _ []byte) { w.WriteHeader(http.StatusServiceUnavailable) }, "", "503 Service Unavailable", true},
	} {
		t.Run(name, func(t *testing.T) {
			h, c := newHub(t)
			part, table := h.table(c)
			h.override = func(w http.ResponseWriter, _ *http.Request) { test.serve(w, table) }
			if test.part != "" {
				writePart(t, part, []byte(test.part))
			}
			err := c.Pull(context.Background(), "animals", nil)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "fetch model.safetensors of animals") {
				t.Errorf("%v, want %q", err, test.want)
			}
			if _, err := os.Stat(part); (err == nil) != test.keeps {
				t.Errorf("the part: %v, kept: want %v", err, test.keeps)
			}
			if c.Installed("animals") {
				t.Error("it counts as installed")
			}
			h.override = nil
			mustPull(t, c)
		})
	}
}

// partial answers a request for a range, whatever range that was.
func partial(w http.ResponseWriter, table []byte, from int) {
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(table)-1, len(table)))
	w.WriteHeader(http.StatusPartialContent)
	w.Write(table[from:])
}

func TestPullCancelled(t *testing.T) {
	h, c := newHub(t)
	ctx, cancel := context.WithCancel(context.Background())
	part, table := h.table(c)
	h.override = func(w http.ResponseWriter, r *http.Request) {
		w.Write(table[:40])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	err := c.Pull(ctx, "animals", func(file string, done, _ int64) {
		if file == "model.safetensors" && done >= 40 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if info, err := os.Stat(part); err != nil || info.Size() != 40 {
		t.Errorf("the part: %v, %v", info, err)
	}
	h.override = nil
	mustPull(t, c)
}

func TestPullStalls(t *testing.T) {
	h, c := newHub(t)
	_, table := h.table(c)
	h.override = func(w http.ResponseWriter, r *http.Request) {
		w.Write(table[:40])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	c.Patience = 200 * time.Millisecond
	err := c.Pull(context.Background(), "animals", nil)
	if err == nil || !strings.Contains(err.Error(), "interrupted after 40 of") || !strings.Contains(err.Error(), "the server sent nothing for 200ms") {
		t.Errorf("%v", err)
	}
}

func TestPullUnreachable(t *testing.T) {
	h, c := newHub(t)
	h.Close()
	if err := c.Pull(context.Background(), "animals", nil); err == nil || !strings.Contains(err.Error(), "fetch config.json of animals") {
		t.Errorf("%v", err)
	}
	if err := c.Pull(context.Background(), "../animals", nil); !errors.As(err, new(*model.UnknownError)) {
		t.Errorf("%v", err)
	}
}

func TestVerify(t *testing.T) {
	_, c := newHub(t)
	mustPull(t, c)
	dir, err := c.Path("animals")
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	changed := append([]byte(" "), config[:len(config)-1]...)
	err = errors.Join(os.WriteFile(filepath.Join(dir, "config.json"), changed, 0o644), os.Remove(filepath.Join(dir, "tokenizer.json")),
		os.Truncate(filepath.Join(dir, "model.safetensors"), 9))
	if err != nil {
		t.Fatal(err)
	}
	checks, err := c.Verify("animals")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"SHA-256 ", "missing", "9 bytes, should be "} {
		if !strings.HasPrefix(checks[i].Problem, want) {
			t.Errorf("%+v, want %q", checks[i], want)
		}
	}
	mustPull(t, c) // which mends it
}

func TestRemove(t *testing.T) {
	_, c := newHub(t)
	if was, err := c.Remove("animals"); was || err != nil {
		t.Errorf("no cache: %v, %v", was, err)
	}
	mustPull(t, c)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.Mkdir(outside, 0o755), os.WriteFile(filepath.Join(outside, "f"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	link := os.Symlink(outside, filepath.Join(c.Dir, "animals", "link"))
	if was, err := c.Remove("animals"); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	if was, err := c.Remove("animals"); was || err != nil {
		t.Errorf("again: %v, %v", was, err)
	}
	if link == nil {
		if _, err := os.Stat(filepath.Join(outside, "f")); err != nil {
			t.Errorf("a file outside was removed: %v", err)
		}
		if err := os.Symlink(outside, filepath.Join(c.Dir, "animals")); err != nil {
			t.Fatal(err)
		}
		if was, err := c.Remove("animals"); !was || err != nil {
			t.Errorf("a link: %v, %v", was, err)
		}
		if _, err := os.Stat(filepath.Join(outside, "f")); err != nil {
			t.Errorf("a file outside was removed: %v", err)
		}
	}
	for _, name := range []string{"", ".", "..", "../models", outside} {
		if _, err := c.Remove(name); !errors.As(err, new(*model.UnknownError)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestNewCache(t *testing.T) {
	dir := t.TempDir()
	c, err := model.NewCache(func(name string) string { return map[string]string{"ENGRAM_MODELS": dir}[name] })
	if err != nil || c.Dir != dir {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", "")
	if c, err = model.NewCache(func(string) string { return "" }); err != nil || !strings.HasSuffix(filepath.ToSlash(c.Dir), "/engram/models") {
		t.Errorf("%+v, %v", c, err)
	}
}
