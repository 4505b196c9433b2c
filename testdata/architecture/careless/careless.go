package careless

import "context"

type request struct {
	ctx context.Context
}

type embedding struct{ context.Context }

type nested struct {
	inner []struct{ ctx context.Context }
}

// Passed takes a context as it should.
type Passed struct {
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

// Names that a user of this package need not import others for.
type (
	Type  struct{}
	Alias = context.Context
)

func (Type) Method() {}

func (Type) String() string { return "" }

func (Passed) hidden() {}
