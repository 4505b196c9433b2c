package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index"
)

// TestScopeOnlyFilters: within a scope a question finds the same facts in the same order as
// without it, whether the scope is a small or a large part of the index.
func TestScopeOnlyFilters(t *testing.T) {
	words := strings.Fields("gateway limit retry cache token queue export invoice region schema")
	var list []facts.Fact
	for n := range 120 {
		scope := "large"
		if n%12 == 0 {
			scope = "small"
		}
		claim := strings.Join([]string{words[n%10], words[n*7%9], words[n*3%8], "holds", fmt.Sprint(n)}, " ")
		list = append(list, fact(t, fmt.Sprintf("domain/%s/f%d", scope, n), claim, 1+n%9, func(f *facts.Fact) { f.Scope = scope }))
	}
	x, m := indexOf(t, list...)
	for _, question := range []string{"gateway limit", "token region schema holds", "holds 24", "invoice"} {
		all := find(t, x, m, index.Query{Text: question, Limit: 200})
		for _, scope := range []string{"small", "large"} {
			want := []string{}
			for _, key := range all {
				if strings.HasPrefix(key, "domain/"+scope+"/") {
					want = append(want, key)
				}
			}
			if diff := cmp.Diff(want, find(t, x, m, index.Query{Text: question, Scope: scope, Limit: 200})); diff != "" || len(all) == 0 {
				t.Errorf("%q in %s:\n%s", question, scope, diff)
			}
		}
	}
}
