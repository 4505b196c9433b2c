package recall

import (
	"context"
	"slices"

	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/recall/score"
)

// stage is one scope that is searched.
type stage struct {
	scope   score.Scope
	session string // the only one; ""
	sources bool   // facts of other repositories take part
}

// next searches the stage after another. Org adds what sources have to what the project had;
// every other stage begins again.
func (l *look) next(ctx context.Context, s stage) error {
	before := l.stage.scope
	l.stage, l.result.Scope = s, s.scope
	if before == score.Project && s.scope == score.Org {
		for _, q := range l.in.Queries {
			if err := l.askFacts(ctx, q); err != nil {
				return err
			}
		}
		return nil
	}
	l.begin()
	return l.gather(ctx, l.in.Queries, 1)
}

// stages are the scopes to search, one after the other until one answers well enough: the one
// that the question is about, and then what is further away. A scope that the caller names is
// searched alone.
func (l *look) stages(ctx context.Context) ([]stage, error) {
	project := stage{scope: score.Project}
	if l.in.Session != "" {
		if l.in.Scope != "" {
			return nil, core.UsageErrorf(hint.New("leave one of the two out"), "a session and a scope both say where to look")
		}
		return []stage{{scope: score.Run, session: l.id}}, nil
	}
	route := score.RouteOf
	if l.in.Scope != "" {
		if err := core.CheckOneOf("scope", score.Scope(l.in.Scope), score.Scopes()); err != nil {
			return nil, err
		}
		route = func(string) score.Scope { return score.Scope(l.in.Scope) }
	}
	asks := func(scope score.Scope) bool {
		return slices.ContainsFunc(l.in.Queries, func(q string) bool { return route(q) == scope })
	}
	switch {
	case asks(score.Run):
		return l.runFirst(ctx, project)
	case asks(score.Org):
		return []stage{{scope: score.Org, sources: true}}, nil
	case l.in.Scope != "":
		return []stage{project}, nil
	}
	return l.andSources(ctx, project)
}

// andSources puts what sources have behind the others, if there are sources.
func (l *look) andSources(ctx context.Context, stages ...stage) ([]stage, error) {
	sources, err := l.r.Store.Sources(ctx)
	if err == nil && len(sources) > 0 {
		stages = append(stages, stage{scope: score.Org, sources: true})
	}
	return stages, nil // sources that cannot be read are told by who asks them
}

// runFirst puts the session that runs in this work tree before the others, if there is one.
func (l *look) runFirst(ctx context.Context, project stage) ([]stage, error) {
	id := ""
	if tree := l.r.WorkTree(); tree != "" {
		var err error
		if id, _, err = l.r.archive.Latest(tree, l.r.Moment()); err != nil {
			return nil, err
		}
	}
	switch {
	case id != "" && l.in.Scope != "":
		return []stage{{scope: score.Run, session: id}}, nil
	case id != "":
		return l.andSources(ctx, stage{scope: score.Run, session: id}, project)
	case l.in.Scope != "":
		return nil, core.NotFoundErrorf(hint.New("without a scope, all sessions are searched"), "no session runs in this work tree")
	}
	return l.andSources(ctx, project)
}

// answered reports whether a passage has enough of the question, or all of its exact strings.
func (l *look) answered() bool {
	for _, c := range l.found {
		if !c.read {
			continue
		}
		if share, _ := l.query.Covers(c.Text); share >= score.EnoughShare && (len(l.exact) == 0 || c.item.Exact) {
			return true
		}
	}
	return false
}
