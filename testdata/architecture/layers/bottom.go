package layers

func half(n int) int { return n / 2 }
