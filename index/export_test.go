package index

import (
	"slices"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/facts"
	"engram/internal/vectors"
)

// What the tests need of the inside.

type (
	DocID  = docID
	Traits = traits
)

func (d docID) With(t Traits) DocID { d.traits = t; return d }

func (d docID) Encode() string            { return d.encode() }
func DecodeDocID(s string) (DocID, error) { return decodeDocID(s) }
func (v *View) Segments() int             { return len(v.store.segs) }

// Names lists the documents of the index, all that is known of each.
func (v *View) Names() ([]string, error) {
	var names []string
	for _, seg := range v.store.segs {
		for it := seg.all().Iterator(); it.HasNext(); {
			id, err := seg.id(it.Next())
			if err != nil {
				return nil, err
			}
			names = append(names, id.encode())
		}
	}
	slices.Sort(names)
	return names, nil
}

// WriteStamp overwrites the versions of the index in dir.
func WriteStamp(x *Index, layout, analysis int) error {
	s, err := openStore(x.current(), toWrite)
	if err != nil {
		return err
	}
	if err := s.refresh(); err != nil {
		return err
	}
	st, err := s.readStamp()
	if err != nil {
		return err
	}
	st.Layout, st.Analysis = layout, analysis
	if err := s.write(bleveapi.NewBatch(), &st); err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	return sealFolder(x.current(), st.Revision)
}

// FactKeys lists the hash keys of a fact, each with the letter of its kind.
func FactKeys(f facts.Fact, concepts []string) []string {
	return keyTexts((&analyzer{}).factKeys(f, concepts))
}

func QuestionKeys(text string, concepts []string) []string {
	return keyTexts((&analyzer{}).questionKeys(text, concepts))
}

func keyTexts(keys []hashKey) []string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = string(k.kind) + " " + k.text
	}
	return texts
}

func HashTerm(kind byte, text string) string { return hashKey{kind, text}.term() }

// The files of the vectors.
const (
	VectorFile    = vectorFile
	VectorState   = embeddedFile
	VectorLock    = vectorLock
	NeighbourFile = neighbourFile
	DeadRows      = deadRows
)

// Rows is how many vectors there are.
func (x *Index) Rows() int {
	file, err := vectors.Open(x.vectorPath(vectorFile))
	if err != nil {
		return 0
	}
	defer func() { _ = file.Close() }()
	return file.Len()
}

func (x *Index) VectorPath(name string) string { return x.vectorPath(name) }

// GlimpseAgrees reports whether a glimpse of a name shows what the whole does.
func GlimpseAgrees(d DocID) bool {
	g, err := glimpseOf([]byte(d.encode()))
	return err == nil && g.text == d.Text && g.planned == d.Planned && g.window.From.Equal(d.Window.From) && g.window.Until.Equal(d.Window.Until)
}
