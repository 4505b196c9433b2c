package detect

import "strings"

const (
	maxWindow = 18 // tokens before a value that may name it
	maxWords  = 7  // words of a name; what has more is too vague to compare
)

// nameAll ties every value to what it is of, as far as the text says it.
func (p *parser) nameAll() {
	for k := range p.vals {
		v := &p.vals[k]
		right := ""
		if v.Type == Number {
			right = p.nounAfter(v)
		}
		lo := p.window(k)
		of, name := p.split(lo, v.left)
		if v.Name != "" { // a version knows its product, a use its object
			if of == "" {
				of = name
			}
			if of != v.Name {
				v.Of = of
			}
			v.Loose = v.Type == Release && v.Of == "" && !p.has(v.last+1, be)
			continue
		}
		if right != "" {
			v.Loose = of == "" && name == "" && v.Unit == "count"
			name = join(right, name)
		} else if p.numbered(v) {
			v.Type = ""
			continue
		}
		if v.Type == Port {
			of, name = trimPort(of), trimPort(name)
		}
		if name == "" {
			of, name = "", of
		}
		if name == "" && k > 0 && p.continues(&p.vals[k-1], v) {
			of, name = p.vals[k-1].Of, p.vals[k-1].Name
		}
		if of == name {
			of = ""
		}
		if v.Type == Release { // Of is for versions of a product
			of, name = "", join(of, name)
		}
		v.Of, v.Name = of, name
	}
}

// numbered reports that a bare number stands right after a noun, which it then
// tells from others: alternative 1, Windows Server 2019.
func (p *parser) numbered(v *value) bool {
	if v.Type != Number || v.Unit != "count" || v.left == 0 || v.left != v.first || p.toks[v.first].code {
		return false
	}
	t := &p.toks[v.left-1]
	return t.value == 0 && (t.kind == word && (t.class == 0 || t.class&label != 0) && t.mention != Config || p.is(v.left-1, "(") && p.has(v.left-2, prep))
}

// continues reports whether b is another value of what a is of: "100 in
// staging and 1000 in production".
func (p *parser) continues(a, b *value) bool {
	if a.Type != b.Type || a.Unit != b.Unit || b.first-a.last > 6 {
		return false
	}
	for i := a.last + 1; i < b.left; i++ {
		t := &p.toks[i]
		if t.class&(conj|prep|fill|adverb) == 0 && !p.is(i, ",") && envOf(t.low) == "" {
			return false
		}
	}
	return true
}

func trimPort(s string) string {
	s = strings.TrimSuffix(strings.TrimSuffix(s, "port"), "_")
	s = strings.TrimSuffix(strings.TrimSuffix(s, "listen"), "_")
	return strings.TrimSuffix(strings.TrimSuffix(s, "listening"), "_")
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "_" + b
}
