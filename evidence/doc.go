// Package evidence resolves pointers in file contents: which bytes a pointer names,
// their digest, and whether another version of the file still has them.
//
// The package is pure: it takes contents and returns values. gitstore reads the files
// of commits and work trees; memory knows which facts depend on them.
package evidence
