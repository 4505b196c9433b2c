package ledger

import (
	"context"
	"time"

	"engram/bus"
)

const turnsName = "turns.json"

// maxTurns bounds the number of turns that are kept.
const maxTurns = 1_000

// turns is the content of turns.json.
type turns struct {
	Last   int             `json:"last"` // number of the latest turn
	Agents map[string]turn `json:"agents"`
	// Quiet has the times at which agents ended a turn without a new engram.
	Quiet map[string]time.Time `json:"quiet,omitempty"`
}

// turn is an agent's turn since its first excerpt.
type turn struct {
	Number int       `json:"number"`
	Began  time.Time `json:"began"`
	bus.Turn
}

// expire ends turns whose time is over.
func (t *turns) expire(now time.Time, after time.Duration) {
	for agent, turn := range t.Agents {
		if now.Sub(turn.Began).Abs() >= after { // so that a turn ends even if the clock was set back
			delete(t.Agents, agent)
		}
	}
	for agent, at := range t.Quiet {
		if now.Sub(at).Abs() >= after {
			delete(t.Quiet, agent)
		}
	}
}

// makeRoom removes the oldest turns until one more fits: their budgets start again.
func (t *turns) makeRoom() {
	for len(t.Agents) >= maxTurns {
		oldest := ""
		for agent, turn := range t.Agents {
			if oldest == "" || turn.Number < t.Agents[oldest].Number {
				oldest = agent
			}
		}
		delete(t.Agents, oldest)
	}
}

func (l *Ledger) takeTurn(ctx context.Context, p Pull) (Place, error) {
	place := Place{pull: p}
	err := update(ctx, l, turnsName, false, func(t *turns) error {
		now := l.moment()
		t.expire(now, l.opts.TurnTime)
		mine, runs := t.Agents[p.Agent]
		room, refusal := p.Limits.Room(mine.Turn, p.Address.Type, p.Ref)
		if refusal != nil {
			return refusal
		}
		if !runs {
			t.makeRoom()
			t.Last++
			mine = turn{Number: t.Last, Began: now}
		}
		place.Tokens, place.Began, place.turn = min(p.Want, room), !runs, mine.Number
		mine.Turn = mine.Add(bus.Use{Type: p.Address.Type, Tokens: place.Tokens})
		if place.Turn = mine.Turn; t.Agents == nil {
			t.Agents = make(map[string]turn)
		}
		t.Agents[p.Agent] = mine
		return nil
	})
	return place, err
}

// settleTurn does not change a turn that began later.
func (l *Ledger) settleTurn(ctx context.Context, p Place, tokens int) (now bus.Turn, err error) {
	err = update(ctx, l, turnsName, false, func(t *turns) error {
		mine, runs := t.Agents[p.pull.Agent]
		if !runs || mine.Number != p.turn {
			now = mine.Turn
			return nil
		}
		use := bus.Use{Type: p.pull.Address.Type, Tokens: p.Tokens}
		mine.Turn = mine.Less(use)
		if use.Tokens = tokens; tokens > 0 || p.Reached {
			mine.Turn = mine.Add(use)
		}
		if now = mine.Turn; now == (bus.Turn{}) {
			delete(t.Agents, p.pull.Agent) // the turn did not begin
			return nil
		}
		t.Agents[p.pull.Agent] = mine
		return nil
	})
	return now, err
}

// Turn returns what an agent has read in its turn.
func (l *Ledger) Turn(agent string) (bus.Turn, error) {
	now, _, err := l.Running(agent)
	return now, err
}

// Running is Turn with the time at which the turn ends; the zero time if there is no turn.
func (l *Ledger) Running(agent string) (now bus.Turn, ends time.Time, err error) {
	t, err := read[turns](l, turnsName)
	if err != nil {
		return bus.Turn{}, time.Time{}, err
	}
	t.expire(l.moment(), l.opts.TurnTime)
	mine, runs := t.Agents[agent]
	if runs {
		ends = mine.Began.Add(l.opts.TurnTime)
	}
	return mine.Turn, ends, nil
}

// EndTurn ends an agent's turn.
func (l *Ledger) EndTurn(ctx context.Context, agent string) error {
	return update(ctx, l, turnsName, false, func(t *turns) error {
		delete(t.Agents, agent)
		return nil
	})
}

// EndQuietly ends the turn of an agent that stored nothing new, and reports whether it did:
// only once in the time of a turn, so that empty messages do not give an unlimited budget.
func (l *Ledger) EndQuietly(ctx context.Context, agent string) (ended bool, err error) {
	err = update(ctx, l, turnsName, false, func(t *turns) error {
		now := l.moment()
		t.expire(now, l.opts.TurnTime)
		_, runs := t.Agents[agent]
		if _, before := t.Quiet[agent]; !runs || before || len(t.Quiet) >= maxTurns {
			return nil
		}
		if t.Quiet == nil {
			t.Quiet = make(map[string]time.Time)
		}
		t.Quiet[agent] = now
		delete(t.Agents, agent)
		ended = true
		return nil
	})
	return ended, err
}
