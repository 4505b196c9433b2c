package web_test

import (
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// TestAtOnce: many requests at once lose nothing and pass no budget.
func TestAtOnce(t *testing.T) {
	g := newGateway(t, true)
	const each = 6
	var (
		wg                  sync.WaitGroup
		pulled, denied, put atomic.Int64
	)
	pull := g.ref("internal/auth.go#L1")
	for i := range each {
		wg.Go(func() {
			switch a := g.as(t, "child", "POST", "/pointer/deref", object{"pointer": pull}); a.status {
			case 200:
				pulled.Add(1)
			case 403:
				denied.Add(1)
			default:
				t.Errorf("deref: %d %s", a.status, a.body)
			}
		})
		wg.Go(func() {
			e := g.engram(fmt.Sprintf("Worker %d of the pool never ends.", i))
			e["tags"] = []string{fmt.Sprintf("worker%d", i)}
			if a := g.as(t, "other", "POST", "/engram", e); a.status == 201 {
				put.Add(1)
			} else {
				t.Errorf("put: %d %s", a.status, a.body)
			}
		})
		wg.Go(func() {
			if a := g.as(t, "planner", "GET", "/engram/query?q="+url.QueryEscape("which worker ends?"), nil); a.status != 200 {
				t.Errorf("query: %d %s", a.status, a.body)
			}
		})
		wg.Go(func() {
			if a := g.as(t, "planner", "POST", "/grant", object{"child": "child", "pointer": pull}); a.status != 201 {
				t.Errorf("grant: %d %s", a.status, a.body)
			}
		})
	}
	wg.Wait()
	if pulled.Load() != 3 || denied.Load() != each-3 || put.Load() != each {
		t.Errorf("%d pulled, %d denied, %d put", pulled.Load(), denied.Load(), put.Load())
	}
	for i := range each {
		o := g.got(t, 200, "child", "GET", fmt.Sprintf("/engram/query?keys=worker%d", i), nil)
		if at(t, o, "engrams.0.id") == nil {
			t.Errorf("the engram of worker %d is not found: %v", i, o)
		}
	}
	if n := len(g.got(t, 200, "planner", "GET", "/grants?child=child", nil)["grants"].([]any)); n != each {
		t.Errorf("%d grants", n)
	}
}
