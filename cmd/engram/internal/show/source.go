package show

import (
	"fmt"
)

// Origin says where a fact comes from that is not of this memory.
func Origin(origin string) string {
	if origin == "" {
		return ""
	}
	return fmt.Sprintf("from %s", origin)
}

// Address is how a fact is named to engram get.
func Address(origin, key string) string {
	if origin == "" {
		return key
	}
	return origin + ":" + key
}
