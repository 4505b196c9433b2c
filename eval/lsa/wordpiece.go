package lsa

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WordPiece cuts texts into the sub-words of a vocabulary. It is enough of the
// uncased BERT tokenizer for counting words: accents are not stripped.
// It is safe for concurrent use.
type WordPiece struct {
	vocabulary map[string]int
	prefix     string // of a sub-word that continues a word
	special    map[int]bool
	size       int
}

// ParseWordPiece reads a tokenizer.json whose model is WordPiece.
func ParseWordPiece(b []byte) (*WordPiece, error) {
	var file struct {
		Added []struct {
			ID int `json:"id"`
		} `json:"added_tokens"`
		Model struct {
			Type       string         `json:"type"`
			Prefix     string         `json:"continuing_subword_prefix"`
			Vocabulary map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("read a tokenizer: %w", err)
	}
	if file.Model.Type != "WordPiece" || len(file.Model.Vocabulary) == 0 {
		return nil, fmt.Errorf("read a tokenizer: its model is %q, not a WordPiece vocabulary", file.Model.Type)
	}
	w := &WordPiece{vocabulary: file.Model.Vocabulary, prefix: file.Model.Prefix, special: make(map[int]bool)}
	for _, t := range file.Added {
		w.special[t.ID] = true
	}
	for _, id := range w.vocabulary {
		if id < 0 {
			return nil, fmt.Errorf("read a tokenizer: the vocabulary has the number %d", id)
		}
		w.size = max(w.size, id+1)
	}
	return w, nil
}

// Size is one more than the largest number of a sub-word.
func (w *WordPiece) Size() int { return w.size }

// Words are the numbers of the sub-words of a text's words, in order. Words that
// the vocabulary cannot make up are omitted.
func (w *WordPiece) Words(text string) [][]int {
	var words [][]int
	for _, word := range bertWords(text) {
		if ids := w.pieces(word); len(ids) > 0 {
			words = append(words, ids)
		}
	}
	return words
}

// pieces takes the longest sub-word again and again.
func (w *WordPiece) pieces(word string) []int {
	const longest = 100 // as in BERT's own
	if len(word) > longest {
		return nil
	}
	var ids []int
	for prefix := ""; word != ""; prefix = w.prefix {
		end := len(word)
		for end > 0 {
			id, ok := w.vocabulary[prefix+word[:end]]
			if ok && !w.special[id] {
				ids = append(ids, id)
				break
			}
			_, size := utf8.DecodeLastRuneInString(word[:end])
			end -= size
		}
		if end == 0 {
			return nil
		}
		word = word[end:]
	}
	return ids
}

// bertWords splits a lower-cased text at white space and around punctuation and
// Chinese characters.
func bertWords(text string) []string {
	var words []string
	start := -1
	end := func(at int) {
		if start >= 0 {
			words = append(words, text[start:at])
			start = -1
		}
	}
	text = strings.ToLower(text)
	for i, r := range text {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			end(i)
		case unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.Is(unicode.Han, r):
			end(i)
			words = append(words, text[i:i+utf8.RuneLen(r)])
		case start < 0:
			start = i
		}
	}
	end(len(text))
	return words
}
