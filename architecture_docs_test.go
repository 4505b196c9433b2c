package engram_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keepsContext lists structs that may keep a context, each with the reason.
var keepsContext = map[string]string{
	"web.Server": "the life of the server itself, which no caller passes",
}

// TestContextsArePassed finds structs that keep a context.
func TestContextsArePassed(t *testing.T) {
	m := engram(t)
	for _, p := range m.packages {
		for _, at := range p.keptContexts() {
			if name := p.name + "." + at.Name; keepsContext[name] == "" {
				t.Errorf("%s: struct %s keeps a context.Context; pass it as the first argument of the methods that need it", m.position(at.Pos()), name)
			}
		}
	}
}

// TestExportsAreDocumented finds exported names and packages without a comment.
func TestExportsAreDocumented(t *testing.T) {
	m := engram(t)
	for _, p := range m.packages {
		if !p.hasComment() {
			t.Errorf("package %s has no package comment; say what the package is and what it is not for", p.name)
		}
		if p.isMain() {
			continue
		}
		for _, id := range p.undocumented() {
			t.Errorf("%s: exported %s of package %s has no comment; state its contract, or unexport it", m.position(id.Pos()), id.Name, p.name)
		}
	}
}

func TestKeptContexts(t *testing.T) {
	if diff := cmp.Diff([]string{"request", "embedding", "nested"}, texts(sample(t).find("careless").keptContexts())); diff != "" {
		t.Errorf("structs with a context (-want +got):\n%s", diff)
	}
}

func TestUndocumented(t *testing.T) {
	m := sample(t)
	if m.find("careless").hasComment() || !m.find("dead").hasComment() {
		t.Error("package comments are not told from missing ones")
	}
	want := []string{"Bare", "Loose", "Type", "Method"}
	if diff := cmp.Diff(want, texts(m.find("careless").undocumented())); diff != "" {
		t.Errorf("exported names without a comment (-want +got):\n%s", diff)
	}
}

func texts(ids []*ast.Ident) []string {
	var all []string
	for _, id := range ids {
		all = append(all, id.Name)
	}
	return all
}

// keptContexts returns the types declared with a struct that has a field of type
// context.Context.
func (p *sourcePackage) keptContexts() []*ast.Ident {
	var found []*ast.Ident
	for _, file := range p.files {
		ast.Inspect(file.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && keepsAContext(spec.Type) {
				found = append(found, spec.Name)
			}
			return true
		})
	}
	return found
}

func keepsAContext(of ast.Expr) bool {
	found := false
	ast.Inspect(of, func(n ast.Node) bool {
		if s, ok := n.(*ast.StructType); ok {
			found = found || slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return isContext(f.Type) })
		}
		return true
	})
	return found
}

func isContext(of ast.Expr) bool {
	s, ok := of.(*ast.SelectorExpr)
	return ok && fmt.Sprint(s.X) == "context" && s.Sel.Name == "Context"
}

// hasComment reports whether the package comment is there.
func (p *sourcePackage) hasComment() bool {
	return slices.ContainsFunc(p.files, func(f sourceFile) bool { return f.ast.Doc != nil })
}

// undocumented returns the exported names without a comment: functions; types;
// aliases, constants and variables of which neither the group nor the line has one;
// and methods of exported types, except those that interfaces of the standard
// library describe.
func (p *sourcePackage) undocumented() []*ast.Ident {
	var found []*ast.Ident
	for _, file := range p.files {
		for _, decl := range file.ast.Decls {
			for _, id := range undocumentedNames(decl) {
				if id.IsExported() {
					found = append(found, id)
				}
			}
		}
	}
	return found
}

func undocumentedNames(decl ast.Decl) []*ast.Ident {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Doc == nil && !describedByInterface(decl) {
			return []*ast.Ident{decl.Name}
		}
	case *ast.GenDecl:
		var ids []*ast.Ident
		for _, spec := range decl.Specs {
			if !documented(decl, spec) {
				ids = append(ids, specNames(spec)...)
			}
		}
		return ids
	}
	return nil
}

func documented(group *ast.GenDecl, spec ast.Spec) bool {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		alone, alias := !group.Lparen.IsValid(), spec.Assign.IsValid()
		return spec.Doc != nil || (group.Doc != nil && (alone || alias))
	case *ast.ValueSpec:
		return spec.Doc != nil || spec.Comment != nil || group.Doc != nil
	}
	return true
}

// described lists methods whose contract an interface of the standard library or
// of a dependency states.
var described = strings.Fields("Close Error Is Len Less Read ServeHTTP String Swap Unwrap Write IsZero " +
	"MarshalJSON UnmarshalJSON MarshalText UnmarshalText MarshalYAML UnmarshalYAML")

// describedByInterface reports whether a function is a method whose comment would
// repeat that of an interface, or which no user of the package sees.
func describedByInterface(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return false
	}
	return slices.Contains(described, f.Name.Name) || !receiverName(f.Recv.List[0].Type).IsExported()
}

func receiverName(of ast.Expr) *ast.Ident {
	switch of := of.(type) {
	case *ast.Ident:
		return of
	case *ast.StarExpr:
		return receiverName(of.X)
	case *ast.IndexExpr:
		return receiverName(of.X)
	case *ast.IndexListExpr:
		return receiverName(of.X)
	}
	return ast.NewIdent("_")
}
