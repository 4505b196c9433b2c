package hooks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// share carries the memory along with a push to a remote that has it already.
// To push it to one that has not is a person's decision.
func (r *runner) share(ctx context.Context) ([]string, error) {
	ref := "refs/heads/" + r.Branch
	carried := pushes(r.Stdin, ref)
	if carried || len(r.Args) == 0 {
		return nil, nil
	}
	remote := r.Args[0]
	there := valueOf(r.Place, "refs/remotes/"+remote+"/"+r.Branch)
	if here := valueOf(r.Place, ref); here == "" || there == "" || here == there {
		return nil, nil
	}
	m, done, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := m.Share(ctx, remote); err != nil && ctx.Err() == nil {
		return []string{fmt.Sprintf("the memory was not pushed to %s: %v", remote, err)}, nil
	}
	return nil, nil
}

// pushes reads what git says it is going to push, to the end, and tells whether a
// branch is part of it: pushing that twice at once would make git's fail.
func pushes(stdin io.Reader, ref string) (found bool) {
	if stdin == nil {
		return false
	}
	for lines := bufio.NewScanner(stdin); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // local ref, its value, remote ref, its value
		if len(fields) == 4 && (fields[0] == ref || fields[2] == ref) {
			found = true
		}
	}
	return found
}
