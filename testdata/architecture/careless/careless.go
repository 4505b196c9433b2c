package careless

import "context"

type request struct {
	ctx context.Context
}

type embedding struct{ context.Context }

type nested struct {
	inner []struct{ ctx context.Context }
}

// passed takes a context as it should.
type passed struct {
	run func(ctx context.Context) error
}

func Bare() {}

// Limits of nothing, told as a group.
const (
	Low  = 1
	High = 2
)

var (
	Loose = 1
	Told  = 2 // has a comment on its line
)

type Type struct{}

func (Type) Method() {}

func (Type) String() string { return "" }

func (passed) hidden() {}
