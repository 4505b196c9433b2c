package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// begin fills in what a delegated task says, unless the input says otherwise. To an agent that
// may not read the task, there is none.
func (k *Keeper) begin(ctx context.Context, in *SetInput) error {
	f, err := k.delegated(ctx, in.From, in.AskedBy)
	if err != nil {
		return err
	}
	packet := bus.ParsePacket(f.Detail)
	goal := strings.TrimPrefix(f.Claim, bus.TaskMark)
	if whole, _, _ := strings.Cut(packet.Text, "\n"); strings.HasPrefix(facts.FoldSpace(whole), strings.TrimSuffix(goal, "…")) {
		goal = facts.FoldSpace(whole) // the claim did not have all of it
	}
	var events []string
	for _, p := range f.Pointers {
		if a, err := facts.ParseRef(p.Ref); err == nil && a.Type == facts.PointSAM && a.InSession() && session.IsEventID(a.Version) {
			events = append(events, a.Version)
		}
	}
	for _, field := range []struct {
		to   *[]string
		from []string
	}{{&in.Goals, []string{goal}}, {&in.Constraints, packet.Constraints}, {&in.OpenLoops, packet.Acceptance}, {&in.KeyEvents, events}} {
		if *field.to == nil {
			*field.to = field.from
		}
	}
	key := f.Key.String()
	if in.Extensions == nil {
		in.Extensions = make(map[string]json.RawMessage)
	}
	if _, given := in.Extensions[session.ExtensionPlan]; !given {
		if in.Extensions[session.ExtensionPlan], err = json.Marshal(session.Delegation{Task: key, Node: packet.Plan, Parent: f.Provenance.Agent}); err != nil {
			return err
		}
	}
	if in.Task == "" && in.Session == "" {
		in.Task = bus.TaskStateName(key)
	}
	return nil
}

// delegated returns the fact of a task that waits for its result.
func (k *Keeper) delegated(ctx context.Context, text, agent string) (facts.Fact, error) {
	key, err := facts.ParseKey(text)
	if err != nil {
		return facts.Fact{}, err
	}
	tip, manifest, err := k.Tip(ctx)
	if err != nil {
		return facts.Fact{}, err
	}
	now := core.Past{Revision: tip, Date: k.Moment()}
	f, err := k.FactOn(ctx, now, key, k.ResolveBranch(""))
	if err == nil {
		err = k.Reader(manifest, agent).Check(ctx, tip, f)
	}
	denied := new(core.PermissionError)
	switch {
	case errors.As(err, &denied):
		return facts.Fact{}, fmt.Errorf("%w: %s", core.ErrNotFound, key) // as if it were not there
	case err != nil:
		return facts.Fact{}, err
	case !core.CurrentOrScheduled(f, now.Date):
		return facts.Fact{}, core.NotFoundErrorf(hint.Hint{}, "the task %s is %s", key, f.StateAt(now.Date))
	case strings.HasPrefix(f.Claim, bus.ResultMark):
		return facts.Fact{}, core.UsageErrorf(hint.New("%s has the task as it was", hint.Do(hint.ShowLog, key.String())), "the task %s has a result already", key)
	case !strings.HasPrefix(f.Claim, bus.TaskMark):
		return facts.Fact{}, core.UsageErrorf(hint.New("%s finds tasks by the word task:", hint.Do(hint.Query)), "%s is not a task", key)
	}
	return f, nil
}
