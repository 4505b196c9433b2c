package hooks_test

import (
	"bytes"
	"testing"

	"engram/hooks"
)

// FuzzInsertRemove: what goes in comes out, whatever the file is.
func FuzzInsertRemove(f *testing.F) {
	for _, text := range []string{
		"", "\n", "#!/bin/sh", "#!/bin/sh\n", "#!/bin/sh\r\necho\r\n", "echo", "#!/bin/sh\n# <<< engram hooks <<<\n", "#!/bin/sh\r", "\r\n#!",
		"# >>> engram hooks >>>", "#!/bin/sh\n# >>> engram hooks >>>\n# <<< engram hooks <<<\n",
	} {
		f.Add([]byte(text), []byte(text))
	}
	f.Add([]byte("#!/bin/sh\n"), []byte("[core]\n\tbare = false"))
	f.Fuzz(func(t *testing.T, script, config []byte) {
		if rest, err := hooks.Remove(script); err == nil && bytes.Equal(rest, script) { // has no lines of engram's
			for _, hook := range hooks.Names() {
				if got, err := hooks.Remove(hooks.Insert(script, hook)); err != nil || !bytes.Equal(got, script) {
					t.Fatalf("%s: %q became %q, %v", hook, script, got, err)
				}
			}
		}
		if bytes.Equal(hooks.WithoutDriver(config), config) {
			if got := hooks.WithoutDriver(hooks.WithDriver(config)); !bytes.Equal(got, config) {
				t.Fatalf("%q became %q", config, got)
			}
		}
	})
}
