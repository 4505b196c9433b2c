package model

import "io/fs"

// OpenStatic opens a table in a file system without a folder, whose files cannot
// be mapped into memory and may have no time.
func OpenStatic(fsys fs.FS) (*Static, error) {
	names, err := filesOf(fsys, KindStatic)
	if err != nil {
		return nil, err
	}
	record, _, err := identify(fsys, names)
	if err != nil {
		return nil, err
	}
	return openStatic(fsys, record)
}
