package hooks

import "io"

// Insert puts engram's lines for a hook into a script as a guest.
func Insert(content []byte, hook string) []byte {
	return insert(content, script{hook, "/an engram's/engram", "engram", guest}.lines())
}

// Remove takes them out.
func Remove(content []byte) ([]byte, error) {
	rest, _, _, err := remove(content)
	return rest, err
}

// WithDriver and WithoutDriver put the merge driver into a configuration and take
// it out.
func WithDriver(config []byte) []byte { return withDriver(config, `C:\an "engram's"/engram`) }

func WithoutDriver(config []byte) []byte {
	rest, _ := withoutDriver(config)
	return rest
}

// ReadEvent reads the event of a client.
func ReadEvent(in io.Reader) (session, source string, folders []string) {
	e := readEvent(in)
	return e.session, e.source, e.folders
}
