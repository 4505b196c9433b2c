package hooks

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// share pushes the memory as well, to a remote that has it already. The first push of the
// memory to a remote is up to a person.
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

// pushes reads the references that git is about to push, to the end, and reports whether a
// branch is among them: pushing it twice at once would make git's push fail.
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
