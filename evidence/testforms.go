package evidence

import (
	"path"
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
	return join(goForms, pyForms, jsForms, rustForms, swiftForms, shellForms)
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

func join(lists ...[]*lazyregexp.Regexp) []*lazyregexp.Regexp {
	var all []*lazyregexp.Regexp
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}
