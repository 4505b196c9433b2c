package retrieval

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"engram/eval/corpus"
	"engram/eval/paraphrase"
	"engram/facts"
	"engram/memory"
)

// grepWords are the words that an engineer would search for: those of the
// question that mean something, each once, identifiers as they stand.
func grepWords(question string) []string {
	var words, rest []string
	for _, word := range strings.Fields(question) {
		word = strings.ToLower(strings.Trim(word, ".,;:!?\"'`()[]{}<>*_«»„“”‘’。？、，"))
		switch {
		case word == "" || slices.Contains(words, word) || slices.Contains(rest, word):
		case paraphrase.IsFunctionWord(word):
			rest = append(rest, word)
		default:
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return rest
	}
	return words
}

// grep asks git for every line of the memory branch with a word of the
// question: one process a question. A scope is a folder of the branch.
func grep(ctx context.Context, t *corpus.Throwaway, question, folder string) ([]byte, error) {
	args := []string{"grep", "-I", "-i", "-o", "-z", "-F"}
	for _, word := range grepWords(question) {
		args = append(args, "-e", word)
	}
	args = append(args, memory.DefaultBranch, "--", folder+"*"+facts.FileSuffix)
	out, err := t.Git(ctx, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // no line matches
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("git grep: %w", err)
	}
	return out, nil
}

// found is what grep says of one file, or of all files of one item.
type found struct {
	item, path string
	words      map[string]bool
	matches    int
}

// rankGrep ranks items by how many different words match, then by matches, then
// by path: by those of their best file or, if whole, of all their files, as if
// a session were one file.
func rankGrep(output []byte, itemOf map[string]string, whole bool) []string {
	files := make(map[string]*found)
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		name, word, ok := strings.Cut(lines.Text(), "\x00")
		_, path, _ := strings.Cut(name, ":") // the branch
		item, known := itemOf[path]
		if !ok || !known { // engram.yml and the like are not items
			continue
		}
		id := path
		if whole {
			id = item
		}
		f := files[id]
		if f == nil {
			f = &found{item: item, path: path, words: make(map[string]bool)}
			files[id] = f
		}
		f.words[strings.ToLower(word)] = true
		f.matches++
	}
	list := slices.Collect(maps.Values(files))
	slices.SortFunc(list, func(a, b *found) int {
		return cmp.Or(cmp.Compare(len(b.words), len(a.words)), cmp.Compare(b.matches, a.matches), cmp.Compare(a.path, b.path))
	})
	var items []string
	seen := make(map[string]bool)
	for _, f := range list {
		if !seen[f.item] {
			seen[f.item] = true
			items = append(items, f.item)
		}
	}
	return items
}
