// Package class maps every error of engram to its code and to a hint. docs/errors.md
// describes the table. It is the only place that knows the errors of all packages.
package class

import (
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// Classify returns the code of an error and a hint, which may be the zero hint. The first
// row of classes that matches decides.
func Classify(err error) (core.Code, hint.Hint) {
	for _, c := range classes() {
		if advice, ok := c.match(err); ok {
			return c.code, advice
		}
	}
	return core.CodeFailure, hint.Hint{}
}

// sourceClasses are the errors of other repositories and of their names.
func sourceClasses() []class {
	sources := hint.Do(hint.ListSources)
	return []class{
		{core.CodeUsage, is(hint.New("%s lists the sources", sources), gitstore.ErrNoSource)},
		{core.CodeUsage, is(hint.New("%s shows it; %s frees the name", sources, hint.Do(hint.RemoveSource, "NAME")), gitstore.ErrSourceExists)},
		{core.CodeUsage, is(hint.New("choose a name such as org, or platform-team"), gitstore.ErrSourceName)},
		{core.CodeUsage, is(hint.Hint{}, gitstore.ErrScope)},
		{core.CodeUsage, is(hint.New("a source has an https, ssh or git address, or a path"), gitstore.ErrAddress)},
		{core.CodeUsage, is(hint.New("a source is another repository's memory; colleagues' facts of this one come by %s", hint.Do(hint.Git, "fetch")), gitstore.ErrOurs)},
		{core.CodeRefused, is(hint.New("omit these facts, change what is said of each, or set %s to publish the rest", hint.SkipRefused), core.ErrNotPublished)},
		{core.CodeRefused, is(hint.New("%s brings facts to a source", hint.Do(hint.Publish)), gitstore.ErrReadOnly)},
	}
}
