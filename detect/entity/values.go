package entity

// values finds dates, versions, ports and numbers, in this order of precedence.
func (p *Parser) values() {
	for i := 0; i < len(p.Tokens); {
		n := 0
		if p.Tokens[i].Mention == "" || p.Tokens[i].Kind == Dotted {
			if n = p.date(i); n == 0 {
				n = p.version(i)
			}
			if n == 0 {
				n = p.port(i)
			}
			if n == 0 {
				n = p.number(i)
			}
		}
		i += max(n, 1)
	}
}
