package facts

import (
	"encoding/hex"
	"strings"
)

// RivalMark is in the keys of all rivals.
const RivalMark = ".rival-"

// suffixDigits is how many hexadecimal digits tell apart what stands beside one key.
const suffixDigits = 8

// Rival is what a merge keeps of a version that gave way although it says
// something else: a fact of its own beside the key that it was for. It depends
// on that version alone, so clones that merge in different orders keep the same.
// Whoever settles the conflict of the two decides which of them the key is to have.
func Rival(loser Fact) Fact {
	r := loser.Clone()
	if r.For.IsZero() || r.Branch != "" { // else a rival gave way once more
		r.For = loser.Key
	}
	// By the claim alone: two versions that say the same have one rival.
	mark := hex.EncodeToString(DigestOf(r.For.String(), ContentHash(loser.Claim)))[:suffixDigits]
	r.Key = r.For.beside(RivalMark + mark)
	r.Lineage = DerivedULID(loser.ValidFrom, "rival lineage", r.Key.String())
	r.ID = DerivedULID(loser.ValidFrom, "rival", string(Marshal(loser)))
	r.Supersedes = loser.ID
	return r
}

// IsRival reports whether a fact was kept by a merge (Rival).
func (f Fact) IsRival() bool { return f.Branch == "" && !f.For.IsZero() }

// Bind is where a fact about a key stands that holds on one code branch: beside
// the fact that holds everywhere, which it must not replace yet.
func Bind(k Key, branch string) Key {
	mark := hex.EncodeToString(DigestOf(branch))[:suffixDigits]
	if slug := Slug(branch); slug != "" {
		mark = strings.TrimRight(slug[:min(len(slug), 24)], "-") + "-" + mark
	}
	return k.beside(".on-" + mark)
}

// beside is the key with a longer last segment.
func (k Key) beside(suffix string) Key {
	last := &k.Identifier
	if k.Sub != "" {
		last = &k.Sub
	}
	if room := MaxSegment - len(suffix); len(*last) > room {
		*last = strings.TrimRight((*last)[:room], "._-")
	}
	*last += suffix
	return k
}
