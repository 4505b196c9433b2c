//go:build !unix

package gitstore_test

import "errors"

func limitFileSize(limit int) error {
	if limit == 0 {
		return nil
	}
	return errors.ErrUnsupported
}
