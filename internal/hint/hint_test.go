package hint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"engram/internal/hint"
)

func TestSurfacesRenderTheSameHint(t *testing.T) {
	advice := hint.New("%s shows its versions; omit %s or state %d", hint.Do(hint.ShowLog, "domain/auth/session"), hint.MaxTokens, 400)
	tools := hint.Words{
		Action: func(a hint.Action) string {
			if a == hint.ShowLog {
				return "engram_get with key=%s"
			}
			return ""
		},
		Command: "`%s` (in a shell)",
		Field:   func(f hint.Field) string { return string(f) },
	}
	for _, tt := range []struct{ got, want string }{
		{advice.String(), "`engram log domain/auth/session` shows its versions; omit --max-tokens or state 400"},
		{advice.In(tools), "engram_get with key=domain/auth/session shows its versions; omit max_tokens or state 400"},
		{hint.New("%s sends it", hint.Do(hint.Sync, "origin")).In(tools), "`engram sync origin` (in a shell) sends it"},
		{hint.New("either %s or %s", hint.MergedClaim, hint.MergedKey).String(), "either --merge-claim or --merge"},
		{hint.Hint{}.In(tools), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s\nwant %s", tt.got, tt.want)
		}
	}
}

// TestHintsInTheSource have as many arguments as verbs, and name commands and flags by
// typed values alone: the text of a format reaches every surface as it is.
func TestHintsInTheSource(t *testing.T) {
	arguments := argumentsOfActions(t)
	seen := 0
	eachCall(t, func(at token.Position, name string, args []ast.Expr) {
		switch name {
		case "Do":
			action, ok := args[0].(*ast.SelectorExpr)
			if !ok {
				t.Errorf("%s: the action is no constant", at)
			} else if want := arguments[action.Sel.Name]; len(args)-1 != want {
				t.Errorf("%s: %s takes %d arguments", at, action.Sel.Name, want)
			}
		case "New", "always":
			seen++
			format := text(args[0])
			if format == "" || strings.Count(format, "%") != len(args)-1 {
				t.Errorf("%s: %q has not as many verbs as arguments", at, format)
			}
			for _, command := range append(commandNames(), "`", "--") {
				if strings.Contains(format, command) {
					t.Errorf("%s: %q names %q; use hint.Do or a hint.Field", at, format, command)
				}
			}
		}
	})
	if seen < 80 {
		t.Errorf("only %d hints were found", seen)
	}
}

// TestGitIsTheLastAction lets tests of other packages range over all actions.
func TestGitIsTheLastAction(t *testing.T) {
	if all := hint.Actions(); all[len(all)-1] != hint.Git {
		t.Errorf("the last action is %q", all[len(all)-1].Command())
	}
}

// commandNames are the first two words of each command.
func commandNames() []string {
	var names []string
	for _, a := range hint.Actions() {
		words := strings.Fields(a.Command())
		if len(words) < 2 {
			panic("an action has no command")
		}
		if words[1] != "%s" && !slices.Contains(names, words[0]+" "+words[1]) {
			names = append(names, words[0]+" "+words[1])
		}
	}
	return names
}

// argumentsOfActions counts them, by the name of the action's constant.
func argumentsOfActions(t *testing.T) map[string]int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "action.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	ast.Inspect(file, func(n ast.Node) bool {
		if row, ok := n.(*ast.KeyValueExpr); ok {
			counts[row.Key.(*ast.Ident).Name] = strings.Count(text(row.Value), "%s")
		}
		return true
	})
	return counts
}

// eachCall visits the calls of hint.New and hint.Do, and of memory's helper always.
func eachCall(t *testing.T, visit func(at token.Position, name string, args []ast.Expr)) {
	t.Helper()
	set := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				return true
			}
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				if from, ok := f.X.(*ast.Ident); ok && from.Name == "hint" {
					visit(set.Position(call.Pos()), f.Sel.Name, call.Args)
				}
			case *ast.IndexExpr:
				if generic, ok := f.X.(*ast.Ident); ok {
					visit(set.Position(call.Pos()), generic.Name, call.Args)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func text(e ast.Expr) string {
	literal, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	s, _ := strconv.Unquote(literal.Value)
	return s
}
