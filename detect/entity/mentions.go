package entity

import (
	"strings"

	"engram/detect/lexicon"
)

// mentions finds what the text names: settings, paths, URLs, identifiers,
// services and tools. A token is one of them at most.
func (p *Parser) mentions() {
	for i := range p.Tokens {
		t := &p.Tokens[i]
		if t.Kind != Word || t.Mention != "" {
			continue
		}
		if p.service(i) {
			continue
		}
		switch typ, name := p.identifier(i); typ {
		case "":
			if tool := toolOf(t.Text, t.Lower); tool != "" {
				p.mention(i, i, Tool, tool)
			} else if t.Code && len(t.Text) > 1 && t.Class == 0 && lexicon.IsLetter(t.Text[0]) {
				p.mention(i, i, Code, t.Text)
			}
		default:
			p.mention(i, i, typ, name)
		}
	}
}

// identifier classifies token i by its shape.
//
//  1. URLs and host names.
//  2. Command-line flags: --max-conns.
//  3. Paths: a leading slash or dot, a known extension, two slashes.
//  4. Settings: AUTH_RATE_LIMIT, rate_limit, server.max-conns; maxConns and
//     max-conns next to a word such as flag, or with a value.
//  5. Other identifiers: refreshToken, PodGroup, pkg.Func.
func (p *Parser) identifier(i int) (Type, string) {
	t := &p.Tokens[i]
	s := t.Text
	f := featuresOf(s)
	switch {
	case strings.Contains(s, "://"):
		return URL, s
	case strings.HasPrefix(s, "-"):
		return Config, strings.TrimLeft(s, "-")
	case f.slashes > 0 || f.dots > 0 && knownExtension(t.Lower):
		return p.pathOf(t, f)
	case f.dots > 0:
		return p.dottedName(t, f)
	case f.underscores > 0 && f.letters > 1:
		if f.upper && f.lower && !strings.Contains(t.Lower, "_") {
			return Code, s
		}
		return Config, strings.Trim(s, "_")
	case f.camel && toolOf(s, t.Lower) == "":
		if p.isSetting(i) && s[0] >= 'a' {
			return Config, s
		}
		return Code, s
	case f.hyphens > 0 && t.Code || f.hyphens > 0 && f.letters > 4:
		if p.nextToSetting(i) && !f.upper {
			return Config, s
		}
	case f.upper && !f.lower && f.letters > 2 && p.valued(i) && t.Code:
		return Config, s
	}
	return "", ""
}

// features of the spelling of an identifier.
type features struct {
	letters, slashes, dots, underscores, hyphens int
	upper, lower, camel                          bool
}

func featuresOf(s string) (f features) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			f.letters++
			f.lower = true
		case c >= 'A' && c <= 'Z':
			f.letters++
			f.upper = true
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' && (i+1 < len(s)) {
				f.camel = true
			}
		case c == '/':
			f.slashes++
		case c == '.':
			f.dots++
		case c == '_':
			f.underscores++
		case c == '-':
			f.hyphens++
		}
	}
	return f
}

// pathOf tells a path from words that a slash joins.
func (p *Parser) pathOf(t *Token, f features) (Type, string) {
	s := t.Text
	lead := s[0] == '/' || s[0] == '.' || s[0] == '~'
	head, _, _ := strings.Cut(s, "/")
	switch {
	case f.dots > 0 && knownExtension(t.Lower), lead && f.letters > 1, strings.Contains(head, ".") && f.slashes > 0 && f.letters > 3:
		return Path, s
	case f.slashes >= 2 && f.letters > f.slashes*3 && !f.upper, f.slashes > 0 && t.Code && f.letters > 3:
		return Path, s
	}
	return "", ""
}

// dottedName tells settings, hosts and qualified identifiers apart.
func (p *Parser) dottedName(t *Token, f features) (Type, string) {
	s := strings.TrimPrefix(t.Text, ".")
	last := t.Lower[strings.LastIndexByte(t.Lower, '.')+1:]
	switch {
	case f.letters < 4 || toolOf(t.Text, t.Lower) != "" || t.Lower == "e.g" || t.Lower == "i.e" || lexicon.IsDigit(first(s)):
		return "", ""
	case isTopLevel(last) && !f.upper && !t.Code:
		return URL, s
	case t.Code && f.upper && first(s) < 'a', f.upper && f.camel && first(s) < 'a':
		return Code, s
	}
	for part := range strings.SplitSeq(s, ".") {
		if len(part) < 2 {
			return Code, s
		}
	}
	if f.upper && !f.camel && !t.Code {
		return "", "" // two sentences without a space between them
	}
	return Config, s
}

func isTopLevel(s string) bool {
	switch s {
	case "com", "org", "net", "io", "dev", "ai", "local", "internal", "gov", "edu", "de", "uk", "cloud":
		return true
	}
	return false
}

// knownExtension reports a file name by its ending.
func knownExtension(s string) bool {
	switch s[strings.LastIndexByte(s, '.')+1:] {
	case "go", "md", "yaml", "yml", "json", "jsonl", "toml", "py", "js", "ts", "tsx", "jsx", "rs", "java", "kt", "c", "h", "cc",
		"cpp", "rb", "sh", "sql", "proto", "txt", "xml", "html", "css", "ini", "conf", "cfg", "lock", "mod", "sum", "env",
		"tf", "csv", "log", "pem", "crt", "gz", "zip", "db", "sqlite", "service", "gradle", "adoc", "rst", "swift", "php":
		return strings.IndexByte(s, '.') >= 0 && len(s) > 3 && s != "node.js" && s != "next.js" && s != "vue.js"
	}
	return false
}

// isSetting reports whether the identifier at i is used as a setting.
func (p *Parser) isSetting(i int) bool { return p.nextToSetting(i) || p.valued(i) }

func (p *Parser) nextToSetting(i int) bool {
	return p.Has(i-1, lexicon.Setting) || p.Has(i+1, lexicon.Setting) || p.Is(i-1, "set", "sets", "setting")
}

// valued reports whether a value is given to token i.
func (p *Parser) valued(i int) bool {
	return p.Is(i+1, "=", ":", "defaults", ":=") || p.Has(i+1, lexicon.Copula) && !p.Is(i+1, "returns", "means") && i+2 < len(p.Tokens) &&
		(p.Tokens[i+2].Kind == Digits || p.Has(i+2, lexicon.Sets) || isSwitch(p.Tokens[i+2].Lower))
}

func isSwitch(w string) bool {
	dimension, _ := stateOf(w)
	return dimension == Switch
}
