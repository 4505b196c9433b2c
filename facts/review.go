package facts

import (
	"slices"
	"strings"
)

// ProposedSuffix is what the branch of proposed facts has after the name of the
// memory branch.
const ProposedSuffix = "-proposed"

// Any reports whether facts of anybody have to be reviewed.
func (r Review) Any() bool { return r.UnknownAuthors || len(r.Namespaces) > 0 }

// MayAccept reports whether an author may decide on what is proposed: those that
// Authors lists, or everybody where it lists nobody, because else nobody could.
func (r Review) MayAccept(email string) bool {
	return len(r.Authors) == 0 || slices.Contains(r.Authors, strings.ToLower(email))
}
