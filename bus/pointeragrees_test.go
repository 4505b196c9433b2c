package bus_test

import (
	"testing"

	"engram/bus"
)

func TestCheckGranted(t *testing.T) {
	for _, c := range []struct {
		p      bus.Pointer
		prefix bool
		fine   bool
	}{
		{bus.Pointer{Type: "repo", Ref: "repo:services/"}, true, true},
		{bus.Pointer{Type: "sam", Ref: "repo:services/"}, true, false},
		{bus.Pointer{Ref: "repo:services/"}, true, false},
		{bus.Pointer{Type: "repo", Ref: "repo:services/", Span: "L1"}, true, false},
		{bus.Pointer{Type: "repo", Ref: "repo:a.go#L1-L2@0123abc", Span: "L1-L2"}, false, true},
		{bus.Pointer{Type: "repo", Ref: "repo:a.go#L1-L2@0123abc", Span: "L1-L9"}, false, false},
		{bus.Pointer{Type: "test", Ref: "repo:a.go#L1-L2@0123abc"}, false, false},
	} {
		if err := bus.CheckGranted(c.p, c.prefix); (err == nil) != c.fine {
			t.Errorf("%+v, prefix %v: %v", c.p, c.prefix, err)
		}
	}
}
