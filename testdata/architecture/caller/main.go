// Command caller uses the other packages.
package main

import (
	"sample/careless"
	"sample/circle"
	"sample/dead"
)

// Exported names of a command are nobody's business.
func Exported() {}

func main() {
	careless.Bare()
	println(careless.Low, careless.High, careless.Loose, careless.Told)
	careless.Type{}.Method()
	var _ careless.Alias
	var _ careless.Passed
	circle.Both(1)
	println(dead.Used())
}
