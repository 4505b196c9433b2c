package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// ContentHash identifies what a claim says, whatever its case and white space:
// the SHA-256, in hex, of the claim lower-cased and with every run of white
// space folded to one space (seed 4, commit pipeline step 4).
func ContentHash(claim string) string {
	sum := sha256.Sum256([]byte(FoldSpace(strings.ToLower(claim))))
	return hex.EncodeToString(sum[:])
}

// FoldSpace trims s and folds each run of white space in it, line breaks
// included, to one space.
func FoldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
