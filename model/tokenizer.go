package model

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// tokenizer is BERT's: a text is normalised and split at white space and punctuation, and
// each word is split into the longest pieces of the vocabulary. It agrees with Hugging
// Face's library, with one difference: the name of a special token in a text, such as
// "[SEP]", is text. It is read only.
type tokenizer struct {
	words   map[string]int32 // pieces that begin a word
	rest    map[string]int32 // pieces that continue one, without the prefix
	longest int              // bytes of the longest piece
	highest int32            // identifier
	median  int              // length of a piece, in characters
	maxWord int              // characters; longer words are unknown
	unknown int32            // -1 if there is none

	clean, chinese, accents, lower bool // accents: they are stripped
}

// Defaults of a tokenizer.json, as in Hugging Face's library.
const (
	defaultPrefix  = "##"
	defaultMaxWord = 100
)

// tokenizerJSON has the fields of tokenizer.json that engram reads.
type tokenizerJSON struct {
	Truncation *struct {
		MaxLength int `json:"max_length"`
	} `json:"truncation"`
	Normalizer struct {
		Type         string `json:"type"`
		CleanText    *bool  `json:"clean_text"`
		Chinese      *bool  `json:"handle_chinese_chars"`
		StripAccents *bool  `json:"strip_accents"`
		Lowercase    *bool  `json:"lowercase"`
	} `json:"normalizer"`
	PreTokenizer struct {
		Type        string `json:"type"`
		PrefixSpace bool   `json:"add_prefix_space"`
		Regular     *bool  `json:"use_regex"` // the regular expression of GPT-2
	} `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         struct {
		Type         string          `json:"type"`
		Unknown      string          `json:"unk_token"`
		Prefix       *string         `json:"continuing_subword_prefix"`
		Suffix       string          `json:"end_of_word_suffix"`
		MaxWord      int             `json:"max_input_chars_per_word"`
		ByteFallback bool            `json:"byte_fallback"`
		IgnoreMerges bool            `json:"ignore_merges"`
		Vocabulary   json.RawMessage `json:"vocab"`
		Merges       json.RawMessage `json:"merges"`
	} `json:"model"`
}

// readTokenizer reads the tokenizer.json of a model.
func readTokenizer[T any](fsys fs.FS, parse func([]byte) (T, error)) (t T, err error) {
	b, err := readBounded(fsys, tokenizerFile, maxTokenizer)
	if err != nil {
		return t, err
	}
	if t, err = parse(b); err != nil {
		return t, fmt.Errorf("%s: %w", tokenizerFile, err)
	}
	return t, nil
}

// parseTokenizer reads a tokenizer of BERT's kind.
func parseTokenizer(b []byte) (*tokenizer, error) {
	file, vocabulary, err := parseTokenizerJSON(b)
	if err != nil {
		return nil, err
	}
	return file.wordPiece(vocabulary)
}

// parseTokenizerJSON reads a tokenizer.json of any kind. The vocabulary is nil if it is not
// an object, as in SentencePiece's.
func parseTokenizerJSON(b []byte) (file tokenizerJSON, vocabulary []piece, err error) {
	rest, vocabulary, err := cutVocabulary(b)
	if err == nil {
		err = json.Unmarshal(rest, &file)
	}
	if err != nil {
		return file, nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if string(file.Model.Vocabulary) != cutMark {
		vocabulary = nil
	}
	if file.Model.Type == "" && file.Model.Prefix != nil {
		file.Model.Type = "WordPiece" // files of old versions have no type
	}
	return file, vocabulary, nil
}

func (file tokenizerJSON) wordPiece(vocabulary []piece) (*tokenizer, error) {
	for _, part := range []struct{ name, is, want string }{
		{"model", file.Model.Type, "WordPiece"},
		{"normalizer", file.Normalizer.Type, "BertNormalizer"},
		{"pre-tokenizer", file.PreTokenizer.Type, "BertPreTokenizer"},
	} {
		if part.is != part.want {
			return nil, fmt.Errorf("%w: a %s of type %q; engram reads tokenizers of BERT's kind, with a %s", ErrNoModel, part.name, part.is, part.want)
		}
	}
	if len(vocabulary) == 0 {
		return nil, fmt.Errorf("%w: there is no vocabulary, or it is not an object", ErrDamaged)
	}
	t := file.settings()
	prefix := defaultPrefix
	if file.Model.Prefix != nil {
		prefix = *file.Model.Prefix
	}
	return t, t.fill(vocabulary, prefix, file.Model.Unknown)
}

// maxItems returns the number of tokens to which an input is cut; 0 if the file has none.
func (file tokenizerJSON) maxItems() int {
	if file.Truncation == nil {
		return 0
	}
	return max(0, file.Truncation.MaxLength)
}

// settings returns a tokenizer without its vocabulary.
func (file tokenizerJSON) settings() *tokenizer {
	either := func(p *bool, otherwise bool) bool {
		if p != nil {
			return *p
		}
		return otherwise
	}
	n := file.Normalizer
	t := &tokenizer{
		unknown: -1, maxWord: file.Model.MaxWord,
		clean: either(n.CleanText, true), chinese: either(n.Chinese, true), lower: either(n.Lowercase, true),
	}
	t.accents = either(n.StripAccents, t.lower)
	if t.maxWord <= 0 {
		t.maxWord = defaultMaxWord
	}
	return t
}

// maxPiece bounds the pieces of a vocabulary, since the search for the longest piece tries
// every length.
const maxPiece = 1 << 10

// fill takes the vocabulary.
func (t *tokenizer) fill(vocabulary []piece, prefix, unknown string) error {
	t.words, t.rest = make(map[string]int32, len(vocabulary)), make(map[string]int32, len(vocabulary)/4)
	var lengths [maxPiece + 1]int
	for _, p := range vocabulary {
		if len(p.text) > maxPiece {
			return fmt.Errorf("%w: the vocabulary: a piece of %d bytes", ErrDamaged, len(p.text))
		}
		if tail, ok := strings.CutPrefix(p.text, prefix); ok && prefix != "" {
			t.rest[tail] = p.id
		} else if t.words[p.text] = p.id; prefix == "" {
			t.rest[p.text] = p.id
		}
		if p.text == unknown {
			t.unknown = p.id
		}
		lengths[utf8.RuneCountInString(p.text)]++
		t.longest, t.highest = max(t.longest, len(p.text)), max(t.highest, p.id)
	}
	t.median = median(lengths[:])
	return nil
}

// median returns the median of a histogram, rounded down.
func median(counts []int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	at := func(rank int) int {
		for value, n := range counts {
			if rank -= n; rank < 0 {
				return value
			}
		}
		return 0
	}
	return (at((total-1)/2) + at(total/2)) / 2
}
