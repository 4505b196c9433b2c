package hint

// Actions lists all actions.
func Actions() []Action {
	all := make([]Action, actions)
	for i := range all {
		all[i] = Action(i)
	}
	return all
}
