package proof

import (
	"context"
	"strconv"
	"strings"
	"unicode"

	"engram/gitstore"
)

// Listing returns a folder as text, one name a line in git's order. A suffix marks what is
// not a file: / a folder, @ a link, and @ with a commit a submodule.
func (m *Verifier) Listing(ctx context.Context, name string) ([]byte, error) {
	entries, err := m.Store.CodeFolder(ctx, name)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, e := range entries {
		name := strings.ToValidUTF8(e.Path, "\uFFFD")
		if name != e.Path || strings.IndexFunc(name, unicode.IsControl) >= 0 {
			name = strconv.Quote(e.Path)
		}
		switch e.Kind {
		case gitstore.CodeFolder:
			name += "/"
		case gitstore.CodeLink:
			name += "@"
		case gitstore.CodeSubmodule:
			name += " @ " + e.Name
		}
		text.WriteString(name + "\n")
	}
	return []byte(text.String()), nil
}
