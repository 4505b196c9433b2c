package proof

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"unicode"

	"engram/evidence"
	"engram/gitstore"
)

// readObject returns what the work tree has at a path without a file:
//
//  1. git omitted it (git sparse-checkout): what is committed.
//  2. A folder, and the commit has a folder or a submodule: what is committed.
//  3. A link: the link.
//  4. Anything of another kind than is committed: that kind.
//  5. Nothing.
func (c *Checker) readObject(ctx context.Context, path string) (*codeFile, error) {
	head, err := c.committedHere(ctx, path)
	if err != nil {
		return nil, err
	}
	here, err := c.Verifier.Store.WorkKind(path)
	if err != nil {
		return &codeFile{Problem: err.Error(), Code: gitstore.Code{Kind: gitstore.CodeFile}}, nil
	}
	switch {
	case here.Kind == gitstore.CodeNone && head.Kind != gitstore.CodeNone: // 1.
		if left, err := c.Verifier.Store.SparselyLeftOut(ctx, path); err != nil || left {
			return head, err
		}
		return &codeFile{}, nil
	case here.Kind == gitstore.CodeFolder && (head.Kind == gitstore.CodeFolder || head.Kind == gitstore.CodeSubmodule): // 2.
		return head, nil
	case here.Kind == gitstore.CodeFile: // a file that cannot be read
		return &codeFile{Problem: "it cannot be read", Code: here}, nil
	}
	return &codeFile{Code: here}, nil // 3. to 5.
}

// sameFolder reports whether a folder has the names that a pointer stands for: those of
// its digest, or of the folder that was there.
func (c *Checker) sameFolder(ctx context.Context, digest string, before *codeFile, name string) (bool, error) {
	if before != nil && before.Name == name {
		return true, nil
	}
	now, err := c.Verifier.Listing(ctx, name)
	if err != nil || evidence.Matches(digest, now) {
		return err == nil, err
	}
	if before == nil || before.Kind != gitstore.CodeFolder {
		return false, nil
	}
	then, err := c.Verifier.Listing(ctx, before.Name)
	return err == nil && bytes.Equal(then, now), err
}

// storedContent returns the stored bytes of a file that git converts on checkout, to
// which pointers refer, or nil if git does not convert it. why is set if they cannot be
// determined.
func (c *Checker) storedContent(ctx context.Context, path string) (f *codeFile, why string, err error) {
	conversion, err := c.Verifier.Store.Conversion(ctx, path)
	if err != nil || conversion.Attribute == "" {
		return nil, "", err
	}
	if conversion.Stored == "" {
		return nil, "git stores other bytes than the work tree has (" + conversion.Attribute + "), and the file was changed since it was checked out", nil
	}
	content, err := c.blob(ctx, conversion.Stored)
	if err != nil {
		return nil, "", err
	}
	if content == nil {
		return nil, tooLarge, nil
	}
	f = &codeFile{Content: content, Code: gitstore.Code{Kind: gitstore.CodeFile, Name: conversion.Stored}}
	c.files[path] = f
	return f, "", nil
}

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
