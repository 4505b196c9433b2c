package facts

// field is a field of a YAML mapping: its name, and a pointer to its value. A parser
// in place of the pointer gets the text of the value.
type field struct {
	name  string
	value any
}

// parser sets a field from a text that is not empty.
type parser func(text string) error

// lines is a text that may have several lines.
type lines string

// fields are the fields of a fact in the order of the canonical form. Reading,
// writing and comparing facts go by this list.
func (f *Fact) fields() [21]field {
	return [...]field{
		{"key", &f.Key}, {"id", &f.ID}, {"lineage", &f.Lineage},
		{"claim", &f.Claim}, {"detail", (*lines)(&f.Detail)},
		{"kind", (*string)(&f.Kind)}, {"type", (*string)(&f.Type)}, {"scope", &f.Scope}, {"reach", (*string)(&f.Reach)},
		{"branch", &f.Branch}, {"for", &f.For}, {"confidence", &f.Confidence}, {"tags", &f.Tags}, {"pointers", &f.Pointers},
		{"valid_from", &f.ValidFrom}, {"valid_until", &f.ValidUntil}, {"ttl", &f.TTL},
		{"durability", (*string)(&f.Durability)}, {"operation", (*string)(&f.Operation)}, {"supersedes", &f.Supersedes},
		{"provenance", &f.Provenance},
	}
}

func (p *Provenance) fields() [6]field {
	return [...]field{
		{"agent", &p.Agent}, {"engineer", &p.Engineer}, {"source", (*string)(&p.Source)}, {"evidence", &p.Evidence}, {"created_at", &p.CreatedAt},
		{"session", &p.Session},
	}
}

func (p *Pointer) fields() []field { return []field{{"ref", &p.Ref}, {"digest", &p.Digest}} }

func (p *Permission) fields() []field {
	return []field{
		{"agent", &p.Agent}, {"scope", &p.Scope}, {"read", &p.Read}, {"write", &p.Write},
		{"valid_from", &p.Window.From}, {"valid_until", &p.Window.Until},
	}
}

func (r *Review) fields() []field {
	return []field{{"namespaces", &r.Namespaces}, {"unknown_authors", &r.UnknownAuthors}, {"authors", &r.Authors}}
}

func (m *Manifest) fields() []field {
	return []field{
		{"format", parser(m.parseFormat)}, {"namespaces", &m.Namespaces},
		{"anonymous_mode", &m.AnonymousMode}, {"anon_agents", &m.AnonAgents}, {"sessions", parser(m.parseSessions)},
		{"rate_limit", parser(m.parseRate)}, {"signed_commits", &m.SignedCommits},
		{"permissions", &m.Permissions}, {"review", &m.Review}, {"gates", &m.Gates}, {purgedField, &m.Purged},
	}
}
