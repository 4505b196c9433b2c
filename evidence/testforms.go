package evidence

import (
	"path"
	"slices"
	"strings"
	"sync"

	"engram/internal/lazyregexp"
)

// quoted is a name in quotes, with what a backslash protects.
const quoted = "(?:\"((?:[^\"\\\\]|\\\\.)*)\"|'((?:[^'\\\\]|\\\\.)*)'|`((?:[^`\\\\]|\\\\.)*)`)"

// The forms that declare a test, or what holds tests. The first group that matched
// something is its name.
var (
	goForms = forms(`^func[ \t]+(?:\([^)]*\)[ \t]*)?(\w+)[ \t]*[(\[]`)
	pyForms = forms(`^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(`, `^[ \t]*class[ \t]+(\w+)`)
	jsForms = forms(`^[ \t]*(?:await[ \t]+)?(?:[fx]?(?:it|test|describe|context|suite|specify|bench)|Deno\.test)(?:\.\w+(?:\([^)]*\))?)*[ \t]*\([ \t]*`+quoted,
		`^[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?function\*?[ \t]+(\w+)[ \t]*\(`)
	rustForms = forms(`^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:const[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?fn[ \t]+(\w+)`,
		`^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)`)
	// A method has at least a type or a modifier before its name, and does not end there.
	javaForms = forms(`^[ \t]*(?:(?:public|protected|private|static|final|async|override|virtual|suspend|internal|open|abstract|sealed|partial)[ \t]+)*fun[ \t]+(?:`+"`([^`]+)`"+`|(\w+))[ \t]*\(`,
		`^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:[\w.<>\[\],?]+[ \t]+)+(\w+)[ \t]*\([^;]*$`,
		`^[ \t]*(?:\w+[ \t]+)*(?:class|interface|object|record|struct)[ \t]+(\w+)`)
	rubyForms  = forms(`^[ \t]*(?:it|test|describe|context|specify|scenario|feature)[ \t]*\(?[ \t]*`+quoted, `^[ \t]*def[ \t]+(?:self\.)?(\w+[?!]?)`, `^[ \t]*(?:class|module)[ \t]+([\w:]+)`)
	phpForms   = forms(`^[ \t]*(?:(?:public|protected|private|static|final|abstract)[ \t]+)*function[ \t]+&?(\w+)[ \t]*\(`, `^[ \t]*(?:it|test|describe)[ \t]*\([ \t]*`+quoted, `^[ \t]*(?:final[ \t]+|abstract[ \t]+)?class[ \t]+(\w+)`)
	swiftForms = forms(`^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:\w+[ \t]+)*func[ \t]+(\w+)[ \t]*[(<]`, `^[ \t]*(?:\w+[ \t]+)*(?:class|struct|extension)[ \t]+(\w+)`)
	cForms     = forms(`^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST)[ \t]*\([ \t]*\w+[ \t]*,[ \t]*(\w+)`, `^[ \t]*(?:TEST_CASE|SCENARIO|SECTION|SUBCASE)[ \t]*\([ \t]*`+quoted, `^[ \t]*(?:[\w:*&<>]+[ \t]+)+\**(\w+)[ \t]*\([^;]*$`)
	shellForms = forms(`^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*\(\)`, `^[ \t]*@test[ \t]+`+quoted)
)

// formsOf maps the ending of a file to the forms of its language.
var formsOf = sync.OnceValue(func() map[string][]*lazyregexp.Regexp {
	return map[string][]*lazyregexp.Regexp{
		".go": goForms, ".py": pyForms, ".pyi": pyForms, ".rs": rustForms,
		".js": jsForms, ".jsx": jsForms, ".mjs": jsForms, ".cjs": jsForms, ".ts": jsForms, ".tsx": jsForms, ".mts": jsForms, ".cts": jsForms,
		".vue": jsForms, ".svelte": jsForms,
		".java": javaForms, ".kt": javaForms, ".kts": javaForms, ".cs": javaForms, ".scala": javaForms, ".groovy": javaForms, ".dart": javaForms,
		".rb": rubyForms, ".ex": rubyForms, ".exs": rubyForms, ".php": phpForms, ".swift": swiftForms,
		".c": cForms, ".cc": cForms, ".cpp": cForms, ".cxx": cForms, ".h": cForms, ".hpp": cForms,
		".sh": shellForms, ".bash": shellForms, ".bats": shellForms,
	}
})

