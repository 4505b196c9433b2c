package rewrite

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// rawCommit is a commit object in parts. What is not named stays as it is, byte
// for byte.
type rawCommit struct {
	tree    object.Hash
	parents []object.Hash
	extra   []string // the lines behind the parents, those of one header together
	message string
	bare    bool // it has no blank line, and so no message at all
}

func parseCommit(obj gitcmd.Object) (c rawCommit, err error) {
	if obj.Kind != "commit" {
		return c, fmt.Errorf("%s is a %s, not a commit", obj.Name, obj.Kind)
	}
	header, message, found := bytes.Cut(obj.Data, []byte("\n\n"))
	c.message, c.bare = string(message), !found
	for line := range strings.SplitSeq(strings.TrimSuffix(string(header), "\n"), "\n") {
		name, value, _ := strings.Cut(line, " ")
		switch {
		case name == "" && len(c.extra) > 0: // of the line before
			c.extra[len(c.extra)-1] += "\n" + line
		case name == "tree" && len(c.extra) == 0:
			c.tree, err = object.ParseHash(value)
		case name == "parent" && len(c.extra) == 0:
			var p object.Hash
			p, err = object.ParseHash(value)
			c.parents = append(c.parents, p)
		default:
			c.extra = append(c.extra, line)
		}
		if err != nil {
			return c, fmt.Errorf("%w: commit %s: %w", gitcmd.ErrDamaged, obj.Name, err)
		}
	}
	if c.tree == "" {
		return c, fmt.Errorf("%w: commit %s has no tree", gitcmd.ErrDamaged, obj.Name)
	}
	return c, nil
}

// unsign takes away what signs the commit as it was, and the signed tags of
// parents that have other names now.
func (c *rawCommit) unsign() {
	c.extra = slices.DeleteFunc(slices.Clone(c.extra), func(line string) bool {
		name, _, _ := strings.Cut(line, " ")
		return name == "gpgsig" || name == "gpgsig-sha256" || name == "mergetag"
	})
}

func (c *rawCommit) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	for _, line := range c.extra {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	if !c.bare || c.message != "" {
		b.WriteByte('\n')
		b.WriteString(c.message)
	}
	return b.Bytes()
}
