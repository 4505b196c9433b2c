package engram_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A package holds one idea: one person can read it whole.
const (
	maxLines = 5000 // of a package, without tests
	maxKnot  = 15   // files of a package that use each other in a circle
)

// TestPackagesAreSmall limits the lines of a package.
func TestPackagesAreSmall(t *testing.T) {
	for _, p := range engram(t).packages {
		if lines := p.lines(); lines > maxLines {
			t.Errorf("package %s has %d lines without tests, more than %d; split it by idea: move a group of files that share a purpose to a package of their own", p.name, lines, maxLines)
		}
	}
}

// TestFilesStandInLayers limits how many files of a package use each other in a circle.
func TestFilesStandInLayers(t *testing.T) {
	for _, p := range engram(t).packages {
		if knot := p.largestKnot(); len(knot) > maxKnot {
			t.Errorf("%d files of package %s use each other in a circle, more than %d; split the package by idea, or move what two files share to a third that uses neither: %s",
				len(knot), p.name, maxKnot, strings.Join(knot, ", "))
		}
	}
}

func TestLargestKnot(t *testing.T) {
	p := sample(t).find("circle")
	if diff := cmp.Diff([]string{"even.go", "odd.go"}, p.largestKnot()); diff != "" {
		t.Errorf("files that use each other (-want +got):\n%s", diff)
	}
	if knot := sample(t).find("layers").largestKnot(); len(knot) != 0 {
		t.Errorf("files in layers are taken for a knot: %v", knot)
	}
}

func TestLines(t *testing.T) {
	if got := sample(t).find("circle").lines(); got != 27 {
		t.Errorf("package circle has %d lines without tests, want 27", got)
	}
}

// lines counts the lines of the package without its tests.
func (p *sourcePackage) lines() int {
	n := 0
	for _, file := range p.files {
		n += file.lines
	}
	return n
}

// largestKnot returns the names of the files in the largest group whose members
// all use each other, directly or through other files of the package.
func (p *sourcePackage) largestKnot() []string {
	uses := p.uses()
	reached := make([]map[int]bool, len(uses))
	for i := range uses {
		reached[i] = reachable(uses, i)
	}
	var largest []string
	for i := range reached {
		var knot []string
		for j, file := range p.files {
			if reached[i][j] && reached[j][i] {
				knot = append(knot, file.name)
			}
		}
		if len(knot) > len(largest) {
			largest = knot
		}
	}
	if len(largest) < 2 {
		return nil
	}
	return largest
}

// reachable returns the files that file from uses, directly or through others.
func reachable(uses []map[int]bool, from int) map[int]bool {
	seen := make(map[int]bool)
	for next := []int{from}; len(next) > 0; {
		file := next[len(next)-1]
		next = next[:len(next)-1]
		for used := range uses[file] {
			if !seen[used] {
				seen[used] = true
				next = append(next, used)
			}
		}
	}
	return seen
}

// uses returns, for each file of the package, which other files declare the
// package-level names and the methods that it mentions. Names are compared as
// text, which needs no type checker: a name that several files declare counts
// for none of them, and a local variable with the name of a function of another
// file counts as a use of that file.
func (p *sourcePackage) uses() []map[int]bool {
	names, methods := p.declarations()
	all := make([]map[int]bool, len(p.files))
	for i, file := range p.files {
		used := make(map[int]bool)
		note := func(declared map[string][]int, name string) {
			if in := declared[name]; len(in) == 1 && in[0] != i {
				used[in[0]] = true
			}
		}
		imports := importNames(file.ast)
		ast.Inspect(file.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains(imports, x.Name) {
					return false // a name of another package
				}
				note(methods, n.Sel.Name)
			case *ast.Ident:
				note(names, n.Name)
			}
			return true
		})
		all[i] = used
	}
	return all
}

// declarations returns which files declare each package-level name and each
// method; a file that declares a method twice, for two types, is listed twice.
func (p *sourcePackage) declarations() (names, methods map[string][]int) {
	names, methods = make(map[string][]int), make(map[string][]int)
	for i, file := range p.files {
		for _, decl := range file.ast.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[f.Name.Name] = append(methods[f.Name.Name], i)
				continue
			}
			for _, id := range declaredNames(decl) {
				names[id.Name] = append(names[id.Name], i)
			}
		}
	}
	return names, methods
}

// declaredNames returns the functions, types, variables and constants that decl declares.
func declaredNames(decl ast.Decl) []*ast.Ident {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{decl.Name}
	case *ast.GenDecl:
		var ids []*ast.Ident
		for _, spec := range decl.Specs {
			ids = append(ids, specNames(spec)...)
		}
		return ids
	}
	return nil
}

func specNames(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}

// importNames returns the names that a file gives its imports, or the last
// elements of their paths.
func importNames(file *ast.File) []string {
	var names []string
	for _, imported := range file.Imports {
		if imported.Name != nil {
			names = append(names, imported.Name.Name)
		} else {
			names = append(names, lastElement(strings.Trim(imported.Path.Value, `"`)))
		}
	}
	return names
}