// anyForms are for files of other languages.
var anyForms = sync.OnceValue(func() []*lazyregexp.Regexp {
	return slices.Concat(goForms, pyForms, jsForms, rustForms, swiftForms, shellForms)
})

// formsFor are the forms of the language that a path's ending tells.
func formsFor(file string) []*lazyregexp.Regexp {
	if list, ok := formsOf()[strings.ToLower(path.Ext(file))]; ok {
		return list
	}
	return anyForms()
}

func forms(patterns ...string) []*lazyregexp.Regexp {
	list := make([]*lazyregexp.Regexp, len(patterns))
	for i, p := range patterns {
		list[i] = lazyregexp.New(p)
	}
	return list
}

// lineKind is what a line is to the block that it may be in.
type lineKind int

const (
	plainLine   lineKind = iota
	quotedLine           // it begins inside a string, which may be written from column 0 on
	commentLine          // it is a comment, or begins inside one
)

// syntax is what of a language's strings and comments has to be known, to tell in which a
// line begins.
type syntax struct {
	line    []string // what begins a comment that ends with its line
	block   bool     // whether /* begins one that */ ends
	strings []string // delimiters of strings that go over several lines, longest first
}

// syntaxFor is the syntax of the language that a path's ending tells.
func syntaxFor(file string) syntax {
	switch strings.ToLower(path.Ext(file)) {
	case ".py", ".pyi", ".ex", ".exs":
		return syntax{[]string{"#"}, false, []string{`"""`, "'''"}}
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte":
		return syntax{[]string{"//"}, true, []string{"`"}}
	case ".java", ".kt", ".kts", ".cs", ".scala", ".groovy", ".dart", ".swift":
		return syntax{[]string{"//"}, true, []string{`"""`, "'''"}}
	case ".rs":
		return syntax{[]string{"//"}, true, []string{`"`}}
	case ".rb", ".sh", ".bash", ".bats":
		return syntax{[]string{"#"}, false, nil}
	}
	return syntax{[]string{"//", "#"}, true, nil}
}

// kinds says of each line what it is, from the beginning of a block on. A string or
// comment that nothing ends was none: the lines are told by themselves then.
func (s syntax) kinds(lines []textLine) []lineKind {
	kinds := make([]lineKind, len(lines))
	open := ""
	for i, line := range lines {
		switch {
		case open == "*/":
			kinds[i] = commentLine
		case open != "":
			kinds[i] = quotedLine
		case s.comments(line.text):
			kinds[i] = commentLine
		}
		open = s.after(open, line.text)
	}
	if open != "" {
		for i, line := range lines {
			if kinds[i] = plainLine; s.comments(line.text) {
				kinds[i] = commentLine
			}
		}
	}
	return kinds
}

// comments reports whether a line begins with a comment.
func (s syntax) comments(text string) bool {
	text = strings.TrimSpace(text)
	return begins(text, s.line) != "" || s.block && strings.HasPrefix(text, "/*")
}

// after is what a line leaves open, of what it began in: the end of a string or comment,
// or "".
func (s syntax) after(open, text string) string {
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case open != "" && open != "*/" && rest[0] == '\\':
			at += 2
		case open != "" && strings.HasPrefix(rest, open):
			at, open = at+len(open), ""
		case open != "":
			at++
		case begins(rest, s.line) != "":
			return ""
		case s.block && strings.HasPrefix(rest, "/*"):
			at, open = at+2, "*/"
		case begins(rest, s.strings) != "":
			open = begins(rest, s.strings)
			at += len(open)
		default:
			at += quotedLength(rest)
		}
	}
	return open
}

// begins is the first of several texts that another begins with; "" if there is none.
func begins(text string, with []string) string {
	for _, w := range with {
		if strings.HasPrefix(text, w) {
			return w
		}
	}
	return ""
}

// quotedLength is the length of the string in quotes that a text begins with, or 1.
func quotedLength(text string) int {
	if text[0] != '"' && text[0] != '\'' {
		return 1
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 1 // an apostrophe
}
