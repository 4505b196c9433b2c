package object

import (
	"fmt"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// MaxCommit bounds a commit object: an import lists one line a fact.
const MaxCommit = 64 << 20

// TreeOf is the name of a commit's tree.
func TreeOf(obj gitcmd.Object) (string, error) {
	rest, ok := strings.CutPrefix(string(obj.Data[:min(len(obj.Data), 46)]), "tree ")
	if obj.Kind != "commit" || !ok || len(rest) < 40 {
		return "", fmt.Errorf("%s is a %s, not a commit", obj.Name, obj.Kind)
	}
	return rest[:40], nil
}
