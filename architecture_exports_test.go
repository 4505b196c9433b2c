package engram_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testSupport lists folders whose packages export names for tests and measurements.
var testSupport = []string{"internal/gittest", "model/modeltest", "fixtures", "eval"}

// doors lists packages that name, as aliases, constants and errors, what their functions
// take and return. A caller may need each of these names, so only functions and methods
// of a door must have a use.
var doors = []string{"memory", "index", "detect", "gitstore"}

// forATest has exported names that exist for a test, by why they do.
var forATest = map[string]string{
	"memory/internal/audit.Auditor.Violations": "tests list violations without an audit",
	"memory/internal/compare.Resolutions":      "a test compares the values of a tag with it",
}

// throughReflection lists methods that the standard library and yaml.v3 look for
// without naming an interface for them.
var throughReflection = []string{"Is", "As", "Unwrap", "IsZero"}

// TestExportsAreUsed finds exported names that the program does not need.
func TestExportsAreUsed(t *testing.T) {
	m := engram(t)
	for _, name := range unusedExports(checkTypes(t, m), testSupport) {
		if forATest[qualified(m, name)] != "" {
			continue
		}
		if _, function := name.(*types.Func); !function && slices.Contains(doors, folderOf(name)) {
			continue
		}
		t.Errorf("%s: nothing but tests uses %s; unexport it and move its test into the package, or delete it", m.position(name.Pos()), qualified(m, name))
	}
}

func TestUnusedExports(t *testing.T) {
	m := sample(t)
	var got []string
	for _, name := range unusedExports(checkTypes(t, m), []string{"support"}) {
		got = append(got, qualified(m, name))
	}
	want := []string{"dead.OnlyItself", "dead.OnlyTests", "dead.Type.OnlyTests", "dead.Limit", "dead.Asserted", "dead.Asserted.Copy"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exported names without a use (-want +got):\n%s", diff)
	}
}

// unusedExports returns the exported package-level names and methods of the
// packages of p that its code does not use, in the order of their declaration.
// A use within the declaration of a name does not count, and neither does the use
// of a type by its own methods. A method counts as used if its type satisfies an
// interface with it, and a name if a file of another platform or build mentions it.
func unusedExports(p *program, exempt []string) []types.Object {
	used := p.usedNames()
	p.markInterfaceMethods(used)
	elsewhere := p.namesOfOtherBuilds()
	var unused []types.Object
	for _, pkg := range p.packages {
		if pkg.source.isMain() || slices.ContainsFunc(exempt, func(folder string) bool { return strings.HasPrefix(pkg.source.name+"/", folder+"/") }) {
			continue
		}
		for _, file := range pkg.files {
			for _, decl := range file.Decls {
				if pkg.isUsedEnumeration(decl, used) {
					continue
				}
				for _, id := range declaredNames(decl) {
					object := pkg.info.Defs[id]
					if id.IsExported() && !used[object] && !elsewhere[id.Name] && !isReflected(object) {
						unused = append(unused, object)
					}
				}
			}
		}
	}
	return unused
}

// isUsedEnumeration reports whether decl is a group of constants of which one is used:
// the values of an enumeration belong together.
func (c *checkedPackage) isUsedEnumeration(decl ast.Decl, used map[types.Object]bool) bool {
	group, ok := decl.(*ast.GenDecl)
	return ok && group.Tok == token.CONST && group.Lparen.IsValid() &&
		slices.ContainsFunc(declaredNames(decl), func(id *ast.Ident) bool { return used[c.info.Defs[id]] })
}

// folderOf returns the folder of the package that declares a name.
func folderOf(name types.Object) string {
	_, folder, _ := strings.Cut(name.Pkg().Path(), "/")
	return folder
}

func isReflected(object types.Object) bool {
	return receiver(object) != nil && slices.Contains(throughReflection, object.Name())
}

// usedNames returns the names that the built files mention outside of their declarations.
func (p *program) usedNames() map[types.Object]bool {
	used := make(map[types.Object]bool)
	for _, pkg := range p.packages {
		for _, file := range pkg.files {
			for _, decl := range file.Decls {
				pkg.uses(decl, used)
			}
		}
	}
	return used
}

