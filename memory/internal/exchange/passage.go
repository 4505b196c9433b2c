package exchange

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// locatePassage returns the pointer to a passage; its Ref is "" if this repository has no
// such file. exact reports whether the lines are known.
func (m *Bus) locatePassage(ctx context.Context, head string, passage Retrieved) (whole budget.EngramPointer, exact bool, err error) {
	if strings.HasPrefix(passage.Path, "http://") || strings.HasPrefix(passage.Path, "https://") {
		ref := "url:" + passage.Path
		if _, err := facts.ParseRef(ref); err != nil {
			return budget.EngramPointer{}, false, nil
		}
		return budget.PointerOf(ref, ""), false, nil
	}
	file := m.repositoryPath(passage.Path)
	ref := "repo:" + file
	if address, err := facts.ParseRef(ref); file == "" || head == "" || err != nil || address.Path != file {
		return budget.EngramPointer{}, false, nil
	}
	code, err := m.Store.CodeAt(ctx, head, file)
	if err != nil || code.Kind != gitstore.CodeFile {
		return budget.EngramPointer{}, false, err
	}
	content, err := m.Store.CodeBlob(ctx, code.Name)
	if err != nil && !errors.Is(err, gitstore.ErrTooLarge) {
		return budget.EngramPointer{}, false, err
	}
	first, last, exact := evidence.Passage(content, passage.Text)
	if exact {
		ref += fmt.Sprintf("#L%d-L%d", first, last)
	}
	completed, err := m.deref.Complete(ctx, ref+"@"+head)
	if errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrUsage) {
		return budget.EngramPointer{}, false, nil
	}
	return budget.PointerOf(completed.Ref, completed.Digest), exact, err
}

// repositoryPath returns a path of another system relative to the top of the repository;
// "" if it is outside.
func (m *Bus) repositoryPath(p string) string {
	if rest, ok := strings.CutPrefix(p, "file://"); ok {
		if unescaped, err := url.PathUnescape(rest); err == nil {
			p = unescaped
		}
	}
	if filepath.IsAbs(p) {
		tree := m.Store.WorkTree()
		rel, err := filepath.Rel(tree, p)
		if tree == "" || err != nil {
			return ""
		}
		p = rel
	}
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	if p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/") {
		return ""
	}
	return p
}
