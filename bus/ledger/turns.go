package ledger

import (
	"context"
	"time"

	"engram/bus"
)

const turnsName = "turns.json"

// maxTurns is how many agents' turns are kept.
const maxTurns = 1_000

// turns is what turns.json holds.
type turns struct {
	Last   int             `json:"last"` // number of the turn that began last
	Agents map[string]turn `json:"agents"`
	// Quiet is when agents last ended a turn without having said anything new.
	Quiet map[string]time.Time `json:"quiet,omitempty"`
}

// turn is an agent's turn since its first excerpt.
type turn struct {
	Number int       `json:"number"`
	Began  time.Time `json:"began"`
	bus.Turn
}

// expire ends what is over by time.
func (t *turns) expire(now time.Time, after time.Duration) {
	for agent, turn := range t.Agents {
		if now.Sub(turn.Began).Abs() >= after { // a clock that was set back ends it as well, in time
			delete(t.Agents, agent)
		}
	}
	for agent, at := range t.Quiet {
		if now.Sub(at).Abs() >= after {
			delete(t.Quiet, agent)
		}
	}
}

// makeRoom for one more ends the oldest of what is too many: that only forgets budgets.
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
		t.expire(now, l.turnTime)
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

// settleTurn leaves a turn alone that began since.
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
			delete(t.Agents, p.pull.Agent) // it did not begin after all
			return nil
		}
		t.Agents[p.pull.Agent] = mine
		return nil
	})
	return now, err
}

// Turn is what an agent has pulled in its turn.
func (l *Ledger) Turn(agent string) (bus.Turn, error) {
	now, _, err := l.Running(agent)
	return now, err
}

// Running is Turn, and when the turn is over by time; the zero time where none runs.
func (l *Ledger) Running(agent string) (now bus.Turn, ends time.Time, err error) {
	t, err := read[turns](l, turnsName)
	if err != nil {
		return bus.Turn{}, time.Time{}, err
	}
	t.expire(l.moment(), l.turnTime)
	mine, runs := t.Agents[agent]
	if runs {
		ends = mine.Began.Add(l.turnTime)
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

// EndQuietly ends the turn of an agent that has said nothing new, and reports whether it
// did: once in the time of a turn, so that empty messages are no way to a budget without
// end.
func (l *Ledger) EndQuietly(ctx context.Context, agent string) (ended bool, err error) {
	err = update(ctx, l, turnsName, false, func(t *turns) error {
		now := l.moment()
		t.expire(now, l.turnTime)
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
