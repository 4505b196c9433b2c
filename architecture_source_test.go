package engram_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// module is the parsed source of a module, without its tests.
type module struct {
	path     string // as go.mod declares it
	root     string // folder of go.mod
	fset     *token.FileSet
	packages []*sourcePackage // sorted by name
}

// sourcePackage is a folder of Go files.
type sourcePackage struct {
	name  string // path within the module
	files []sourceFile
}

type sourceFile struct {
	name  string
	lines int
	built bool // this platform compiles it when no build tag is given
	ast   *ast.File
}

// isMain reports whether p is a command, which no package can import.
func (p *sourcePackage) isMain() bool { return p.files[0].ast.Name.Name == "main" }

// readModule parses the packages of the module in the folder root.
func readModule(root string) (*module, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	m := &module{path: strings.TrimPrefix(first, "module "), root: root, fset: token.NewFileSet()}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root || entry.IsDir() {
			if err == nil && entry.IsDir() && path != root && ignoredFolder(path) {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		return m.add(path)
	})
	return m, err
}

// ignoredFolder reports whether the module has no package in a folder: because of
// the folder's name, or because it is a module of its own.
func ignoredFolder(path string) bool {
	name := filepath.Base(path)
	if name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// add parses a file into the package of its folder. Files arrive in the order of their paths.
func (m *module) add(path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file := sourceFile{name: filepath.Base(path), lines: bytes.Count(src, []byte("\n"))}
	if file.ast, err = parser.ParseFile(m.fset, path, src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if file.built, err = build.Default.MatchFile(folder, file.name); err != nil {
		return err
	}
	name, err := filepath.Rel(m.root, folder)
	if err != nil {
		return err
	}
	p := m.find(filepath.ToSlash(name))
	if p == nil {
		p = &sourcePackage{name: filepath.ToSlash(name)}
		m.packages = append(m.packages, p)
	}
	p.files = append(p.files, file)
	return nil
}

// find returns the package with that path within the module, or nil.
func (m *module) find(name string) *sourcePackage {
	for _, p := range m.packages {
		if p.name == name {
			return p
		}
	}
	return nil
}

// position is where a message points to: a file within the module and a line.
func (m *module) position(at token.Pos) string {
	p := m.fset.Position(at)
	name, err := filepath.Rel(m.root, p.Filename)
	if err != nil {
		name = p.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(name), p.Line)
}

// readEngram parses this module once for all tests, which only read it.
var readEngram = sync.OnceValues(func() (*module, error) { return readModule(".") })

// engram returns the source of this module.
func engram(t *testing.T) *module {
	t.Helper()
	return orFail(t)(readEngram())
}

// sample returns the small module that breaks every rule.
func sample(t *testing.T) *module {
	t.Helper()
	return orFail(t)(readModule("testdata/architecture"))
}

func orFail(t *testing.T) func(*module, error) *module {
	t.Helper()
	return func(m *module, err error) *module {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// lastElement returns what follows the last slash of a path.
func lastElement(path string) string { return path[strings.LastIndex(path, "/")+1:] }
