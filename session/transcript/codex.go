package transcript

func (r *reader) codex(v value) {}
