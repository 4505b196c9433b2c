//go:build unix

package gitstore_test

import (
	"os/signal"
	"syscall"
)

// limitFileSize keeps this process from making files beyond limit bytes.
func limitFileSize(limit int) error {
	if limit == 0 {
		return nil
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(limit), Max: uint64(limit)})
}
