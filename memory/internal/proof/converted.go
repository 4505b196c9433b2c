package proof

import (
	"context"

	"engram/gitstore"
)

// storedContent is what git has of a file that it converts when it checks it out, which is what
// pointers are of; nil where it has the file as it is. why says that nobody can tell.
func (c *Checker) storedContent(ctx context.Context, path string) (f *codeFile, why string, err error) {
	conversion, err := c.Verifier.Store.Conversion(ctx, path)
	if err != nil || conversion.Attribute == "" {
		return nil, "", err
	}
	if conversion.Stored == "" {
		return nil, convertedReason(conversion), nil
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

// convertedReason says why the bytes of the work tree cannot be compared.
func convertedReason(c gitstore.Conversion) string {
	return "git stores other bytes than the work tree has (" + c.Attribute + "), and the file was changed since it was checked out"
}
