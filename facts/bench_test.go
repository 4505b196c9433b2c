package facts_test

import (
	"testing"

	"engram/facts"
)

// sample is a fact of about 670 bytes, the size of those measured in
// MEASUREMENTS.md.
func sample() facts.Fact {
	f := full()
	f.Detail, f.Unknown, f.Provenance.Unknown, f.Pointers = "", nil, nil, f.Pointers[:1]
	f.Tags, f.ValidUntil, f.Provenance.Evidence = f.Tags[:2], minimal().ValidUntil, ""
	return f
}

func BenchmarkParseCanonical(b *testing.B) {
	text := facts.Marshal(sample())
	if _, ok := facts.ParseCanonical(text); !ok {
		b.Fatal("not canonical")
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := facts.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseReference(b *testing.B) {
	text := facts.Marshal(sample())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := facts.ParseYAML(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarshal(b *testing.B) {
	f := sample()
	b.SetBytes(int64(len(facts.Marshal(f))))
	b.ReportAllocs()
	for b.Loop() {
		facts.Marshal(f)
	}
}

func BenchmarkValidate(b *testing.B) {
	f := sample()
	b.ReportAllocs()
	for b.Loop() {
		if err := facts.Validate(f, facts.Manifest{}); err != nil {
			b.Fatal(err)
		}
	}
}
