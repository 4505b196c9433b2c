package config

import (
	"slices"
	"strings"
	"time"

	"engram/memory"
)

// busSettings are those of what agents exchange. A zero field is the default.
type busSettings struct {
	limits   memory.Limits
	parents  string        // agents, separated by commas
	turnTime time.Duration // 0: memory.DefaultTurnTime
}

// Options are those of a memory. Names of agents may have spaces in them.
func (s busSettings) Options() memory.BusOptions {
	o := memory.BusOptions{Limits: s.limits, TurnTime: s.turnTime}
	for name := range strings.SplitSeq(s.parents, ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(o.Parents, name) {
			o.Parents = append(o.Parents, name)
		}
	}
	return o
}
