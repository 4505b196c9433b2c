package health

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// DoctorInput are the settings of an examination.
type DoctorInput struct {
	Fix bool // fix what can be fixed without losing anything
}

// DoctorResult says what is well and what is not.
type DoctorResult struct {
	core.Answer
	Healthy bool         `json:"healthy"`
	Checks  []core.Check `json:"checks"`
}

// Doctor examines the repository, the branch and the index, each check
// independent of the others:
//
//  1. git: a version that syncs what it writes.
//  2. writable: objects can be written.
//  3. identity: a name to commit under.
//  4. branch: a memory of a known format.
//  5. checkout: no work tree has the branch checked out.
//  6. facts: every file is a canonical fact.
//  7. removed: no file was removed instead of retired.
//  8. purged: no purged fact came back.
//  9. index: opens, and is built from this history.
//  10. sources, if there are any: each was fetched and is a memory.
//  11. sessions, journals, session index, if there are sessions: each can be read, none
//     was left unsealed, and the index opens.
//  12. model: the configured one is installed and embeds.
//  13. visibility: who can read the remote that the memory is shared with. It
//     is reported only for a host, and never a fault: a team may want it public.
//
// Only indexes are fixed, by rebuilding them, and journals, by sealing them: everything
// else needs somebody's decision.
func (m *Doctor) Doctor(ctx context.Context, in DoctorInput) (DoctorResult, error) {
	result := DoctorResult{Answer: core.AnswerAt("")}
	check := func(name string, err error, hint string) {
		c := core.Check{Name: name, OK: err == nil}
		if err != nil {
			c.Problem, c.Hint = err.Error(), hint
			if _, known := m.Classify(err); hint == "" {
				c.Hint = known.String()
			}
		}
		result.Checks = append(result.Checks, c)
	}
	check("git", m.Store.CheckGit(ctx), "install git "+gitstore.MinimumGit+" or newer")
	check("writable", m.Store.CheckWritable(), "")
	_, err := m.Store.Identity(ctx)
	check("identity", err, "")
	tip, manifest, err := m.Tip(ctx)
	check("branch", err, "")
	if err == nil {
		result.Answer = core.AnswerAt(tip)
		check("checkout", m.audit.CheckNotCheckedOut(), "")
		check("facts", m.checkFacts(ctx), "`engram lint` lists them")
		check("removed", m.checkRemoved(ctx, tip), "restore it from the commit that `engram log KEY` shows, then `engram retire KEY`")
		check("purged", m.purge.CheckPurged(ctx, tip, manifest), "`engram purge` of the same keys takes it out again; the messages of the branch say which, and who did it")
		result.Checks = append(result.Checks, m.checkIndex(ctx, tip, in.Fix))
	}
	if any, err := m.source.CheckSources(ctx); any || err != nil {
		check("sources", err, "`engram source list` says what is wrong with each")
	}
	sessions, err := m.archive.Checks(ctx, in.Fix)
	if result.Checks = append(result.Checks, sessions...); err != nil {
		check("sessions", err, "")
	}
	if c, ok := m.share.CheckVisibility(ctx); ok {
		result.Checks = append(result.Checks, c)
	}
	check("model", m.checkModel(ctx), "`engram model list` shows what is there; `engram model use off` does without")
	result.Healthy = !slices.ContainsFunc(result.Checks, func(c core.Check) bool { return !c.OK && !c.Fixed })
	return result, ctx.Err()
}

func (m *Doctor) checkModel(ctx context.Context) error {
	if m.EmbedderProblem != "" {
		return fmt.Errorf("%s, so facts are found by their words alone", m.EmbedderProblem)
	}
	if m.Embedder == nil {
		return nil
	}
	_, err := m.Embedder.Embed(ctx, []string{"the memory of a team and its agents, kept in git"})
	return err
}

func (m *Doctor) checkFacts(ctx context.Context) error {
	lint, err := m.Lint(ctx, nil)
	if err != nil || lint.Canonical {
		return err
	}
	bad := make(map[string]bool)
	for _, f := range lint.Findings {
		if f.fails() {
			bad[f.Path] = true
		}
	}
	return fmt.Errorf("%d of %d files are no facts or not canonical; the others work", len(bad), lint.Checked)
}

// maxRejected is how many removed files are examined one by one.
const maxRejected = 50

// checkRemoved finds keys that the history has and the tip does not: a retired fact keeps
// its file, so somebody deleted these.
func (m *Doctor) checkRemoved(ctx context.Context, tip string) error {
	introduced, _, err := m.Store.Introduced(ctx, "", tip)
	if err != nil {
		return err
	}
	files, err := m.Store.Files(ctx, tip, "")
	if err != nil {
		return err
	}
	here := make(map[string]bool, len(files))
	for _, f := range files {
		here[f.Path] = true
	}
	removed, example := map[facts.Key]bool{}, facts.Key{}
	for _, c := range introduced {
		key, ok := facts.KeyOfPath(c.Path)
		if ok && !here[c.Path] && !removed[key] {
			removed[key], example = true, key
		}
	}
	if len(removed) <= maxRejected {
		for key := range removed {
			last, err := m.Store.History(ctx, tip, key.Path(), 1)
			if err != nil {
				return err
			}
			if len(last) > 0 && strings.HasPrefix(last[0].Subject, "reject ") {
				delete(removed, key) // a proposal, which never held
			}
		}
		for key := range removed {
			example = key
		}
	}
	if len(removed) > 0 {
		return fmt.Errorf("%d facts were removed without being retired, such as %s", len(removed), example)
	}
	return nil
}

func (m *Doctor) checkIndex(ctx context.Context, tip string, fix bool) core.Check {
	c := core.Check{Name: "index"}
	stats, err := m.Index.Stats(ctx)
	if err == nil && stats.Revision != "" {
		var relation gitstore.Relation
		if _, relation, err = m.Store.Introduced(ctx, stats.Revision, tip); err == nil && relation == gitstore.Diverged {
			err = errors.New("it was built from a history that is gone")
		}
	}
	missing := err == nil && stats.Revision == ""
	switch {
	case err != nil:
		c.Problem, c.Hint, c.Fixable = err.Error(), "`engram doctor --fix` rebuilds it; so does the next query", true
	case missing && fix:
		c.Problem = "there is no index yet"
	default: // the first query builds a missing one
		c.OK = true
		return c
	}
	if fix {
		if _, err := m.Index.CatchUp(ctx, tip); err != nil {
			c.Problem = fmt.Sprintf("%s; rebuilding it failed: %v", c.Problem, err)
		} else {
			c.Fixed = true
		}
	}
	return c
}
