package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"engram/index"
	"engram/internal/filelock"
)

// TestGlance: what is there is used as it is, whatever writers do; what is not, or
// cannot be used, is not made.
func TestGlance(t *testing.T) {
	m := grown(50, 2)
	dir := filepath.Join(t.TempDir(), "index")
	x := index.New(dir, m, nil)
	never := func(*index.View) error { t.Error("called without an index"); return nil }
	if _, err := x.Glance(ctx, never); !errors.Is(err, index.ErrNotReady) {
		t.Errorf("without an index: %v", err)
	}
	_, err := x.CatchUp(ctx, m.name(1))
	must(t, err)
	unlock, err := filelock.Acquire(ctx, filepath.Join(dir, "write.lock"), filelock.Exclusive) // somebody is about to write
	must(t, err)
	seen := ""
	report, err := x.Glance(ctx, func(v *index.View) error { seen = v.Revision(); return nil })
	must(t, errors.Join(err, unlock()))
	if seen != m.name(1) || report.Revision != seen || report.Rebuilt {
		t.Errorf("it saw %q, report %+v", seen, report)
	}
	wrong := errors.New("wrong")
	if _, err := x.Glance(ctx, func(*index.View) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("an error of who looks: %v", err)
	}
	must(t, os.Truncate(current(t, dir, "root.bolt")[0], 0))
	if _, err := x.Glance(ctx, never); !errors.Is(err, index.ErrNotReady) {
		t.Errorf("of a damaged index: %v", err)
	}
	if _, err := x.CatchUp(ctx, m.tip()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
