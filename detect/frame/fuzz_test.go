package frame_test

import (
	"testing"

	"engram/detect/frame"
	"engram/detect/quantity"
)

// FuzzRead: no claim makes a reader panic, and reading twice gives as many statements.
func FuzzRead(f *testing.F) {
	f.Add("Sessions live 30 minutes, sliding; not 1,5 h.")
	f.Add("between 3 and 4 GiB until 2026-04-30")
	f.Add("1e999 ½ ٣ -- 10^ %")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		if a, b := len(quantity.Read(quantity.Split(text))), len(quantity.Read(quantity.Split(text))); a != b {
			t.Fatalf("%q has %d quantities, then %d", text, a, b)
		}
		frame.Read(text)
	})
}
