package proof

import (
	"context"

	"engram/gitstore"
)

// storedContent returns the stored bytes of a file that git converts on checkout, to
// which pointers refer, or nil if git does not convert it. why is set if they cannot be
// determined.
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

// convertedReason returns why the bytes of the work tree cannot be compared.
func convertedReason(c gitstore.Conversion) string {
	return "git stores other bytes than the work tree has (" + c.Attribute + "), and the file was changed since it was checked out"
}
