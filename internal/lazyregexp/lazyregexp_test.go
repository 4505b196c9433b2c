package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestExpressionsCompile compiles every literal that the module's code passes to
// New, because an invalid one would panic as late as its first use.
func TestExpressionsCompile(t *testing.T) {
	root := os.DirFS(filepath.Join("..", ".."))
	found := 0
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, path)
		if err != nil || !strings.Contains(string(source), "lazyregexp.New(") {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isNew(call.Fun) {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				return true // an expression that is put together; the caller tests it
			}
			expression, err := strconv.Unquote(literal.Value)
			if err == nil {
				_, err = regexp.Compile(expression)
			}
			if err != nil {
				t.Errorf("%s: %v", fset.Position(literal.Pos()), err)
			}
			found++
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 50 {
		t.Errorf("found %d expressions, want the module's 50 and more", found)
	}
}

func isNew(fun ast.Expr) bool {
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "New" {
		return false
	}
	pkg, ok := selector.X.(*ast.Ident)
	return ok && pkg.Name == "lazyregexp"
}
