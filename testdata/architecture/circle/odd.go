package circle

type number int

func (n number) odd() bool { return n != 0 && Even(n-1) }
