package facts

import (
	"encoding/hex"
	"strings"
)

// RivalMark is in the keys of all rivals.
const RivalMark = ".rival-"

// suffixDigits is how many hexadecimal digits distinguish the files beside one key.
const suffixDigits = 8

// Rival returns the fact in which a merge keeps a losing version that makes another
// claim: a fact beside the key that it was for. It depends on that version only, so
// clones that merge in different orders keep the same. Settling the conflict of the
// two decides which claim the key gets.
func Rival(loser Fact) Fact {
	r := loser.Clone()
	if r.For.IsZero() || r.Branch != "" { // else a rival lost again
		r.For = loser.Key
	}
	// The mark depends on the claim only: versions with the same claim share a rival.
	mark := hex.EncodeToString(DigestOf(r.For.String(), ContentHash(loser.Claim)))[:suffixDigits]
	r.Key = r.For.beside(RivalMark + mark)
	r.Lineage = DerivedULID(loser.ValidFrom, "rival lineage", r.Key.String())
	r.ID = DerivedULID(loser.ValidFrom, "rival", string(Marshal(loser)))
	r.Supersedes = loser.ID
	return r
}

// IsRival reports whether a fact was kept by a merge (Rival).
func (f Fact) IsRival() bool { return f.Branch == "" && !f.For.IsZero() }

// Bind returns the key of a fact that holds on one code branch only. It is beside k,
// whose fact it must not replace yet.
func Bind(k Key, branch string) Key {
	prefix := ".on-"
	if slug := Slug(branch); slug != "" {
		prefix += strings.TrimRight(slug[:min(len(slug), 24)], "-") + "-"
	}
	digest := DigestOf(branch)
	if k.room(prefix)-suffixDigits < 0 { // the key is cut, and another key may be cut to the same
		digest = DigestOf(branch, k.String())
	}
	return k.beside(prefix + hex.EncodeToString(digest)[:suffixDigits])
}

// IsBound reports whether a fact holds on one code branch only.
func (f Fact) IsBound() bool { return f.Branch != "" }

// Target returns the key that a bound fact is for.
func (f Fact) Target() Key {
	if f.For.IsZero() { // written by hand
		return f.Key
	}
	return f.For
}

// room returns how many bytes of the last segment a suffix leaves.
func (k Key) room(suffix string) int {
	last := k.Identifier
	if k.Sub != "" {
		last = k.Sub
	}
	return MaxSegment - len(last) - len(suffix)
}

// beside returns the key with suffix appended to its last segment.
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
