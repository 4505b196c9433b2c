package facts

// The two readers that have to agree, for the external tests.
var (
	ParseCanonical = parseCanonical
	ParseYAML      = parseYAML
)