// uses adds the names that decl mentions to used.
func (c *checkedPackage) uses(decl ast.Decl, used map[types.Object]bool) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		method := c.info.Defs[decl.Name]
		c.mentions(decl, used, method, receiver(method))
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			names := specNames(spec)
			if !slices.ContainsFunc(names, func(id *ast.Ident) bool { return id.Name != "_" }) {
				continue // an assertion about types: var _ I = T{}
			}
			var declared []types.Object
			for _, id := range names {
				declared = append(declared, c.info.Defs[id])
			}
			c.mentions(spec, used, declared...)
		}
	}
}

// mentions adds the names under node to used, except those that it declares.
func (c *checkedPackage) mentions(node ast.Node, used map[types.Object]bool, except ...types.Object) {
	ast.Inspect(node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if object := generic(c.info.Uses[id]); object != nil && !slices.Contains(except, object) {
			used[object] = true
		}
		return true
	})
}

// generic returns the declared function that object is an instance of, or object.
func generic(object types.Object) types.Object {
	if f, ok := object.(*types.Func); ok {
		return f.Origin()
	}
	return object
}

// receiver returns the name of the type that a method belongs to, or nil.
func receiver(object types.Object) types.Object {
	f, ok := object.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return nil
	}
	of := f.Signature().Recv().Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// markInterfaceMethods adds to used the methods with which types of the program
// satisfy interfaces.
func (p *program) markInterfaceMethods(used map[types.Object]bool) {
	byMethod := make(map[string][]*types.Interface) // by the name of the first method
	for _, i := range p.interfaces() {
		byMethod[i.Method(0).Id()] = append(byMethod[i.Method(0).Id()], i)
	}
	for _, of := range p.concreteTypes() {
		pointer := types.NewPointer(of)
		methods := types.NewMethodSet(pointer)
		for m := range methods.Methods() {
			for _, i := range byMethod[m.Obj().Id()] {
				if !types.Implements(pointer, i) {
					continue
				}
				for required := range i.Methods() {
					used[generic(methods.Lookup(required.Pkg(), required.Name()).Obj())] = true
				}
			}
		}
	}
}

// concreteTypes returns the types that the program declares, except interfaces.
func (p *program) concreteTypes() []types.Type {
	var all []types.Type
	for _, pkg := range p.packages {
		for _, object := range pkg.info.Defs {
			if name, ok := object.(*types.TypeName); ok && !types.IsInterface(name.Type()) {
				all = append(all, name.Type())
			}
		}
	}
	return all
}

// interfaces returns the interfaces with methods that the program or a package
// that it imports declares.
func (p *program) interfaces() []*types.Interface {
	var all []*types.Interface
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
			all = append(all, i)
		}
	}
	add(types.Universe.Lookup("error").Type())
	for _, pkg := range p.imported {
		for _, name := range pkg.Scope().Names() {
			if object, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && object.Exported() {
				add(object.Type())
			}
		}
	}
	for _, pkg := range p.packages {
		for expression, of := range pkg.info.Types {
			if _, ok := expression.(*ast.InterfaceType); ok {
				add(of.Type)
			}
		}
	}
	return all
}

// namesOfOtherBuilds returns what files of other platforms and build tags mention.
func (p *program) namesOfOtherBuilds() map[string]bool {
	names := make(map[string]bool)
	for _, pkg := range p.packages {
		for _, file := range pkg.source.files {
			if file.built {
				continue
			}
			ast.Inspect(file.ast, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					names[id.Name] = true
				}
				return true
			})
		}
	}
	return names
}

// qualified names an object as its users write it, with its package's path in the module.
func qualified(m *module, object types.Object) string {
	name := object.Name()
	if of := receiver(object); of != nil {
		name = of.Name() + "." + name
	}
	return strings.TrimPrefix(object.Pkg().Path(), m.path+"/") + "." + name
}
