package facts

import (
	"slices"
	"strings"
)

// ProposedSuffix is appended to the name of the memory branch for proposed facts.
const ProposedSuffix = "-proposed"

// Any reports whether any facts have to be reviewed.
func (r Review) Any() bool { return r.UnknownAuthors || len(r.Namespaces) > 0 }

// MayAccept reports whether an author may decide on proposed facts. If Authors is
// empty, everybody may.
func (r Review) MayAccept(email string) bool {
	return len(r.Authors) == 0 || slices.Contains(r.Authors, strings.ToLower(email))
}
