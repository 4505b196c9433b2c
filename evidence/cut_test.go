package evidence_test

import (
	"errors"
	"strings"
	"testing"

	"engram/evidence"
	"engram/facts"
)

const document = `---
title: not a heading
---
# Guide

Intro.

## Budget Rules
text
### Caps ###
caps
` + "```md\n## Inside a fence\n```" + `
## Usage
first
<!--
## Commented
-->
## Usage
second

Underlined
heading
-------
under
* list
---
not underlined
    ## indented code
| a |
|---|
## The ` + "`engram.yml`" + ` [file](x.md)
last`

func TestSection(t *testing.T) {
	for _, tt := range []struct{ name, begins, ends, fail string }{
		{name: "Budget Rules", begins: "## Budget Rules\n", ends: "```\n"},
		{name: "budget rules", begins: "## Budget Rules\n", ends: "```\n"},
		{name: "budget-rules", begins: "## Budget Rules\n", ends: "```\n"},
		{name: "#budget-rules", begins: "## Budget Rules\n", ends: "```\n"},
		{name: "BudgetRules", begins: "## Budget Rules\n", ends: "```\n"},
		{name: "Caps", begins: "### Caps ###\n", ends: "```\n"},
		{name: "Guide", begins: "# Guide\n", ends: "last"},
		{name: "usage-1", begins: "## Usage\nsecond", ends: "second\n\n"},
		{name: "Underlined heading", begins: "Underlined\n", ends: "|---|\n"},
		{name: "The engram.yml file", begins: "## The `engram.yml`", ends: "last"},
		{name: "the-engramyml-file", begins: "## The `engram.yml`", ends: "last"},
		{name: "Usage", fail: `2 sections are called "Usage", on the lines 15 (usage), 20 (usage-1)`},
		{name: "Inside a fence", fail: `it has no section "Inside a fence"; the nearest are`},
		{name: "Commented", fail: "no section"},
		{name: "indented code", fail: "no section"},
		{name: "not a heading", fail: "no section"},
		{name: "Budgt Rules", fail: `the nearest are "Budget Rules"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, text := range []string{document, strings.ReplaceAll(document, "\n", "\r\n")} {
				got, err := evidence.Cut(facts.Address{Type: facts.PointArtifact, Path: "a.md", Name: tt.name}, []byte(text))
				if tt.fail != "" {
					if !errors.Is(err, evidence.ErrNoSuchPart) || !strings.Contains(err.Error(), tt.fail) {
						t.Errorf("error %v does not say %q", err, tt.fail)
					}
					continue
				}
				part := strings.ReplaceAll(string(got.Text), "\r\n", "\n")
				if err != nil || !strings.HasPrefix(part, tt.begins) || !strings.HasSuffix(part, tt.ends) {
					t.Errorf("cuts %q, %v", part, err)
				}
				checkSpan(t, []byte(text), got)
			}
		})
	}
	if _, err := evidence.Section([]byte("no headings\n"), "x"); err == nil || !strings.Contains(err.Error(), "no headings") {
		t.Error(err)
	}
}

// checkSpan checks that the lines of a span are its text.
func checkSpan(t *testing.T, content []byte, s evidence.Span) {
	t.Helper()
	if s.First == 0 {
		return
	}
	lines, err := evidence.Lines(content, s.First, s.Last)
	if err != nil || string(lines.Text) != string(s.Text) {
		t.Errorf("the lines %d to %d are %q, %v; the span says %q", s.First, s.Last, lines.Text, err, s.Text)
	}
}

func TestTests(t *testing.T) {
	const goFile = `package x

// TestA is mentioned: func TestB(t *testing.T) {
func TestA(t *testing.T) {
	s := ` + "`\nfunc inside\n}\n`" + `
	_ = struct{}{}
}

func (s *Suite) TestB(x struct{}) struct{} {
	return struct{}{}
}

func FuzzC[T any](
	t T,
) {
	run()
}
func TestOne(t *testing.T) { t.Run("x", nil) }
func last() {}
`
	const python = `import x

class TestAccount:
    @mark
    def test_empty(self):
        if x:
            pass

        assert y
    async def test_full(self): pass

class TestOther:
    def test_empty(self):
        call(
            1,
        )

def test_top(
    a,
):
    assert a
x = 1
`
	const script = `describe('cart', () => {
  it("is empty", async () => {
    expect(1);
  });

  test.each([[1]])('doesn\'t > fail', (x) => {
  })
  it(
    'wrapped name', () => {
    });
});
describe('other', function () {
  it("is empty", () => {});
});
`
	const rust = `mod tests {
    #[test]
    fn empties() {
        assert!(true);
    }
}
pub async fn empties_more<T>(x: T) -> T { x }
`
	const java = "class CartTest {\n  @Test\n  void isEmpty() throws Exception\n  {\n    check(1);\n    return isFull();\n  }\n\n  @Test public List<String> isFull() {\n  }\n}\n"
	const kotlin = "class CartTest {\n    @Test\n    fun `is empty`() {\n        a()\n    }\n\n    fun isFull() = runTest {\n        b()\n    }\n}\n"
	for _, tt := range []struct{ file, content, name, begins, ends, fail string }{
		{"a_test.go", goFile, "TestA", "func TestA(t", "}{}\n}\n", ""},
		{"a_test.go", goFile, "TestA/sub/#01", "func TestA(t", "}{}\n}\n", ""},
		{"a_test.go", goFile, "TestB", "func (s *Suite) TestB", "return struct{}{}\n}\n", ""},
		{"a_test.go", goFile, "FuzzC", "func FuzzC", "run()\n}\n", ""},
		{"a_test.go", goFile, "TestOne", "func TestOne", "nil) }\n", ""},
		{"a_test.go", goFile, "TestZ", "", "", `no test "TestZ"; the nearest are "TestA", "TestB"`},
		{"a_test.py", python, "test_top", "def test_top(", "assert a\n", ""},
		{"a_test.py", python, "test_full", "    async def", "pass\n", ""},
		{"a_test.py", python, "TestAccount", "class TestAccount:", "pass\n", ""},
		{"a_test.py", python, "TestAccount::test_empty", "    def test_empty", "assert y\n", ""},
		{"a_test.py", python, "TestOther::test_empty[a-b]", "    def test_empty", "        )\n", ""},
		{"a_test.py", python, "test_empty", "", "", "2 tests are called"},
		{"a.test.ts", script, "cart > is empty", `  it("is empty"`, "  });\n", ""},
		{"a.test.ts", script, "other > is empty", `  it("is empty"`, "{});\n", ""},
		{"a.test.ts", script, "doesn't > fail", "  test.each", "  })\n", ""},
		{"a.test.ts", script, "wrapped name", "  it(\n", "    });\n", ""},
		{"a.test.ts", script, "cart", "describe('cart'", "\n});\n", ""},
		{"a.rs", rust, "empties", "    fn empties()", "    }\n", ""},
		{"a.rs", rust, "tests::empties", "    fn empties()", "    }\n", ""},
		{"a.rs", rust, "empties_more", "pub async fn", "x }\n", ""},
		{"CartTest.java", java, "isEmpty", "  void isEmpty()", "  }\n", ""},
		{"CartTest.java", java, "CartTest.isFull", "  @Test public List", "  }\n", ""},
		{"CartTest.kt", kotlin, "is empty", "    fun `is empty`", "    }\n", ""},
		{"CartTest.kt", kotlin, "isFull", "    fun isFull", "    }\n", ""},
		{"a_spec.rb", "describe 'cart' do\n  it 'is empty' do\n    x\n  end\nend\n", "is empty", "  it 'is empty'", "  end\n", ""},
		{"a.unknown", "fn a() {\n  b\n}\n", "a", "fn a", "}\n", ""},
		{"a.txt", "nothing\n", "a", "", "", "nor any other"},
	} {
		t.Run(tt.file+" "+tt.name, func(t *testing.T) {
			got, err := evidence.Cut(facts.Address{Type: facts.PointTest, Path: tt.file, Name: tt.name}, []byte(tt.content))
			if tt.fail != "" {
				if !errors.Is(err, evidence.ErrNoSuchPart) || !strings.Contains(err.Error(), tt.fail) {
					t.Errorf("error %v does not say %q", err, tt.fail)
				}
				return
			}
			if err != nil || !strings.HasPrefix(string(got.Text), tt.begins) || !strings.HasSuffix(string(got.Text), tt.ends) {
				t.Errorf("cuts %q, %v", got.Text, err)
			}
			checkSpan(t, []byte(tt.content), got)
		})
	}
}

func TestCutLinesAndAll(t *testing.T) {
	const text = "one\r\ntwo\nthree"
	for _, tt := range []struct {
		first, last int
		want        string
		err         error
	}{
		{0, 0, text, nil}, {1, 1, "one\r\n", nil}, {2, 3, "two\nthree", nil}, {3, 4, "", evidence.ErrNoSuchPart}, {9, 9, "", evidence.ErrNoSuchPart},
	} {
		got, err := evidence.Cut(facts.Address{Type: facts.PointRepo, Path: "a", FirstLine: tt.first, LastLine: tt.last}, []byte(text))
		if string(got.Text) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("lines %d to %d are %q, %v", tt.first, tt.last, got.Text, err)
		}
	}
	all, err := evidence.Cut(facts.Address{Type: facts.PointRepo, Path: "a"}, []byte("\x00\x01"))
	if err != nil || all.First != 0 || len(all.Text) != 2 {
		t.Errorf("all of a binary file is %+v, %v", all, err)
	}
	if _, err := evidence.Cut(facts.Address{Type: facts.PointRepo, Path: "a", FirstLine: 1, LastLine: 1}, []byte("\x00\n")); !errors.Is(err, evidence.ErrBinary) {
		t.Errorf("a line of a binary file: %v", err)
	}
}

func TestShorten(t *testing.T) {
	text := []byte("one two\nthree four\nfive six")
	for _, tt := range []struct {
		tokens, last int
		cut          bool
	}{{6, 12, false}, {5, 11, true}, {4, 11, true}, {3, 10, true}, {1, 0, true}} {
		got, cut := evidence.Shorten(evidence.Span{First: 10, Last: 12, Text: text}, tt.tokens)
		if got.Last != tt.last || cut != tt.cut {
			t.Errorf("%d tokens: %+v, %v", tt.tokens, got, cut)
		}
	}
}

func TestIsLFS(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for content, want := range map[string]bool{
		pointer: true, "": false, "version https://git-lfs.github.com/spec/v1\n": false, "x" + pointer: false,
		pointer + strings.Repeat("x", 1024): false,
	} {
		if got := evidence.IsLFS([]byte(content)); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("a.md", document, "Usage", 40)
	f.Add("a.md", "a\n=\n```\n# x\n", "a", 1)
	f.Add("a_test.go", "func TestX(t *testing.T) {\n}\n", "TestX", 3)
	f.Add("a.py", "class A:\n  def b():\n\tx\n", "A::b", 3)
	f.Add("a.ts", "it('x', () => {\r\n})", "x", 0)
	f.Add("", "x() (\n\"", "x", -1)
	f.Fuzz(func(t *testing.T, file, content, name string, tokens int) {
		for _, kind := range []facts.PointerType{facts.PointArtifact, facts.PointTest, facts.PointRepo} {
			got, err := evidence.Cut(facts.Address{Type: kind, Path: file, Name: name}, []byte(content))
			if err != nil {
				if !errors.Is(err, evidence.ErrNoSuchPart) && !errors.Is(err, evidence.ErrBinary) {
					t.Errorf("error %v is of no kind", err)
				}
				continue
			}
			checkSpan(t, []byte(content), got)
			short, cut := evidence.Shorten(got, tokens)
			if used := facts.Tokens(string(short.Text)); cut && used > max(tokens, 0) {
				t.Errorf("%d tokens where %d are allowed", used, tokens)
			}
			checkSpan(t, []byte(content), short)
		}
	})
}
