package engram_test

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// program is a module as the type checker sees it on this platform, without
// build tags and without tests.
type program struct {
	packages []*checkedPackage
	imported []*types.Package // from outside of the module
}

type checkedPackage struct {
	source *sourcePackage
	files  []*ast.File // those that are built
	types  *types.Package
	info   *types.Info
}

// alwaysImported lists packages with interfaces that others satisfy without importing them.
var alwaysImported = []string{"encoding", "encoding/json", "errors", "fmt", "flag", "io", "sort"}

// checkTypes runs the type checker over the packages of m. What they import from
// elsewhere comes from the build cache, where the go command puts it if it is missing.
func checkTypes(t *testing.T, m *module) *program {
	t.Helper()
	c := &typeChecker{module: m, done: make(map[string]*checkedPackage)}
	outside, err := c.outside()
	if err != nil {
		t.Fatal(err)
	}
	exports, err := exportData(m.root, outside)
	if err != nil {
		t.Fatal(err)
	}
	c.dependencies = importer.ForCompiler(m.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	p := &program{}
	for _, source := range m.packages {
		if _, err := c.Import(m.path + "/" + source.name); err != nil {
			t.Fatal(err)
		}
		p.packages = append(p.packages, c.done[source.name])
	}
	for _, path := range outside {
		pkg, err := c.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		p.imported = append(p.imported, pkg)
	}
	return p
}

// typeChecker is a types.Importer that checks packages of its module from source.
type typeChecker struct {
	module       *module
	dependencies types.Importer
	done         map[string]*checkedPackage // by path within the module
}

// Import implements types.Importer.
func (c *typeChecker) Import(path string) (*types.Package, error) {
	name, own := strings.CutPrefix(path, c.module.path+"/")
	if !own {
		return c.dependencies.Import(path)
	}
	if done, ok := c.done[name]; ok {
		return done.types, nil
	}
	source := c.module.find(name)
	if source == nil {
		return nil, fmt.Errorf("there is no package %s", path)
	}
	checked := &checkedPackage{source: source, files: source.builtFiles(), info: &types.Info{
		Defs:  make(map[*ast.Ident]types.Object),
		Uses:  make(map[*ast.Ident]types.Object),
		Types: make(map[ast.Expr]types.TypeAndValue),
	}}
	config := types.Config{Importer: c}
	var err error
	if checked.types, err = config.Check(path, c.module.fset, checked.files, checked.info); err != nil {
		return nil, err
	}
	c.done[name] = checked
	return checked.types, nil
}

// outside returns the packages that the built files import from outside of the module.
func (c *typeChecker) outside() ([]string, error) {
	paths := slices.Clone(alwaysImported)
	for _, p := range c.module.packages {
		for _, file := range p.builtFiles() {
			for _, imported := range file.Imports {
				path := strings.Trim(imported.Path.Value, `"`)
				if path == "C" {
					return nil, fmt.Errorf("package %s uses cgo, which this check cannot read", p.name)
				}
				if !strings.HasPrefix(path, c.module.path+"/") {
					paths = append(paths, path)
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

func (p *sourcePackage) builtFiles() []*ast.File {
	var files []*ast.File
	for _, file := range p.files {
		if file.built {
			files = append(files, file.ast)
		}
	}
	return files
}

// exportData returns the files with the compiled declarations of packages.
func exportData(root string, paths []string) (map[string]string, error) {
	list := exec.Command("go", append([]string{"list", "-export", "-f", "{{.ImportPath}}={{.Export}}"}, paths...)...)
	list.Dir = root
	var problems strings.Builder
	list.Stderr = &problems
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w: %s", err, problems.String())
	}
	files := make(map[string]string)
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		path, file, _ := strings.Cut(lines.Text(), "=")
		files[path] = file
	}
	return files, nil
}
