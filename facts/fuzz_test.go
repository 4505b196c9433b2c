package facts_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"engram/facts"
)

// FuzzParse: nothing panics; the fast reader agrees with the reference; what
// parses is stable. The seeds are in testdata/fuzz.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= facts.MaxFile {
			checkReadersAgree(t, b)
		}
		checkStable(t, b)
		if m, err := facts.ParseManifest(b); err == nil && m.Format != facts.FormatVersion {
			t.Fatalf("the manifest has format %d", m.Format)
		}
	})
}

// FuzzKey: nothing panics, a key is written as it was read, and its path stays
// below the root of the branch.
func FuzzKey(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		facts.Manifest{}.SuggestKey(text)
		k, err := facts.ParseKey(text)
		if err != nil {
			return
		}
		checkKey(t, text, k)
		if !filepath.IsLocal(k.Path()) || filepath.Clean(k.Path()) != k.Path() {
			t.Errorf("the path is %q", k.Path())
		}
	})
}

// FuzzPointer: nothing panics, and what is taken holds checkAddress.
func FuzzPointer(f *testing.F) {
	f.Fuzz(func(t *testing.T, ref string) {
		if a, err := facts.ParseRef(ref); err == nil {
			checkAddress(t, a)
		}
	})
}

func TestFuzzTargetsHaveSeeds(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	targets := 0
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range tree.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
				continue
			}
			targets++
			if seeds, _ := os.ReadDir(filepath.Join("testdata", "fuzz", fn.Name.Name)); len(seeds) == 0 {
				t.Errorf("%s has no seeds in testdata/fuzz", fn.Name.Name)
			}
		}
	}
	if targets < 3 {
		t.Errorf("found %d fuzz targets", targets)
	}
}

// FuzzTTL: nothing panics; a period is written as it is read, and never ends before it begins.
func FuzzTTL(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if moment, err := facts.ParseTime(s); err == nil && (moment.Year() < 1899 || moment.Year() > 10000) {
			t.Fatalf("%q is %s", s, moment)
		}
		p, err := facts.ParseTTL(s)
		if err != nil {
			return
		}
		if again, err := facts.ParseTTL(p.String()); err != nil || again != p {
			t.Fatalf("%q is %+v, and %s is %+v, %v", s, p, p, again, err)
		}
		if now := time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC); !p.After(now).After(now) {
			t.Fatalf("%q ends before it begins", s)
		}
	})
}
