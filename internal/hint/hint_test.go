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
	commands := commandsOfActions(t)
	seen := 0
	eachCall(t, func(at token.Position, name string, args []ast.Expr) {
		switch name {
		case "Do":
			action, ok := args[0].(*ast.SelectorExpr)
			if !ok {
				t.Errorf("%s: the action is no constant", at)
			} else if want := strings.Count(commands[action.Sel.Name], "%s"); len(args)-1 != want {
				t.Errorf("%s: %s takes %d arguments", at, action.Sel.Name, want)
			}
		case "New", "always":
			seen++
			format := text(args[0])
			if format == "" || strings.Count(format, "%") != len(args)-1 {
				t.Errorf("%s: %q has not as many verbs as arguments", at, format)
			}
			for _, command := range append(commandNames(commands), "`", "--") {
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

// TestEveryActionIsFound checks how these tests read actions from the source.
func TestEveryActionIsFound(t *testing.T) {
	commands := commandsOfActions(t)
	if len(commands) < 30 {
		t.Errorf("only %d actions were found", len(commands))
	}
	if commands["Git"] != string(hint.Git) {
		t.Errorf("the command of Git is %q", commands["Git"])
	}
}

// commandNames are the first two words of each command.
func commandNames(commands map[string]string) []string {
	var names []string
	for _, command := range commands {
		words := strings.Fields(command)
		if len(words) < 2 {
			panic("an action has no command")
		}
		if words[1] != "%s" && !slices.Contains(names, words[0]+" "+words[1]) {
			names = append(names, words[0]+" "+words[1])
		}
	}
	return names
}

// commandsOfActions reads the command of each action, by the name of its constant.
func commandsOfActions(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "action.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	commands := make(map[string]string)
	ast.Inspect(file, func(n ast.Node) bool {
		if constant, ok := n.(*ast.ValueSpec); ok {
			if kind, ok := constant.Type.(*ast.Ident); ok && kind.Name == "Action" {
				commands[constant.Names[0].Name] = text(constant.Values[0])
			}
		}
		return true
	})
	return commands
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
