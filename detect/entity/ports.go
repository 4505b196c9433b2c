package entity

import (
	"strconv"
	"strings"

	"engram/detect/lexicon"
)

// port finds a port at i: port 5432, :8080, localhost:8080, listens on 5432,
// and the value of a setting whose name ends in port.
func (p *Parser) port(i int) int {
	t := &p.Tokens[i]
	if t.Kind != Digits || strings.IndexByte(t.Text, '.') >= 0 {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(t.Text, ",", ""))
	if err != nil || n < 1 || n > 65535 || i == 0 || p.HasUnit(i+1) {
		return 0
	}
	if !p.portBefore(i, n) {
		return 0
	}
	return p.put(Entity{Type: Port, Value: float64(n)}, i, 1)
}

// HasUnit reports whether token j is a unit, or a word written together with the
// number before it.
func (p *Parser) HasUnit(j int) bool {
	if j >= len(p.Tokens) {
		return false
	}
	t := &p.Tokens[j]
	_, unit := unitOf(t.Text, t.Lower, t.Glued)
	return unit != "" || t.Glued && t.Kind == Word
}

// portBefore reports whether the words before i make n a port.
func (p *Parser) portBefore(i, n int) bool {
	if p.Is(i-1, "port") {
		return true
	}
	if p.Is(i-1, ":") && p.Tokens[i].Glued {
		host := i >= 2 && p.Tokens[i-1].Glued
		if host {
			return n >= 80 && p.Tokens[i-2].Kind == Word && (p.Tokens[i-2].Mention == URL || p.Is(i-2, "localhost")) || isAddress(p.Tokens[i-2].Text)
		}
		return n >= 80
	}
	j := i - 1
	for j > 0 && (p.Tokens[j].Class&(lexicon.Conj|lexicon.Filler|lexicon.Adverb|lexicon.Copula) != 0 || p.Is(j, ",", "on", "to", ":", "=") || p.Tokens[j].Kind == Symbol && p.Is(j, "(") ||
		p.Tokens[j].ValueIndex != 0 && p.Values[p.Tokens[j].ValueIndex-1].Type == Port) && i-j < 6 {
		j--
	}
	switch t := &p.Tokens[j]; {
	case p.Is(j, "ports"), p.Is(j, "port") && i-j < 4:
		return true
	case p.Is(j, "listens", "listen", "listening", "bound", "binds", "bind", "exposed", "reachable") && (p.Is(j+1, "on", "to")):
		return true
	case t.Mention == Config && i-j > 1:
		return t.Lower == "port" || strings.HasSuffix(t.Lower, "_port") || strings.HasSuffix(t.Lower, ".port") ||
			strings.HasSuffix(t.Lower, "-port") || strings.HasSuffix(t.Text, "Port")
	}
	return false
}

// isAddress reports four numbers with dots.
func isAddress(s string) bool {
	return strings.Count(s, ".") == 3 && lexicon.IsDigit(first(s)) && strings.Trim(s, "0123456789.") == ""
}
