package config

import "testing"

// FuzzParseConfig: no .engram.yml makes a program panic.
func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(exampleConfig))
	f.Add([]byte("agent: ci\nbus:\n  parents: [a, b]\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("agent: !!null\n? [x]\n: y\n"))
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = parseConfig(text) })
}
