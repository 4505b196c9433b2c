//go:build !(linux || darwin || freebsd)

package model

import (
	"errors"
	"os"
)

// mapFile is not there on this system: the table is read.
func mapFile(*os.File) (b []byte, free func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}
