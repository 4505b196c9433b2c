package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// bytePairs reads a byte-level BPE tokenizer and the layout that belongs to it.
func (file tokenizerJSON) bytePairs(vocabulary []piece) (*bytePairs, layout, error) {
	if err := file.checkBytePairs(); err != nil {
		return nil, layout{}, err
	}
	l, err := file.robertaLayout()
	if err != nil {
		return nil, layout{}, err
	}
	merges, err := parseMerges(file.Model.Merges)
	if err != nil {
		return nil, layout{}, fmt.Errorf("%w: the merges: %v", ErrDamaged, err)
	}
	b := &bytePairs{spaced: file.PreTokenizer.PrefixSpace, highest: max(l.begin, l.end)}
	if err := b.fill(vocabulary, merges); err != nil {
		return nil, layout{}, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return b, l, nil
}

// checkBytePairs rejects what RoBERTa's tokenizer does not have.
func (file tokenizerJSON) checkBytePairs() error {
	for _, part := range []struct{ name, is, want string }{
		{"normalizer", file.Normalizer.Type, ""},
		{"pre-tokenizer", file.PreTokenizer.Type, "ByteLevel"},
	} {
		if part.is != part.want {
			return fmt.Errorf("%w: a %s of type %q; of BPE tokenizers engram reads those of RoBERTa's kind, with %q", ErrNoModel, part.name, part.is, part.want)
		}
	}
	m, regular := file.Model, file.PreTokenizer.Regular
	for name, present := range map[string]bool{
		"continuing_subword_prefix": m.Prefix != nil && *m.Prefix != "",
		"end_of_word_suffix":        m.Suffix != "",
		"byte_fallback":             m.ByteFallback,
		"ignore_merges":             m.IgnoreMerges,
		"use_regex: false":          regular != nil && !*regular,
	} {
		if present {
			return fmt.Errorf("%w: BPE with %s; engram reads tokenizers of RoBERTa's kind, without", ErrNoModel, name)
		}
	}
	return nil
}

// robertaLayout reads the special tokens of RobertaProcessing.
func (file tokenizerJSON) robertaLayout() (layout, error) {
	var processor struct {
		Type  string       `json:"type"`
		Begin specialToken `json:"cls"`
		End   specialToken `json:"sep"`
	}
	if len(file.PostProcessor) > 0 {
		if err := json.Unmarshal(file.PostProcessor, &processor); err != nil {
			return layout{}, fmt.Errorf("%w: the post-processor: %v", ErrDamaged, err)
		}
	}
	if processor.Type != "RobertaProcessing" {
		return layout{}, fmt.Errorf("%w: BPE with a post-processor of type %q; engram knows RobertaProcessing", ErrNoModel, processor.Type)
	}
	if !processor.Begin.known || !processor.End.known {
		return layout{}, fmt.Errorf("%w: the post-processor has no cls or no sep", ErrDamaged)
	}
	return layout{begin: processor.Begin.id, end: processor.End.id, between: 2, behindPadding: true}, nil
}

// specialToken is a special token of a post-processor, ["</s>", 2].
type specialToken struct {
	id    int32
	known bool
}

// UnmarshalJSON takes the identifier.
func (s *specialToken) UnmarshalJSON(b []byte) error {
	var parts []any
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	if len(parts) == 2 {
		id, ok := parts[1].(float64)
		s.id, s.known = int32(id), ok && id >= 0 && id <= math.MaxInt32 && id == math.Trunc(id)
	}
	if !s.known {
		return errors.New("a special token is not a name with an identifier")
	}
	return nil
}

// parseMerges reads ["Ġ t", …] or, in files since 2024, [["Ġ", "t"], …].
func parseMerges(b json.RawMessage) (merges [][2]string, err error) {
	var lines []string
	if json.Unmarshal(b, &lines) != nil {
		err = json.Unmarshal(b, &merges)
		return merges, err
	}
	for _, line := range lines {
		left, right, _ := strings.Cut(line, " ")
		merges = append(merges, [2]string{left, right})
	}
	return merges, nil
}

// fill takes the vocabulary and the merges.
func (b *bytePairs) fill(vocabulary []piece, merges [][2]string) error {
	ids := make(map[string]int32, len(vocabulary))
	for _, p := range vocabulary {
		ids[p.text] = p.id
		b.highest = max(b.highest, p.id)
	}
	for at, name := range byteNames() {
		id, ok := ids[string(name)]
		if !ok {
			return fmt.Errorf("the vocabulary has no piece %q for the byte %#02x", name, at)
		}
		b.bytes[at] = id
	}
	b.merges = make(map[neighbours]merge, len(merges))
	for rank, m := range merges {
		left, hasLeft := ids[m[0]]
		right, hasRight := ids[m[1]]
		whole, hasWhole := ids[m[0]+m[1]]
		if !hasLeft || !hasRight || !hasWhole {
			return fmt.Errorf("the merges: %.40q and %.40q, which are not both in the vocabulary", m[0], m[1])
		}
		b.merges[neighbours{left, right}] = merge{int32(rank), whole}
	}
	return nil
}
