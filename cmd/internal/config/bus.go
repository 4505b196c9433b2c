package config

import (
	"fmt"
	"slices"
	"strconv"
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

func knownBusSettings() []setting {
	count := func(name string, most int, field func(*memory.Limits) *int) setting {
		return setting{"bus." + name, "ENGRAM_BUS_" + strings.ToUpper(name), func(s *Settings, v string) error {
			return setUpTo(field(&s.Bus.limits), v, most)
		}}
	}
	const many = 1_000_000
	return []setting{
		count("max_inline_tokens", many, func(l *memory.Limits) *int { return &l.Inline.Tokens }),
		count("max_engrams", many, func(l *memory.Limits) *int { return &l.Inline.Engrams }),
		count("max_claim_chars", memory.DefaultLimits().Inline.ClaimChars, func(l *memory.Limits) *int { return &l.Inline.ClaimChars }),
		{"bus.max_inline_code_chars", "ENGRAM_BUS_MAX_INLINE_CODE_CHARS", func(s *Settings, v string) error {
			if v == "0" {
				s.Bus.limits.Inline.CodeChars = 0
				return nil
			}
			return setUpTo(&s.Bus.limits.Inline.CodeChars, v, many)
		}},
		count("max_repo_spans", many, func(l *memory.Limits) *int { return &l.Deref.RepoSpans }),
		count("max_artifact_sections", many, func(l *memory.Limits) *int { return &l.Deref.ArtifactSections }),
		count("max_sam_items", many, func(l *memory.Limits) *int { return &l.Deref.SAMItems }),
		count("max_deref_tokens", many, func(l *memory.Limits) *int { return &l.Deref.Tokens }),
		{"bus.parents", "ENGRAM_BUS_PARENTS", func(s *Settings, v string) error { s.Bus.parents = v; return nil }},
		{"bus.turn_time", "ENGRAM_BUS_TURN_TIME", func(s *Settings, v string) error { return setDuration(&s.Bus.turnTime, v) }},
	}
}

func setUpTo(field *int, value string, most int) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return fmt.Errorf("%q is not a whole number from 1 to %d", value, most)
	}
	*field = n
	return nil
}
