// Package evidence says what a pointer means in a file: which of its bytes, their
// digest, and whether the same bytes still stand in another state of the file.
//
// Everything here is pure: it is given contents and returns values. What stands at
// a path in a commit or a work tree is gitstore's to read, and which facts rest on
// it is memory's to know.
package evidence
