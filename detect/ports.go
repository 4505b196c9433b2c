package detect

import (
	"strconv"
	"strings"
)

// port finds a port at i: port 5432, :8080, localhost:8080, listens on 5432,
// and the value of a setting whose name ends in port.
func (p *parser) port(i int) int {
	t := &p.toks[i]
	if t.kind != digits || strings.IndexByte(t.text, '.') >= 0 {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(t.text, ",", ""))
	if err != nil || n < 1 || n > 65535 || i == 0 || p.hasUnit(i+1) {
		return 0
	}
	if !p.portBefore(i, n) {
		return 0
	}
	return p.put(Entity{Type: Port, Value: float64(n)}, i, 1)
}

func (p *parser) hasUnit(j int) bool {
	if j >= len(p.toks) {
		return false
	}
	t := &p.toks[j]
	_, unit := unitOf(t.text, t.low, t.glued)
	return unit != "" || t.glued && t.kind == word
}

// portBefore reports whether the words before i make n a port.
func (p *parser) portBefore(i, n int) bool {
	if p.is(i-1, "port") {
		return true
	}
	if p.is(i-1, ":") && p.toks[i].glued {
		host := i >= 2 && p.toks[i-1].glued
		if host {
			return n >= 80 && p.toks[i-2].kind == word && (p.toks[i-2].mention == URL || p.is(i-2, "localhost")) || isAddress(p.toks[i-2].text)
		}
		return n >= 80
	}
	j := i - 1
	for j > 0 && (p.toks[j].class&(conj|fill|adverb|be) != 0 || p.is(j, ",", "on", "to", ":", "=") || p.toks[j].kind == symbol && p.is(j, "(") ||
		p.toks[j].value != 0 && p.vals[p.toks[j].value-1].Type == Port) && i-j < 6 {
		j--
	}
	switch t := &p.toks[j]; {
	case p.is(j, "ports"), p.is(j, "port") && i-j < 4:
		return true
	case p.is(j, "listens", "listen", "listening", "bound", "binds", "bind", "exposed", "reachable") && (p.is(j+1, "on", "to")):
		return true
	case t.mention == Config && i-j > 1:
		return t.low == "port" || strings.HasSuffix(t.low, "_port") || strings.HasSuffix(t.low, ".port") ||
			strings.HasSuffix(t.low, "-port") || strings.HasSuffix(t.text, "Port")
	}
	return false
}

// isAddress reports four numbers with dots.
func isAddress(s string) bool {
	return strings.Count(s, ".") == 3 && isDigit(first(s)) && strings.Trim(s, "0123456789.") == ""
}
