package model

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a piece of a text.
type token struct {
	id         int32
	begins     bool  // begins a word; otherwise it continues one
	start, end int32 // bytes of the text
}

// pieces is the state of splitting one text. The zero value is ready for use; reusing it
// saves allocations.
type pieces struct {
	*tokenizer
	tokens     []token
	word       []byte  // normalised
	starts     []int32 // for each byte of word, where its character begins in the text
	ends       []int32
	decomposed []byte
}

// encode splits a text into tokens, without special ones. The result is valid until the
// next call with the same p.
func (t *tokenizer) encode(p *pieces, text string) []token {
	p.tokenizer, p.tokens = t, p.tokens[:0]
	p.clear()
	for at := 0; at < len(text); {
		c := text[at]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[at:])
			p.other(r, text[at:at+size], int32(at), int32(at+size))
			at += size
			continue
		}
		from, to := int32(at), int32(at+1)
		at++
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			if t.clean && (c == '\v' || c == '\f') {
				continue // control characters are removed before words are split
			}
			p.flush()
		case c < ' ' || c == 0x7f:
			if !t.clean {
				p.byte(c, from, to)
			}
		case isPunctuation(rune(c)):
			p.flush()
			p.byte(c, from, to)
			p.flush()
		case t.lower && c >= 'A' && c <= 'Z':
			p.byte(c+'a'-'A', from, to)
		default:
			p.byte(c, from, to)
		}
	}
	p.flush()
	return p.tokens
}

// other adds a character that is not ASCII.
func (p *pieces) other(r rune, text string, from, to int32) {
	switch {
	case p.clean && (r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)):
		return
	case unicode.IsSpace(r):
		p.flush()
		return
	case p.chinese && isChinese(r):
		p.flush()
		defer p.flush()
	}
	if !p.accents {
		p.rune(r, from, to)
		return
	}
	p.decomposed = norm.NFD.AppendString(p.decomposed[:0], text)
	for rest := p.decomposed; len(rest) > 0; {
		d, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		if !unicode.Is(unicode.Mn, d) {
			p.rune(d, from, to)
		}
	}
}

func (p *pieces) rune(r rune, from, to int32) {
	if p.lower {
		r = unicode.ToLower(r)
	}
	punctuation := isPunctuation(r)
	if punctuation {
		p.flush()
	}
	var encoded [utf8.UTFMax]byte
	for _, c := range encoded[:utf8.EncodeRune(encoded[:], r)] {
		p.byte(c, from, to)
	}
	if punctuation {
		p.flush()
	}
}

func (p *pieces) byte(c byte, from, to int32) {
	p.word, p.starts, p.ends = append(p.word, c), append(p.starts, from), append(p.ends, to)
}

func (p *pieces) clear() { p.word, p.starts, p.ends = p.word[:0], p.starts[:0], p.ends[:0] }

// flush splits the word into pieces: the longest one in the vocabulary, and then the rest
// in the same way. A word with an unknown part is unknown.
func (p *pieces) flush() {
	if len(p.word) == 0 {
		return
	}
	defer p.clear()
	first := len(p.tokens)
	known := len(p.word) <= p.maxWord || utf8.RuneCount(p.word) <= p.maxWord
	for start := 0; known && start < len(p.word); {
		id, end := p.match(start)
		if known = end > start; known {
			p.tokens = append(p.tokens, token{id, start == 0, p.starts[start], p.ends[end-1]})
		}
		start = end
	}
	if !known {
		p.tokens = append(p.tokens[:first], token{p.unknown, true, p.starts[0], p.ends[len(p.word)-1]})
	}
}

// match finds the longest piece at start; end is start if there is none.
func (p *pieces) match(start int) (id int32, end int) {
	vocabulary := p.words
	if start > 0 {
		vocabulary = p.rest
	}
	for end = min(len(p.word), start+p.longest); end > start; end-- {
		if end < len(p.word) && !utf8.RuneStart(p.word[end]) {
			continue
		}
		if id, ok := vocabulary[string(p.word[start:end])]; ok {
			return id, end
		}
	}
	return 0, start
}

// isPunctuation follows BERT: of ASCII, everything but letters, digits, space and control
// characters.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return unicode.IsPunct(r)
}

// isChinese follows BERT: the CJK blocks, without Hangul and kana.
func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF ||
		r >= 0x2A700 && r <= 0x2B73F || r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}
