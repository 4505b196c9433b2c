package engram_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed is a row of the table in ARCHITECTURE.md.
type allowed struct {
	packages, libraries []string
}

// TestImportsFollowTheArchitecture compares what packages import with what
// ARCHITECTURE.md allows them to.
func TestImportsFollowTheArchitecture(t *testing.T) {
	table := readTable(t)
	seen := make(map[string]bool)
	for _, pkg := range listPackages(t) {
		name := strings.TrimPrefix(pkg.ImportPath, "engram/")
		if name == "engram" { // this folder holds this test alone
			continue
		}
		seen[name] = true
		row, ok := table[name]
		if !ok {
			t.Errorf("package %s has no row in ARCHITECTURE.md", name)
			continue
		}
		for _, imported := range pkg.Imports {
			if !row.allows(imported) {
				t.Errorf("package %s imports %s, which ARCHITECTURE.md does not allow", name, imported)
			}
		}
	}
	for name := range table {
		if !seen[name] {
			t.Errorf("ARCHITECTURE.md has a row for %s, which is no package", name)
		}
	}
}

// TestHeavyLibrariesAreNotLinked keeps out of the program what each start would
// pay for and no command needs; docs/dependencies.md has the costs.
func TestHeavyLibrariesAreNotLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/engram").Output()
	if err != nil {
		t.Fatal(err)
	}
	heavy := []string{
		"github.com/go-git/go-git/v5/plumbing/object", "github.com/ProtonMail/go-crypto", "github.com/spf13/viper",
		"github.com/knights-analytics/hugot", "engram/eval",
	}
	for _, linked := range strings.Fields(string(out)) {
		for _, library := range heavy {
			if linked == library || strings.HasPrefix(linked, library+"/") {
				t.Errorf("cmd/engram links %s: encode, scan or measure without it, or put it behind a build tag", linked)
			}
		}
	}
}

// TestFactsIsPure keeps I/O, clocks and randomness out of the core.
func TestFactsIsPure(t *testing.T) {
	impure := []string{"os", "os/exec", "net", "net/http", "io/fs", "io/ioutil", "path/filepath", "math/rand", "math/rand/v2", "crypto/rand", "log", "log/slog", "context"}
	for _, pkg := range listPackages(t) {
		if pkg.ImportPath != "engram/facts" {
			continue
		}
		for _, imported := range pkg.Imports {
			if slices.Contains(impure, imported) {
				t.Errorf("package facts imports %s", imported)
			}
		}
		return
	}
	t.Fatal("there is no package facts")
}

func (a allowed) allows(imported string) bool {
	if name, own := strings.CutPrefix(imported, "engram/"); own {
		return slices.Contains(a.packages, name)
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // the standard library
	}
	return slices.ContainsFunc(a.libraries, func(l string) bool { return imported == l || strings.HasPrefix(imported, l+"/") })
}

func readTable(t *testing.T) map[string]allowed {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "| package | it is | packages | libraries |\n")
	if !found {
		t.Fatal("ARCHITECTURE.md has no table of packages")
	}
	table := make(map[string]allowed)
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 {
			break
		}
		if name := strings.TrimSpace(cells[1]); !strings.HasPrefix(name, "---") {
			table[name] = allowed{list(cells[3]), list(cells[4])}
		}
	}
	if len(table) < 5 {
		t.Fatalf("the table of packages in ARCHITECTURE.md has %d rows", len(table))
	}
	return table
}

func list(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ' ' })
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var pkg goPackage
		if err := decoder.Decode(&pkg); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, pkg)
	}
	return packages
}
