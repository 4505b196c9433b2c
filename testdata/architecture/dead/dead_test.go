package dead

import "testing"

func TestOnlyTests(*testing.T) {
	OnlyTests()
	Type{}.OnlyTests()
}
