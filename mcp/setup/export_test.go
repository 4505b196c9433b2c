package setup

// Edit is an edit, for tests: put and take of one thing in a text.
type Edit struct{ edit }

// Put, Take and Holds are those of the edit.
func (e Edit) Put(text string) (string, error)            { return e.put(text) }
func (e Edit) Take(text, original string) (string, error) { return e.take(text, original) }
func (e Edit) Holds(text string) bool                     { return e.holds(text) }

// About are the first lines of blocks, by the line breaks that came with them.
var About = about

func testBuilder(profiles []string) builder {
	return builder{client: "claude-code", Options: Options{Profiles: profiles}, Place: Place{Getenv: func(string) string { return "" }}}
}

// The edits of each kind, as clients have them.
func ServerEdit(key string, profiles ...string) Edit {
	return Edit{testBuilder(profiles).typed(key)}
}
func OpenCodeEdit(profiles ...string) Edit { return Edit{testBuilder(profiles).opencode().edits[0]} }
func HooksEdit() Edit                      { return Edit{testBuilder(nil).grouped(claudeEvents)} }
func FlatHooksEdit() Edit                  { return Edit{testBuilder(nil).cursorHooks().edits[0]} }
func TOMLEdit(profiles ...string) Edit     { return Edit{testBuilder(profiles).toml()} }
func BlockEdit(text string) Edit           { return Edit{block{text}} }
