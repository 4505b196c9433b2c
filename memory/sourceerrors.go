package memory

import (
	"errors"

	"engram/gitstore"
	"engram/internal/hint"
)

// ErrNotPublished: facts were to be published that must not be; nothing was.
var ErrNotPublished = errors.New("not published")

// sourceClasses are the errors of other repositories and of their names.
func sourceClasses() []class {
	sources := hint.Do(hint.ListSources)
	return []class{
		{CodeUsage, is(hint.New("%s lists the sources", sources), gitstore.ErrNoSource)},
		{CodeUsage, is(hint.New("%s shows it; %s frees the name", sources, hint.Do(hint.RemoveSource, "NAME")), gitstore.ErrSourceExists)},
		{CodeUsage, is(hint.New("choose a name such as org, or platform-team"), gitstore.ErrSourceName)},
		{CodeUsage, is(hint.Hint{}, gitstore.ErrScope)},
		{CodeUsage, is(hint.New("a source has an https, ssh or git address, or a path"), gitstore.ErrAddress)},
		{CodeUsage, is(hint.New("a source is another repository's memory; colleagues' facts of this one come by %s", hint.Do(hint.Git, "fetch")), gitstore.ErrOurs)},
		{CodeRefused, is(hint.New("omit these facts, change what is said of each, or set %s to publish the rest", hint.SkipRefused), ErrNotPublished)},
		{CodeRefused, is(hint.New("%s brings facts to a source", hint.Do(hint.Publish)), gitstore.ErrReadOnly)},
	}
}
