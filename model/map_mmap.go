//go:build linux || darwin || freebsd

package model

import (
	"errors"
	"math"
	"os"
	"syscall"
)

// mapFile maps a file into memory, read only: a table then costs what is looked
// up in it, and several processes share one copy.
func mapFile(f *os.File) (b []byte, free func() error, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() < 1 || info.Size() > math.MaxInt32 {
		return nil, nil, errors.ErrUnsupported
	}
	b, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return b, func() error { return syscall.Munmap(b) }, nil
}
