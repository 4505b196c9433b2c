package entity

// scaleWord returns what a written scale multiplies by, or zero.
func scaleWord(w string) float64 {
	switch w {
	case "hundred":
		return 100
	case "thousand":
		return 1e3
	case "million":
		return 1e6
	case "billion":
		return 1e9
	}
	return 0
}

// scaleLetter is scaleWord for a letter that is glued to the number. A lone m
// is minutes, and G and above are bytes.
func scaleLetter(s string) float64 {
	switch s {
	case "k", "K":
		return 1e3
	case "M":
		return 1e6
	}
	return 0
}
