// Package version describes the versions of facts as the index stores them: the
// history of a key, the windows of its versions, and the document of each, with its
// name, terms and traits. It reads blobs through a Source and writes nothing.
package version

import (
	"crypto/sha256"
	"strings"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/facts"
	"engram/internal/terms"
)

// The fields of a document in Bleve.
const (
	TextField   = "t" // terms with their frequencies and the length of the text
	FilterField = "f" // exact terms, each with a letter in front for its kind
	StoredField = "d" // what is stored with a document
	IDField     = "_id"
)

// The letters of filter terms.
const (
	ByScope       = "s" // every ancestor of the scope and itself
	ByKey         = "k" // every prefix of the key in whole segments and itself
	ByKind        = "n"
	ByType        = "y"
	ByAgent       = "a"
	ByTag         = "g" // lower case
	ByID          = "i"
	ByLineage     = "l"
	ByHash        = "h" // facts.ContentHash
	ByPointer     = "p" // the file that a pointer is into
	OnTip         = "T" // it stands on the branch
	HasPointer    = "P" // it has a pointer into a file of the repository
	IsEphemeral   = "E"
	ByReach       = "r"
	IsShared      = "S" // it may be shown to other repositories (Shared)
	IsTimeLimited = "U" // its window has an end, or begins after it was committed
	IsBound       = "B" // it holds on one code branch
	ByBranch      = "b" // which one
)

// digestSize is how many bytes of a SHA-256 stand for the value in a filter term. Most
// values (ids, keys, hashes) are unique, so their length decides the size of the index's
// dictionary and the time it takes to build.
const digestSize = 8

// FilterTerm is the term for a value of a kind.
func FilterTerm(kind, value string) string {
	sum := sha256.Sum256([]byte(value))
	return kind + string(sum[:digestSize])
}

// The weight of a word depends on where it stands: in what the fact says and is about, or
// in what supports it.
const (
	weightSaid    = 3 // claim, tags, key, scope
	weightSupport = 1 // detail, pointers, evidence
	// supportLength is how many words of support lengthen a text as much as one word of
	// weight 1: a long detail must not lower the rank of a fact.
	supportLength = 4
)

// Document is one version in the form that Bleve takes, already analyzed.
type Document struct {
	name   string // the encoded ID
	fields []bleveapi.Field
}

// field is a field of a document with the terms it is found by.
type field struct {
	name    string
	value   []byte // stored; nil otherwise
	options bleveapi.FieldIndexingOptions
	length  int
	terms   bleveapi.TokenFrequencies
}

// NewDocument analyzes a version.
func NewDocument(a *terms.Analyzer, v Version) *Document {
	f, id := v.Fact, v.ID
	text := &field{name: TextField, options: bleveapi.IndexField, terms: make(bleveapi.TokenFrequencies, 64)}
	text.weigh(a.Terms(f.Claim), weightSaid)
	text.weigh(a.Terms(subjectText(f, id.Key)), weightSaid)
	stated := text.length
	text.weigh(a.Terms(supportText(f)), weightSupport)
	text.length = max(1, stated+(text.length-stated)/supportLength)
	filter := &field{name: FilterField, options: bleveapi.IndexField | bleveapi.SkipFreqNorm, length: 1}
	filter.terms = filterTerms(f, id)
	keys := &field{name: terms.KeyField, options: bleveapi.IndexField | bleveapi.SkipFreqNorm, length: 1, terms: make(bleveapi.TokenFrequencies, terms.MaxKeys)}
	for _, k := range a.FactKeys(f, v.concepts) {
		keys.terms[k.Term()] = &bleveapi.TokenFreq{Term: []byte(k.Term())}
	}
	return &Document{name: id.Encode(), fields: []bleveapi.Field{text, filter, keys}}
}

// subjectText contains the words of the key, not the key itself, which is unique: a caller
// who knows the key filters by it.
func subjectText(f facts.Fact, key string) string {
	return strings.Join(f.Tags, " ") + " " + strings.ReplaceAll(f.Scope, "/", " ") + " " +
		strings.NewReplacer("/", " ", "-", " ").Replace(key)
}

func supportText(f facts.Fact) string {
	var b strings.Builder
	b.WriteString(f.Detail)
	for _, p := range f.Pointers {
		b.WriteByte(' ')
		if address, err := facts.ParseRef(p.Ref); err == nil {
			// Neither the commit nor the type of a pointer is a useful word.
			b.WriteString(address.Path + " " + address.Name + " " + address.URL)
		}
	}
	b.WriteByte(' ')
	b.WriteString(f.Provenance.Evidence)
	return b.String()
}

// weigh counts each term weight times.
func (f *field) weigh(terms []string, weight int) {
	for _, term := range terms {
		t, ok := f.terms[term]
		if !ok {
			t = &bleveapi.TokenFreq{Term: []byte(term)}
			f.terms[term] = t
		}
		t.SetFrequency(t.Frequency() + weight)
		f.length += weight
	}
}

func filterTerms(f facts.Fact, id ID) bleveapi.TokenFrequencies {
	f = f.WithDefaults()
	terms := make(bleveapi.TokenFrequencies, 24)
	flag := func(term string) { terms[term] = &bleveapi.TokenFreq{Term: []byte(term)} }
	add := func(kind, value string) {
		if value != "" {
			flag(FilterTerm(kind, value))
		}
	}
	eachPrefix(f.Scope, func(p string) { add(ByScope, p) })
	eachPrefix(id.Key, func(p string) { add(ByKey, p) })
	add(ByKind, string(f.Kind))
	add(ByType, string(f.Type))
	add(ByReach, string(f.Reach))
	add(ByID, f.ID)
	add(ByLineage, f.Lineage)
	flag(ClaimTerm(id.Text))
	add(ByAgent, f.Provenance.Agent)
	for _, tag := range f.Tags {
		add(ByTag, strings.ToLower(tag))
	}
	for _, p := range f.Pointers {
		if path := pointedFile(p); path != "" {
			flag(HasPointer)
			add(ByPointer, path)
		}
	}
	if id.Tip {
		flag(OnTip)
	}
	if f.Durability == facts.Ephemeral {
		flag(IsEphemeral)
	}
	if Shared(f) {
		flag(IsShared)
	}
	if timeLimited(id) {
		flag(IsTimeLimited)
	}
	if f.Branch != "" {
		flag(IsBound)
	}
	add(ByBranch, f.Branch)
	return terms
}

// pointedFile is the file or folder of the repository that a pointer refers to; "" for
// other pointers, and for those to content that never changes, such as a diff.
func pointedFile(p facts.Pointer) string {
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return ""
	}
	if address.InRepository() {
		return address.Path
	}
	return ""
}

// timeLimited reports whether a version may stand on the tip without holding.
func timeLimited(id ID) bool {
	return !id.Window.Until.IsZero() || id.Planned
}

// eachPrefix calls add for path and everything above it.
func eachPrefix(path string, add func(string)) {
	if path == "" {
		return
	}
	for i := range len(path) {
		if path[i] == '/' {
			add(path[:i])
		}
	}
	add(path)
}

// Shared reports whether a fact is meant for other repositories than its own: its reach
// says so, it is bound to no code branch, and it is not ephemeral.
func Shared(f facts.Fact) bool {
	f = f.WithDefaults()
	return (f.Reach == facts.ReachOrg || f.Reach == facts.ReachGlobal) && f.Branch == "" && f.Durability != facts.Ephemeral
}

// Version is one state that parses as a fact, with its window among all versions of the
// key.
type Version struct {
	Fact     facts.Fact
	ID       ID
	concepts []string
}
