package evidence_test

import (
	"testing"

	"engram/evidence"
)

// TestBlocksGoOnAfterStrings: what stands at the left in a string or comment ends no test.
func TestBlocksGoOnAfterStrings(t *testing.T) {
	for name, tt := range map[string]struct{ file, content, test, want string }{
		"triple quotes": {"test_a.py",
			"def test_a():\n    x = \"\"\"\ntext # not a comment\n'''\n\"\"\"\n    assert x == 1\n\ndef test_b():\n    pass\n", "test_a",
			"def test_a():\n    x = \"\"\"\ntext # not a comment\n'''\n\"\"\"\n    assert x == 1\n"},
		"single triple quotes that end a block": {"test_a.py",
			"def test_a():\n    x = '''\nit's\n'''\ndef test_b():\n    pass\n", "test_a",
			"def test_a():\n    x = '''\nit's\n'''\n"},
		"comments at the left": {"test_a.py",
			"class TestA:\n    def test_a(self):\n# now\n        assert 1\n\n    # of the next\n    def test_b(self):\n        pass\n", "TestA::test_a",
			"    def test_a(self):\n# now\n        assert 1\n"},
		"quotes in a comment": {"test_a.py",
			"def test_a():\n    a = 1  # \"\"\" opens nothing\n    b = '#'\n\ndef test_b():\n    \"\"\"doc\"\"\"\n", "test_a",
			"def test_a():\n    a = 1  # \"\"\" opens nothing\n    b = '#'\n"},
		"a template": {"a.test.js",
			"it('a', () => {\n  const x = `\nit('no test', () => {\n\\` ${f(`in`)}\n`;\n  expect(x).toBe(1); // don't `stop`\n});\n\nit('b', () => {});\n", "a",
			"it('a', () => {\n  const x = `\nit('no test', () => {\n\\` ${f(`in`)}\n`;\n  expect(x).toBe(1); // don't `stop`\n});\n"},
		"block comments": {"a.test.ts",
			"it('a', () => {\n/* it('x', () => {\n});\n*/\n  expect(1);\n});\n\n/**\n * Of b.\n */\nfunction b() {\n}\n", "a",
			"it('a', () => {\n/* it('x', () => {\n});\n*/\n  expect(1);\n});\n"},
		"a string that nothing ends": {"a.test.js",
			"it('a', () => {\n  expect(/`/);\n});\nit('b', () => {\n});\n", "a",
			"it('a', () => {\n  expect(/`/);\n});\n"},
		"a raw string of Kotlin": {"ATest.kt",
			"class A {\n    fun a() {\n        val x = \"\"\"\ntext\n\"\"\"\n        check(x)\n    }\n}\n", "a",
			"    fun a() {\n        val x = \"\"\"\ntext\n\"\"\"\n        check(x)\n    }\n"},
		"a string of Rust": {"a.rs",
			"fn a() {\n    let x = \"one\ntwo\n\";\n    assert!(x);\n}\nfn b() {}\n", "a",
			"fn a() {\n    let x = \"one\ntwo\n\";\n    assert!(x);\n}\n"},
		"an attribute of Rust is no comment": {"a.rs",
			"fn a() {\n}\n#[test]\nfn b() {}\n", "a", "fn a() {\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := evidence.Test(tt.file, []byte(tt.content), tt.test)
			if err != nil || string(got.Text) != tt.want {
				t.Errorf("%v, got\n%s\nwant\n%s", err, got.Text, tt.want)
			}
		})
	}
}
