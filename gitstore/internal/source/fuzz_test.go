package source

import "testing"

// FuzzParseSources: no settings of git make a reader panic.
func FuzzParseSources(f *testing.F) {
	f.Add("engram-source.org.url\nhttps://example.com\x00engram-source.org.scope\nshared/*\x00")
	f.Add("engram-source..url\x00remote.\n\x00")
	f.Fuzz(func(_ *testing.T, out string) { parseSources(out) })
}
