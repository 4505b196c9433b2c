package version

import (
	"crypto/sha256"

	bleveapi "github.com/blevesearch/bleve_index_api"
)

// The methods below make Document a bleveapi.Document and field a bleveapi.Field. Nothing
// is left for Bleve to analyze.

// ID is what Bleve finds a document by to delete it: a digest of its name,
// because the names, all different and long, would make the largest dictionary.
func (d *Document) ID() string { return StoredID(d.name) }

// MakeDocument returns a document that is found by its name, by the terms of a text,
// with their frequencies and the length of the text, and by exact filter terms. What is stored
// with it comes back as it is.
func MakeDocument(name string, text bleveapi.TokenFrequencies, length int, filters bleveapi.TokenFrequencies, stored []byte) *Document {
	d := &Document{name: name, fields: []bleveapi.Field{
		&field{name: FilterField, options: bleveapi.IndexField | bleveapi.SkipFreqNorm, length: 1, terms: filters},
	}}
	if length > 0 {
		d.fields = append(d.fields, &field{name: TextField, options: bleveapi.IndexField, length: length, terms: text})
	}
	if stored != nil {
		d.fields = append(d.fields, &field{name: StoredField, value: stored, options: bleveapi.StoreField})
	}
	return d
}

// maxShared is up to which number Frequency returns shared values.
const maxShared = 64

var shared = func() (all [maxShared]bleveapi.TokenFreq) {
	for n := range all {
		all[n].SetFrequency(n)
	}
	return all
}()

// Frequency is the frequency of a term in a text. Bleve takes the term from the key of the map
// and changes nothing, so most of them are the same few: they take no memory.
func Frequency(n int) *bleveapi.TokenFreq {
	if n < maxShared {
		return &shared[n]
	}
	f := &bleveapi.TokenFreq{}
	f.SetFrequency(n)
	return f
}

// storedIDSize is long enough to keep the digests of all names in an index distinct.
const storedIDSize = 12

// StoredID is the ID by which Bleve finds the document with a name.
func StoredID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return string(sum[:storedIDSize])
}

// AddIDField adds the field from which Bleve reads the ID of the document. The field is
// indexed by the digest, and stores the name, which store.Segment.ID loads.
func (d *Document) AddIDField() {
	id := d.ID()
	d.fields = append(d.fields, &field{
		name: IDField, value: []byte(d.name), options: bleveapi.IndexField | bleveapi.StoreField | bleveapi.SkipFreqNorm,
		length: 1, terms: bleveapi.TokenFrequencies{id: {Term: []byte(id)}},
	})
}

// VisitFields is bleveapi.Document's.
func (d *Document) VisitFields(visit bleveapi.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

// VisitComposite is bleveapi.Document's: a version has no composite fields.
func (d *Document) VisitComposite(bleveapi.CompositeFieldVisitor) {}

// HasComposite is bleveapi.Document's.
func (d *Document) HasComposite() bool { return false }

// NumPlainTextBytes is bleveapi.Document's.
func (d *Document) NumPlainTextBytes() uint64 { return 0 }

// StoredFieldsBytes is bleveapi.Document's.
func (d *Document) StoredFieldsBytes() uint64 { return uint64(len(d.name)) }

// Indexed is bleveapi.Document's.
func (d *Document) Indexed() bool { return true }

// Size returns the length of the name, in bytes.
func (d *Document) Size() int { return len(d.name) }

func (f *field) Name() string { return f.name }

func (f *field) Value() []byte { return f.value }

func (f *field) ArrayPositions() []uint64 { return nil }

func (f *field) EncodedFieldType() byte { return 't' }

func (f *field) Analyze() {}

func (f *field) Options() bleveapi.FieldIndexingOptions { return f.options }

func (f *field) AnalyzedLength() int { return f.length }

func (f *field) AnalyzedTokenFrequencies() bleveapi.TokenFrequencies { return f.terms }

func (f *field) NumPlainTextBytes() uint64 { return 0 }
