package entity

import (
	"strings"

	"engram/detect/lexicon"
)

// service finds a service that ends or begins at token i.
//
//  1. The auth service, the user profile service, `user` service.
//  2. Service billing, when the name looks like one.
//  3. payments-api, user-service, order-worker.
//  4. The gateway, the API gateway, the frontend.
func (p *Parser) service(i int) bool {
	t := &p.Tokens[i]
	switch {
	case p.Is(i+1, "service", "microservice", "svc") && !p.Tokens[i+1].Code:
		return p.serviceBefore(i)
	case p.Is(i-1, "service", "microservice") && p.serviceAfter(i):
		p.mention(i, i, Service, ServiceName(t.Text))
		return true
	case hasServiceSuffix(t.Lower):
		p.mention(i, i, Service, ServiceName(t.Text))
		return true
	case isComponent(t.Lower) && !p.nextPlain(i):
		if p.Is(i-1, "the", "our", "this") || i == 0 || p.Is(i-1, ".") {
			p.mention(i, i, Service, t.Lower)
			return true
		}
		if p.plain(i-1) && p.Is(i-2, "the", "our") {
			p.mention(i-1, i, Service, p.Tokens[i-1].Lower+"-"+t.Lower)
			return true
		}
	}
	return false
}

// serviceBefore takes the word or two before "service" as its name.
func (p *Parser) serviceBefore(i int) bool {
	t := &p.Tokens[i]
	if t.Class&^(lexicon.Setting|lexicon.Label|lexicon.Attr) != 0 || t.Kind != Word || genericService(t.Lower) || len(t.Lower) < 2 || strings.ContainsAny(t.Lower, "./") {
		return false
	}
	if strings.HasSuffix(t.Lower, "ed") || strings.HasSuffix(t.Lower, "ing") && !t.Code && !p.Is(i-1, "the", "our") {
		return false
	}
	if i > 0 && p.Tokens[i-1].Mention == "" && p.plain(i-1) && !genericService(p.Tokens[i-1].Lower) && p.Is(i-2, "the", "our") {
		p.mention(i-1, i, Service, p.Tokens[i-1].Lower+"-"+t.Lower)
		return true
	}
	p.mention(i, i, Service, ServiceName(t.Text))
	return true
}

// serviceAfter reports whether the word after "service" is a name.
func (p *Parser) serviceAfter(i int) bool {
	t := &p.Tokens[i]
	return t.Kind == Word && t.Class == 0 && (t.Code || strings.IndexByte(t.Lower, '-') > 0) && strings.IndexByte(t.Lower, '_') < 0 && !strings.ContainsAny(t.Text, "./")
}

// plain reports a lower-case word without a part to play.
func (p *Parser) plain(i int) bool {
	if i < 0 || i >= len(p.Tokens) {
		return false
	}
	t := &p.Tokens[i]
	return t.Kind == Word && t.Class == 0 && !t.Code && t.ValueIndex == 0
}

// nextPlain reports a noun after i, which i then only describes.
func (p *Parser) nextPlain(i int) bool {
	return i+1 < len(p.Tokens) && p.Tokens[i+1].Kind == Word && p.Tokens[i+1].Class&(lexicon.Setting|lexicon.Label) != 0 && !p.Tokens[i+1].Glued
}

func hasServiceSuffix(w string) bool {
	at := strings.LastIndexByte(w, '-')
	if at < 2 || strings.ContainsAny(w, "./_") {
		return false
	}
	switch w[at+1:] {
	case "service", "svc", "api", "worker", "gateway", "server", "proxy", "controller", "scheduler", "consumer", "daemon",
		"frontend", "backend", "operator", "agent":
		return !genericService(w[:at])
	}
	return false
}

// ServiceName drops what only says that the name is a service's.
func ServiceName(s string) string {
	s = lexicon.Lower(s)
	for _, suffix := range [...]string{"-service", "-svc", "_service", "service"} {
		if len(s) > len(suffix)+1 && strings.HasSuffix(s, suffix) {
			return strings.TrimRight(s[:len(s)-len(suffix)], "-_")
		}
	}
	return s
}

// isComponent reports nouns that name one component of most systems.
func isComponent(w string) bool {
	switch w {
	case "gateway", "frontend", "backend", "scheduler", "dispatcher", "ingester", "crawler", "orchestrator", "indexer":
		return true
	}
	return false
}

// genericService reports words that say what sort of service, not which.
func genericService(w string) bool {
	switch w {
	case "web", "cloud", "external", "internal", "micro", "self", "multi", "cross", "single", "public", "private", "given",
		"downstream", "upstream", "remote", "system", "managed", "headless", "kubernetes", "background", "different",
		"separate", "entire", "whole", "main", "third-party", "own", "customer", "quality", "first", "second", "rest", "http",
		"per", "non", "default", "third", "following", "target", "in", "out", "of", "specific", "local", "shared", "critical",
		"affected", "aggregated", "front", "back", "real", "client", "server", "dual-stack", "stateful", "stateless":
		return true
	}
	return false
}
