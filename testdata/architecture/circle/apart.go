package circle

// A local name that no other file declares ties nothing.
func apart() int {
	only := 1
	return only
}

var _ = apart
