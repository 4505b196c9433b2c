package budget

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// MetricsType is the content type of MetricsText.
const MetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// MetricsText returns the result in the text format of OpenMetrics 1.0, whose content
// type is MetricsType. It contains sums and counts, such as tokens and turns, from which
// a reader can compute averages.
func (r TelemetryResult) MetricsText() string {
	var b metrics
	b.family("engram_bus_events", "counter", "", "What happened between agents, by the name of the event.")
	samples(&b, "engram_bus_events_total", "event", r.Events)
	b.family("engram_bus_engrams", "counter", "", "Engrams that were stored, by kind.")
	samples(&b, "engram_bus_engrams_total", "kind", r.Kinds)
	b.family("engram_bus_contradictions", "counter", "", "Engrams that are risks with pointers to different sources.")
	b.sample("engram_bus_contradictions_total", r.Contradictions)
	b.family("engram_bus_messages", "counter", "", "Messages of children, by what became of them.")
	b.sample("engram_bus_messages_total", r.Accepted, "verdict", "accepted")
	b.sample("engram_bus_messages_total", r.Rejected, "verdict", "rejected")
	b.family("engram_bus_resends", "counter", "", "Messages that were accepted after one of the same agent was rejected.")
	b.sample("engram_bus_resends_total", r.Resent)
	b.family("engram_bus_refusals", "counter", "", "Messages and excerpts that were refused, by code.")
	samples(&b, "engram_bus_refusals_total", "code", r.Codes)

	roles := slices.Sorted(maps.Keys(r.Roles))
	b.family("engram_bus_inline_tokens", "summary", "tokens", "Inline tokens of a turn, which ends in a message that is accepted, by role.")
	for _, role := range roles {
		b.sample("engram_bus_inline_tokens_sum", r.Roles[role].InlineTokens, "role", role)
		b.sample("engram_bus_inline_tokens_count", r.Roles[role].Messages, "role", role)
	}
	b.family("engram_bus_turn_derefs", "summary", "derefs", "Excerpts that were pulled in a turn that pulled any, by role.")
	for _, role := range roles {
		b.sample("engram_bus_turn_derefs_sum", r.Roles[role].Derefs, "role", role)
		b.sample("engram_bus_turn_derefs_count", r.Roles[role].Turns, "role", role)
	}
	b.family("engram_bus_deref_tokens", "counter", "tokens", "Tokens of excerpts that were pulled, by role.")
	for _, role := range roles {
		b.sample("engram_bus_deref_tokens_total", r.Roles[role].DerefTokens, "role", role)
	}
	b.ratio("engram_bus_contradiction_ratio", "Contradictions of all engrams that were stored.", r.ContradictionRate)
	b.ratio("engram_bus_resend_ratio", "Rejected messages that were followed by one that was accepted.", r.ResendRate)
	b.ratio("engram_bus_reject_ratio", "Rejected messages of all.", r.RejectRate)
	b.WriteString("# EOF\n")
	return b.String()
}

// metrics builds a text in the format of OpenMetrics.
type metrics struct{ strings.Builder }

func (b *metrics) family(name, kind, unit, help string) {
	fmt.Fprintf(b, "# TYPE %s %s\n", name, kind)
	if unit != "" {
		fmt.Fprintf(b, "# UNIT %s %s\n", name, unit)
	}
	fmt.Fprintf(b, "# HELP %s %s\n", name, escapeMetric(help))
}

// sample writes one value; labels alternate between names and values.
func (b *metrics) sample(name string, value int, labels ...string) {
	b.line(name, strconv.Itoa(value), labels)
}

func (b *metrics) line(name, value string, labels []string) {
	b.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		open := ","
		if i == 0 {
			open = "{"
		}
		fmt.Fprintf(b, `%s%s="%s"`, open, labels[i], escapeMetric(labels[i+1]))
	}
	if len(labels) > 0 {
		b.WriteString("}")
	}
	b.WriteString(" " + value + "\n")
}

func (b *metrics) ratio(name, help string, value *float64) {
	if value == nil {
		return
	}
	b.family(name, "gauge", "ratio", help)
	b.line(name, strconv.FormatFloat(*value, 'g', -1, 64), nil)
}

func samples[K ~string](b *metrics, name, label string, values map[K]int) {
	for _, k := range slices.Sorted(maps.Keys(values)) {
		b.sample(name, values[k], label, string(k))
	}
}

// escapeMetric escapes the characters that would end a label's value or a line.
func escapeMetric(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(text)
}
