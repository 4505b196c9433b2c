package code

import "testing"

// FuzzParseMoves: nothing that git diff prints makes a reader panic.
func FuzzParseMoves(f *testing.F) {
	f.Add("R100\x00a.go\x00b.go\x00M\x00c.go\x00")
	f.Add("R\x00a.go")
	f.Add("D\x00\x00\x00")
	f.Fuzz(func(_ *testing.T, out string) { parseMoves(out) })
}
