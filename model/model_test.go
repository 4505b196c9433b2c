package model_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"engram/model"
	"engram/model/modeltest"
)

// animals is a table in which two words mean the same.
func animals(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "animals")
	if err := modeltest.Static(dir, map[string][]float32{"dog": {1, 0, 0}, "hound": {1, 0, 0}, "cat": {0, 2, 0}, "##s": {0, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStatic(t *testing.T) {
	s, err := model.OpenEmbedderFor(animals(t))
	if err != nil {
		t.Fatal(err)
	}
	if s.Dimensions() != 3 || !s.Instant() || !strings.HasPrefix(s.ID(), "static:") || len(s.ID()) != len("static:")+16 {
		t.Errorf("dimensions %d, instant %v, id %q", s.Dimensions(), s.Instant(), s.ID())
	}
	got := embed(t, s, "Dog", "hounds", "a dog", "dog cat", "zebra", "", strings.Repeat("cat ", 600)+strings.Repeat("dog ", 9000))
	h := float32(1 / math.Sqrt(5))
	want := [][]float32{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {h, 2 * h, 0}, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}}
	for i := range want {
		if !near(got[i], want[i], 1e-6) {
			t.Errorf("text %d: %v, want %v", i, got[i], want[i])
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Embed(ctx, []string{"dog"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if _, err := s.Embed(context.Background(), []string{"dog"}); !errors.Is(err, model.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestStaticWithoutFolder reads a table as it is in an embed.FS: files that are
// no *os.File and have no time.
func TestStaticWithoutFolder(t *testing.T) {
	dir, embedded := animals(t), fstest.MapFS{}
	if err := model.Remember(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors", "engram.json"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		embedded[name] = &fstest.MapFile{Data: b}
	}
	a, err := model.OpenStatic(embedded)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := model.OpenStaticDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if a.ID() != b.ID() || !cmp.Equal(embed(t, a, "dogs cat"), embed(t, b, "dogs cat")) {
		t.Errorf("ids %s and %s", a.ID(), b.ID())
	}
	delete(embedded, "engram.json")
	c, err := model.OpenStatic(embedded)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.ID() != a.ID() {
		t.Errorf("without a record it is %s, with one %s", c.ID(), a.ID())
	}
}

func TestConcurrentUse(t *testing.T) { closeInUse(t, animals(t)) }

// closeInUse closes a model while several goroutines use it.
func closeInUse(t *testing.T, dir string) {
	t.Helper()
	e, err := model.OpenEmbedderFor(dir)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for {
				v, err := e.Embed(context.Background(), []string{"dog", "dog dog"})
				if errors.Is(err, model.ErrClosed) {
					return
				}
				if err != nil || v[0][0] != 1 || v[1][0] != 1 {
					t.Errorf("%v, %v", v, err)
					return
				}
			}
		})
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	group.Wait()
}

func TestDamagedModels(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(dir string) error
		want   string
	}{
		"no config":     {func(dir string) error { return os.Remove(filepath.Join(dir, "config.json")) }, "config.json is missing"},
		"config":        {replace("config.json", "{"), "damaged model: config.json"},
		"config folder": {func(dir string) error { return os.Rename(dir+"/tokenizer.json", dir+"/x") }, "tokenizer.json is missing"},
		"tokenizer":     {replace("tokenizer.json", "no JSON"), "tokenizer.json: damaged model"},
		"no table":      {func(dir string) error { return os.Remove(filepath.Join(dir, "model.safetensors")) }, "model.safetensors is missing"},
		"empty table":   {replace("model.safetensors", ""), "0 bytes are not a safetensors file"},
		"half a table":  {func(dir string) error { return os.Truncate(filepath.Join(dir, "model.safetensors"), 80) }, "damaged model"},
		"larger vocabulary": {func(dir string) error {
			b, err := modeltest.Tokenizer([]string{"[PAD]", "[UNK]", "a", "b", "c", "d", "e"})
			return errors.Join(err, os.WriteFile(filepath.Join(dir, "tokenizer.json"), b, 0o644))
		}, "the vocabulary goes up to 6, but 6 tokens have a vector"},
	} {
		dir := animals(t)
		if err := test.damage(dir); err != nil {
			t.Fatal(err)
		}
		_, err := model.OpenEmbedderFor(dir)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if !errors.Is(err, model.ErrDamaged) && !errors.Is(err, model.ErrNoModel) {
			t.Errorf("%s: %v is neither damaged nor no model", name, err)
		}
	}
}

func replace(name, text string) func(string) error {
	return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) }
}

// TestRowThatIsNoNumber is found when the row is used: reading all of a table
// would take longer than all else that opening does.
func TestRowThatIsNoNumber(t *testing.T) {
	dir := t.TempDir()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	if err := modeltest.Static(dir, map[string][]float32{"good": {1}, "nan": {nan}, "inf": {inf}}); err != nil {
		t.Fatal(err)
	}
	s, err := model.OpenStaticDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	embed(t, s, "good")
	for _, text := range []string{"nan", "good inf"} {
		if _, err := s.Embed(context.Background(), []string{text}); !errors.Is(err, model.ErrDamaged) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, test := range []struct {
		config string
		files  []string
		want   model.Kind
	}{
		{`{"model_type": "model2vec"}`, nil, model.KindStatic},
		{`{"architectures": ["StaticModel"]}`, nil, model.KindStatic},
		{`{"architectures": ["BertModel"]}`, []string{"model.onnx"}, model.KindEmbedder},
		{`{}`, []string{"onnx/model.onnx"}, model.KindEmbedder},
		{`{"architectures": ["BertForSequenceClassification"]}`, []string{"model.onnx"}, model.KindNLI},
		{`{"architectures": ["RobertaForSequenceClassification"], "model_type": "roberta"}`, []string{"onnx/model.onnx"}, model.KindNLI},
		{`{"architectures": ["BertForTokenClassification"]}`, []string{"model.onnx"}, model.KindTagger},
		{`{"architectures": ["BertModel"]}`, nil, ""},
	} {
		dir := t.TempDir()
		for _, name := range append(test.files, "config.json") {
			path := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(test.config), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := model.KindOf(dir); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s with %v: %q, %v; want %q", test.config, test.files, got, err, test.want)
		}
	}
	if _, err := model.KindOf(t.TempDir()); !errors.Is(err, model.ErrNoModel) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestID changes with what a model says, and with nothing else.
func TestID(t *testing.T) {
	dir := animals(t)
	id := func() string {
		t.Helper()
		s, err := model.OpenStaticDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return errorOr(s.ID(), s.Close())
	}
	record := filepath.Join(dir, "engram.json")
	first := id()
	if _, err := os.Stat(record); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening made a record: %v", err)
	}
	if err := model.Remember(dir); err != nil {
		t.Fatal(err)
	}
	settle(t, dir)
	for _, step := range []string{"written anew", "from the record"} {
		if got := id(); got != first {
			t.Errorf("%s: %s, at first %s", step, got, first)
		}
	}
	before, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if got := id(); got != first {
		t.Error(got)
	}
	if after, _ := os.ReadFile(record); string(after) != string(before) {
		t.Error("a record that counts was written anew")
	}
	if err := replace("engram.json", "no JSON")(dir); err != nil {
		t.Fatal(err)
	}
	if got := id(); got != first {
		t.Errorf("with a damaged record: %s", got)
	}
	table := filepath.Join(dir, "model.safetensors")
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	if err := replace("model.safetensors", string(b))(dir); err != nil { // the same size
		t.Fatal(err)
	}
	second := id()
	if second == first {
		t.Error("another table has the same id")
	}
	settle(t, dir)
	if got := id(); got != second {
		t.Errorf("%s, then %s", second, got)
	}
}

// TestIDWithinTheClocksResolution changes a file without a trace in its size
// and time, right after it was recorded.
func TestIDWithinTheClocksResolution(t *testing.T) {
	dir := animals(t)
	s, err := model.OpenStaticDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	first := errorOr(s.ID(), s.Close())
	if err := model.Remember(dir); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(dir, "model.safetensors")
	info, err := os.Stat(table)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	if err := errors.Join(os.WriteFile(table, b, 0o644), os.Chtimes(table, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	if s, err = model.OpenStaticDir(dir); err != nil {
		t.Fatal(err)
	}
	if errorOr(s.ID(), s.Close()) == first {
		t.Error("the change was not seen")
	}
}

func errorOr(s string, err error) string {
	if err != nil {
		return fmt.Sprint(err)
	}
	return s
}

// settle makes a model's files old enough for their record to count.
func settle(t testing.TB, dir string) {
	t.Helper()
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
}

func TestResolve(t *testing.T) {
	dir := animals(t)
	cache := &model.Cache{Dir: t.TempDir()}
	if got, err := model.Resolve(cache, dir); err != nil || got != dir {
		t.Errorf("a folder: %s, %v", got, err)
	}
	for _, value := range []string{"", model.Off} {
		if got, err := model.Resolve(cache, value); got != "" || err != nil {
			t.Errorf("%q: %s, %v", value, got, err)
		}
	}
	var missing *model.NotInstalledError
	if _, err := model.Resolve(cache, model.DefaultName); !errors.As(err, &missing) || !strings.Contains(missing.Hint(), "engram model pull "+model.DefaultName) {
		t.Errorf("not installed: %v", err)
	}
	var unknown *model.UnknownError
	if _, err := model.Resolve(cache, "nonsense"); !errors.As(err, &unknown) || unknown.Hint() == "" {
		t.Errorf("unknown: %v", err)
	}
}

func TestCatalogueIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range model.Catalogue() {
		if seen[e.Name] || e.Licence == "" || e.Note == "" || e.Task == "" || len(e.Revision) != 40 || len(e.Files) < 3 || e.Size() < 1<<20 {
			t.Errorf("%+v", e)
		}
		seen[e.Name] = true
		for _, f := range e.Files {
			if len(f.SHA256) != 64 || f.Size < 1 || !filepath.IsLocal(filepath.FromSlash(f.Path)) {
				t.Errorf("%s: %+v", e.Name, f)
			}
		}
	}
	if model.Catalogue()[0].Name != model.DefaultName {
		t.Error("the default is not the first")
	}
}

// Whoever asks for the interface gets nil where there is no model, and not a
// nil pointer in it.
func TestOpenEmbedderForGivesNilBesideAnError(t *testing.T) {
	dir := t.TempDir()
	if err := modeltest.Static(dir, map[string][]float32{"a": {1, 0}, "b": {0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors"), []byte("short"), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err := model.OpenEmbedderFor(dir); err == nil || m != nil {
		t.Errorf("%v, %v", m, err)
	}
}
