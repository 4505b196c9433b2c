// Package facts says what a fact is: its key, its fields, its canonical YAML,
// what makes it valid, and how two versions of it merge.
//
// Everything here is pure: values in, values out, no I/O, no clock, no
// randomness. The package does not know git, an index or a command; it is
// what they all agree on. docs/format.md is the normative text it implements.
package facts
