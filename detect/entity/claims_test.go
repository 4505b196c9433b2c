package entity_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/detect/entity"
)

// claim is a text with the entities to be found in it, as line prints them.
type claim struct {
	text string
	want string
}

// line prints an entity: the key of what it is, the value, and what is said
// about it.
func line(e entity.Entity) string {
	var b strings.Builder
	b.WriteString(string(e.Type) + ":" + e.Of)
	if e.Of != "" {
		b.WriteString("/")
	}
	b.WriteString(e.Name)
	switch {
	case e.Type == entity.Number:
		fmt.Fprintf(&b, "%s=%s%v %s", "", string(e.Bound), e.Value, e.Unit)
	case e.Type == entity.Port:
		fmt.Fprintf(&b, "=%v", e.Value)
	case e.Valued():
		fmt.Fprintf(&b, "=%s%s", string(e.Bound), e.Text)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{e.Negated, "negated"}, {e.Old, "old"}, {e.Loose, "loose"}} {
		if flag.set {
			b.WriteString(" " + flag.name)
		}
	}
	if e.Condition != "" {
		b.WriteString(" [" + e.Condition + "]")
	}
	return b.String()
}

func TestClaims(t *testing.T) {
	for _, c := range claims() {
		var lines []string
		for _, e := range entity.Entities(c.text) {
			lines = append(lines, line(e))
		}
		if diff := cmp.Diff(c.want, strings.Join(lines, " | ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
		check(t, c.text)
	}
}

// TestIncompatible has pairs of claims that contradict each other or do not.
func TestIncompatible(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"AUTH_RATE_LIMIT is 1000", "AUTH_RATE_LIMIT is 2000", true},
		{"AUTH_RATE_LIMIT is 1000", "AUTH_RATE_LIMIT = 1,000", false},
		{"the auth rate limit is 1k/s", "The rate limit of auth is 2000 requests per second.", true},
		{"the auth rate limit is 1k/s", "The auth rate limit is a thousand requests per second", false},
		{"The gateway timeout is 30 s", "The gateway has a timeout of 1 min.", true},
		{"The gateway timeout is 60 s", "The gateway has a timeout of 1 min.", false},
		{"The gateway timeout is 30 s in staging", "The gateway timeout is 60 s in production", false},
		{"The worker timeout is 30 s", "The gateway timeout is 60 s", false},
		{"Session tokens live 30 minutes", "Session tokens expire after 1 hour", true},
		{"Session tokens live 60 minutes", "Session tokens expire after 1 hour", false},
		{"The timeout was raised from 30 to 60 s", "The timeout is 60 s", false},
		{"The pool size is at most 20", "The pool size is 50", true},
		{"The pool size is at most 20", "The pool size is 10", false},
		{"Billing uses Redis", "Billing does not use Redis", true},
		{"Billing uses Redis", "Shipping does not use Redis", false},
		{"Billing uses Redis", "Billing uses Kafka", false},
		{"TLS is enabled", "TLS is not enabled", true},
		{"TLS is disabled", "TLS is not enabled", false},
		{"TLS is enabled in production", "TLS is disabled in staging", false},
		{"The build uses Go 1.22", "The build uses Go 1.23", true},
		{"The build uses Go 1.22", "The linter uses Go 1.23", false},
		{"Postgres listens on port 5432", "Postgres listens on 6432", true},
		{"The cutover was completed on 2024-06-01", "The cutover was completed on 2024-07-01", true},
		{"Two containers failed", "Three containers failed", false},
		{"The export endpoint is not deprecated", "The export endpoint is deprecated", true},
		{"The cache size is about 100 MB", "The cache size is 105 MB", false},
	} {
		got := false
		for _, x := range entity.Entities(c.a) {
			for _, y := range entity.Entities(c.b) {
				if entity.Incompatible(x, y) != entity.Incompatible(y, x) {
					t.Errorf("%q, %q: not symmetric", c.a, c.b)
				}
				got = got || entity.Incompatible(x, y)
			}
		}
		if got != c.want {
			t.Errorf("%q, %q: incompatible is %v", c.a, c.b, got)
		}
	}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The gateway is slow", "service:gateway"},
		{"AUTH_RATE_LIMIT exists", "config:auth_rate_limit"},
		{"see port 5432", "port:5432"},
		{"CI runs Go 1.22", "version:go"},
		{"It took 30 s", "number:30s"},
		{"The API is at v1.2.3", "version:api"},
		{"`refreshToken` is called", "code:refreshtoken"},
		{"see Internal/Auth/token.go", "path:internal/auth/token.go"},
	} {
		got := entity.Entities(c.text)
		if len(got) == 0 || got[0].Key() != c.want {
			t.Errorf("%q gives %+v, want the key %s", c.text, got, c.want)
		}
	}
	long := entity.Entities(strings.Repeat("long", 30) + "_NAME is 5 and " + strings.Repeat("long", 30) + "_MANE is 5")
	if a, b := long[0].Key(), long[2].Key(); len(a) > 80 || a == b {
		t.Errorf("long names give %s and %s", a, b)
	}
}
