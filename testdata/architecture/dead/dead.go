// Package dead exports more than its module needs.
package dead

import "fmt"

// Used is called by a command.
func Used() string { return fmt.Sprint(Type{}, List[int]{}.First(), usedInside()) }

// UsedInside is called by its own package.
func UsedInside() int { return 1 }

func usedInside() int { return UsedInside() }

// OtherBuild is called by a file of another build.
func OtherBuild() {}

// OnlyItself calls itself.
func OnlyItself() { OnlyItself() }

// OnlyTests is called by a test.
func OnlyTests() {}

// Type has a method that fmt calls.
type Type struct{ hidden }

// String implements fmt.Stringer.
func (Type) String() string { return "" }

// Is is called by errors.Is.
func (Type) Is(error) bool { return false }

// OnlyTests is called by a test.
func (Type) OnlyTests() {}

type hidden struct{}

// Read is promoted to Type, which satisfies an interface with it.
func (hidden) Read([]byte) (int, error) { return 0, nil }

// List is generic.
type List[T any] []T

// First is called on an instance.
func (l List[T]) First() (first T) { return first }

// Bounds of what nobody asks for.
const (
	Limit = 1
	limit = 2
)

// Asserted satisfies an interface, and that is all.
type Asserted struct{}

// Copy belongs to a type that nothing uses.
func (Asserted) Copy() Asserted { return Asserted{} }

var _ fmt.Stringer = Type{}
var _ = Asserted{}
var _ = limit
