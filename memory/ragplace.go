package memory

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
)

// placeOf is where a passage stands: a pointer, "" where this repository has no such
// file. exact reports whether its lines are known.
func (m *Memory) placeOf(ctx context.Context, head string, passage Retrieved) (whole EngramPointer, exact bool, err error) {
	if strings.HasPrefix(passage.Path, "http://") || strings.HasPrefix(passage.Path, "https://") {
		ref := "url:" + passage.Path
		if _, err := facts.ParseRef(ref); err != nil {
			return EngramPointer{}, false, nil
		}
		return pointerOf(ref, ""), false, nil
	}
	file := m.inRepository(passage.Path)
	ref := "repo:" + file
	if address, err := facts.ParseRef(ref); file == "" || head == "" || err != nil || address.Path != file {
		return EngramPointer{}, false, nil
	}
	code, err := m.store.CodeAt(ctx, head, file)
	if err != nil || code.Kind != gitstore.CodeFile {
		return EngramPointer{}, false, err
	}
	content, err := m.store.CodeBlob(ctx, code.Name)
	if err != nil && !errors.Is(err, gitstore.ErrTooLarge) {
		return EngramPointer{}, false, err
	}
	first, last, exact := evidence.Passage(content, passage.Text)
	if exact {
		ref += fmt.Sprintf("#L%d-L%d", first, last)
	}
	completed, err := m.Complete(ctx, ref+"@"+head)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrUsage) {
		return EngramPointer{}, false, nil
	}
	return pointerOf(completed.Ref, completed.Digest), exact, err
}

// inRepository is a path as somebody else has it, from the top of the repository; ""
// where it leads elsewhere.
func (m *Memory) inRepository(p string) string {
	if rest, ok := strings.CutPrefix(p, "file://"); ok {
		if unescaped, err := url.PathUnescape(rest); err == nil {
			p = unescaped
		}
	}
	if filepath.IsAbs(p) {
		tree := m.store.WorkTree()
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
