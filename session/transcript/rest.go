package transcript

func (r *reader) gemini(v value)     {}
func (r *reader) exported(v value)   {}
func (r *reader) stored(v value)     {}
func (r *reader) trajectory(v value) {}
func (r *reader) plain(v value)      {}
