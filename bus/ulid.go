package bus

import (
	"math/big"
	"strings"
)

// crockford is the alphabet of ULIDs.
const (
	crockford  = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	ulidLength = 26
)

// packULID is the 128 bits of a ULID.
func packULID(id string) (packed [idBytes]byte, ok bool) {
	if len(id) != ulidLength {
		return packed, false
	}
	var n big.Int
	for _, c := range []byte(id) {
		digit := strings.IndexByte(crockford, c)
		if digit < 0 {
			return packed, false
		}
		n.Lsh(&n, 5).Or(&n, big.NewInt(int64(digit)))
	}
	if n.BitLen() > 8*idBytes {
		return packed, false
	}
	n.FillBytes(packed[:])
	return packed, true
}

func unpackULID(packed [idBytes]byte) string {
	var n, digit big.Int
	n.SetBytes(packed[:])
	var id [ulidLength]byte
	for i := range id {
		shift := uint(5 * (ulidLength - 1 - i))
		id[i] = crockford[digit.Rsh(&n, shift).Uint64()&31]
	}
	return string(id[:])
}
