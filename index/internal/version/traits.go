package version

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"engram/facts"
)

// Traits are what ranking needs to know of a version beyond its text. They depend only on
// the bytes of the version.
type Traits struct {
	Text       uint64 // digest of the claim: the key of its vector
	Committed  time.Time
	Agent      string
	Type       facts.Type
	Verified   bool
	Ephemeral  bool
	Entities   uint8 // how many concepts the claim names, 255 at most
	Confidence uint8 // in percent; unstated if above 100
	Depth      uint8 // segments of the scope
	Numbers    uint16
	For        string // the key that it replaces on its code branch; "" if it is bound to none
	Kind       facts.Kind
	Scope      string
	Retirement bool // the version does nothing but end the fact
	Limited    bool // only its TTL ends it
}

const unstated = math.MaxUint8

// traitsOf derives the traits of a fact.
func traitsOf(f facts.Fact, concepts []string) Traits {
	f = f.WithDefaults()
	t := Traits{
		Text: ClaimDigest(f.Claim), Committed: f.Provenance.CreatedAt, Agent: f.Provenance.Agent, Type: f.Type,
		Verified: f.Verified(), Ephemeral: f.Durability == facts.Ephemeral, Entities: uint8(min(len(concepts), math.MaxUint8)),
		Confidence: unstated, Numbers: numbersDigest(f.Claim), Kind: f.Kind, Scope: f.Scope,
		Retirement: f.Operation == facts.OpDelete && !f.ValidUntil.IsZero(), Limited: f.TTL != "" && f.ValidUntil.IsZero(),
	}
	if t.Committed.IsZero() { // written by hand
		t.Committed = f.ValidFrom
	}
	if f.Branch != "" {
		t.For = f.For.String()
	}
	if f.Confidence != nil {
		t.Confidence = uint8(math.Round(min(max(*f.Confidence, 0), 1) * 100))
	}
	if f.Scope != "" {
		t.Depth = uint8(min(strings.Count(f.Scope, "/")+1, math.MaxUint8))
	}
	return t
}

// ClaimDigest is the key of a claim's vector. The filter term of its content hash consists
// of the same digest, so that one leads to the other.
func ClaimDigest(claim string) uint64 {
	sum := sha256.Sum256([]byte(facts.ContentHash(claim)))
	return binary.BigEndian.Uint64(sum[:digestSize])
}

// ClaimTerm is the filter term of the claims with a digest.
func ClaimTerm(digest uint64) string {
	return string(binary.BigEndian.AppendUint64([]byte(ByHash), digest))
}

// numbersDigest is a digest of the numbers in a claim and of whether it is negated.
// Embeddings hardly distinguish "30 s" from "60 s", or "is" from "is not": claims that
// differ in either say different things, however near their vectors are.
func numbersDigest(claim string) uint16 {
	var numbers []string
	denials := 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(claim), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\''
	}) {
		switch {
		case strings.ContainsAny(word, "0123456789"):
			numbers = append(numbers, word)
		case word == "not" || word == "no" || word == "never" || word == "without" || strings.HasSuffix(word, "n't"):
			denials++
		}
	}
	if len(numbers) == 0 && denials == 0 {
		return 0
	}
	slices.Sort(numbers)
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.Join(slices.Compact(numbers), " ")))
	_, _ = h.Write([]byte{byte(denials % 2)})
	return uint16(h.Sum32())
}

const (
	traitVerified = 1 << iota
	traitEphemeral
	traitInference
	traitDecision
	traitFor
	traitRetirement
	traitLimited
)

// otherKind stands for a kind that is not in facts.Kinds, by whose order the others are
// numbered: another order is another layout. Its name follows.
const otherKind = math.MaxUint8

// append adds the traits to the name of a document whose window begins at from: most facts
// begin to hold when they are committed.
func (t Traits) append(b []byte, from time.Time) []byte {
	flags := byte(0)
	if t.Verified {
		flags |= traitVerified
	}
	if t.Ephemeral {
		flags |= traitEphemeral
	}
	switch t.Type {
	case facts.Inference:
		flags |= traitInference
	case facts.Decision:
		flags |= traitDecision
	}
	if t.For != "" {
		flags |= traitFor
	}
	if t.Retirement {
		flags |= traitRetirement
	}
	if t.Limited {
		flags |= traitLimited
	}
	b = append(b, flags, t.Entities, t.Confidence, t.Depth)
	b = binary.BigEndian.AppendUint16(b, t.Numbers)
	b = binary.BigEndian.AppendUint64(b, t.Text)
	b = binary.AppendVarint(b, t.Committed.UnixMilli()-from.UnixMilli())
	if t.For != "" {
		b = append(append(b, t.For...), 0)
	}
	if kind := slices.Index(facts.Kinds(), t.Kind); kind >= 0 {
		b = append(b, byte(kind))
	} else {
		b = appendText(append(b, otherKind), string(t.Kind))
	}
	return append(appendText(b, t.Scope), t.Agent...)
}

const fixedTraits = 4 + 2 + 8

func decodeTraits(s string, from time.Time) (Traits, error) {
	if len(s) <= fixedTraits {
		return Traits{}, errors.New("document name without traits")
	}
	committed, n := binary.Varint([]byte(s[fixedTraits:min(len(s), fixedTraits+binary.MaxVarintLen64)]))
	if n <= 0 {
		return Traits{}, errors.New("document name without a date")
	}
	flags, rest, key := s[0], s[fixedTraits+n:], ""
	if flags&traitFor != 0 {
		var ok bool
		if key, rest, ok = strings.Cut(rest, "\x00"); !ok {
			return Traits{}, errors.New("document name without the key that it is for")
		}
	}
	kind, rest, kindRead := cutKind(rest)
	scope, rest, scopeRead := cutText(rest)
	if !kindRead || !scopeRead {
		return Traits{}, errors.New("document name without a kind and a scope")
	}
	t := Traits{
		Text: binary.BigEndian.Uint64([]byte(s[6:14])), Committed: time.UnixMilli(from.UnixMilli() + committed).UTC(), Agent: rest, For: key,
		Type: facts.Observation, Verified: flags&traitVerified != 0, Ephemeral: flags&traitEphemeral != 0,
		Entities: s[1], Confidence: s[2], Depth: s[3], Numbers: binary.BigEndian.Uint16([]byte(s[4:6])),
		Kind: kind, Scope: scope, Retirement: flags&traitRetirement != 0, Limited: flags&traitLimited != 0,
	}
	switch {
	case flags&traitInference != 0:
		t.Type = facts.Inference
	case flags&traitDecision != 0:
		t.Type = facts.Decision
	}
	return t, nil
}

// cutKind splits what follows a kind from the kind.
func cutKind(s string) (kind facts.Kind, rest string, ok bool) {
	known := facts.Kinds()
	switch {
	case s == "":
		return "", "", false
	case int(s[0]) < len(known):
		return known[s[0]], s[1:], true
	}
	text, rest, ok := cutText(s[1:])
	return facts.Kind(text), rest, ok && s[0] == otherKind
}

// appendText adds a text after its length.
func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// cutText splits what follows a text from the text, which begins with its length.
func cutText(s string) (text, rest string, ok bool) {
	length, n := binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
	if n <= 0 || length > uint64(len(s)-n) {
		return "", "", false
	}
	end := n + int(length)
	return s[n:end], s[end:], true
}
