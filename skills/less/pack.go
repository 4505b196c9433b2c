package less

import (
	"embed"
	"io/fs"
)

//go:embed manifest.json SKILL.md schemas tests
var pack embed.FS

// Pack is the whole skill pack as it is installed: manifest.json, SKILL.md, schemas and
// conformance cases. Nobody writes into it.
func Pack() fs.FS { return pack }
