package brief

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// maxBriefWords bounds the question of a brief.
const maxBriefWords = 60

// question returns the words that describe the work on a branch: those of its name and of
// the names and folders of changed files, or "" if these say nothing.
func question(branch string, files []string) string {
	var words []string
	add := func(text string) {
		for _, w := range splitName(text) {
			if !isStopWord(w) && !slices.Contains(words, w) && len(words) < maxBriefWords {
				words = append(words, w)
			}
		}
	}
	add(branch)
	for _, f := range files {
		add(strings.TrimSuffix(path.Base(f), path.Ext(f)))
	}
	for _, f := range files {
		add(path.Dir(f))
	}
	return strings.Join(words, " ")
}

// splitName splits a name at punctuation and at capitals that begin a word.
func splitName(name string) (parts []string) {
	var part []rune
	flush := func() {
		if len(part) > 1 {
			parts = append(parts, strings.ToLower(string(part)))
		}
		part = part[:0]
	}
	var before rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush()
			fallthrough
		default:
			part = append(part, r)
		}
		before = r
	}
	flush()
	return parts
}

// isStopWord reports whether a part of a name says nothing about the work: names of trunks,
// of kinds of branches, and of folders that every project has.
func isStopWord(word string) bool {
	switch word {
	case "main", "master", "trunk", "develop", "development", "dev", "head", "release", "hotfix", "bugfix",
		"feature", "feat", "fix", "chore", "wip", "tmp", "temp", "user", "users", "branch", "issue", "pr",
		"src", "lib", "libs", "pkg", "cmd", "internal", "app", "apps", "packages", "bin", "vendor", "include",
		"test", "tests", "testdata", "spec", "docs", "doc", "index", "init", "mod", "utils", "util", "common", "readme":
		return true
	}
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// briefFiles returns the first files, each once and in order.
func briefFiles(files []string) []string {
	var list []string
	seen := make(map[string]bool)
	for _, f := range files {
		f = strings.TrimSuffix(f, "/")
		if f == "" || seen[f] || len(list) == maxBriefFiles {
			continue
		}
		seen[f] = true
		list = append(list, f)
	}
	return list
}
