// Package entity finds what a text mentions and the values it gives: numbers,
// versions, ports, dates and states, each tied to the thing it qualifies, and
// settings, services, tools, paths and identifiers.
//
// It applies rules to one scan of the text, with small tables. It is pure, does no
// I/O, is deterministic and takes time linear in the length of the text. It is made
// for claims of at most 500 characters in English and does not parse English: if a
// sentence does not say plainly what a value belongs to, Name stays empty.
package entity

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// Version is the version of the rules. Raise it whenever the output for some
// text changes: indexes derived from it are rebuilt then.
const Version = 1

// maxKey is the longest key, in bytes.
const maxKey = 80

// Type says what an entity is.
type Type string

// The types. The first five are values of something, the others are mentions.
const (
	Number  Type = "number"  // a quantity; Unit says of what dimension
	Release Type = "version" // a version of software or of an API
	Port    Type = "port"    // a network port
	Date    Type = "date"    // a day, month, quarter or year
	State   Type = "state"   // one of few values: enabled, optional, beta, not used
	Config  Type = "config"  // a setting, environment variable or command-line flag
	Service Type = "service" // a service or component
	Tool    Type = "tool"    // a well-known technology: postgres, kafka, python
	Path    Type = "path"    // a file, folder or module path
	URL     Type = "url"     // a URL or host name
	Code    Type = "code"    // an identifier in code
)

// Bound says how a number or version limits what it is about.
type Bound string

// The bounds. A range is two entities: AtLeast and AtMost.
const (
	Exactly Bound = ""
	AtLeast Bound = ">="
	AtMost  Bound = "<="
	About   Bound = "~"
)

// Dimensions of states, in Unit. Only states of one dimension are comparable.
const (
	Switch   = "switch"   // enabled, disabled (also true, false, on, off)
	Need     = "need"     // required, optional
	Support  = "support"  // supported, unsupported
	Stage    = "stage"    // alpha, beta, stable, experimental, deprecated, removed
	Presence = "presence" // used, not used
	Setting  = "value"    // any word: the log level is debug
)

// Entity is one thing found in a text.
type Entity struct {
	Type Type
	// Name is what the value is of, or what is mentioned: words in lower case
	// and singular, joined by underscores, the owner first, so that "timeout of
	// the gateway" and "gateway timeouts" are both gateway_timeout. Identifiers
	// keep their case. Empty where the text does not say.
	Name string
	// Of is the subject of the sentence when a verb ties it to Name: gateway in
	// "the gateway has a timeout of 30 s"; of a version, what uses the product.
	// Slot joins the two.
	Of    string
	Value float64 // of a number or port, in the base unit
	// Unit is the base unit of a number (s, month, B, B/s, bit/s, req/s, %, cpu,
	// x, Hz, USD, count) or the dimension of a state.
	Unit      string
	Text      string // normalised version, date, state, path or URL
	Bound     Bound
	Negated   bool   // the text denies it; Text of a state has that already
	Old       bool   // a former value: bumped from 30 to 60 seconds
	Loose     bool   // mentioned without saying whose: "two containers", "Go 1.22: ..."; fills no slot
	Condition string // "in staging", "per ip", "default", "since 1.28"; parts joined by "; "
	// Start and End are the bytes of the text where the value or mention stands.
	Start, End int
}

// Valued reports whether the entity is a value of something, which two claims
// can disagree on, and not only a mention.
func (e Entity) Valued() bool {
	switch e.Type {
	case Number, Release, Port, Date, State:
		return true
	}
	return false
}

// Key is the concept that a claim is found by: lower case, stable, at most 80
// bytes.
//
//  1. Mentions, by name: service:auth, config:auth_rate_limit, tool:postgres,
//     path:internal/auth/token.go.
//  2. Ports, by number: port:5432.
//  3. Versions, by what they are versions of: version:go.
//  4. Numbers, dates and states, by their slot: number:gateway_timeout.
//  5. What has no name, by its value: version:1.29.3, number:30s.
func (e Entity) Key() string {
	switch {
	case e.Type == Port:
		return "port:" + strconv.FormatFloat(e.Value, 'f', -1, 64)
	case e.Type == Release && e.Name != "":
		return limit("version:" + strings.ToLower(e.Name))
	case e.Valued() && e.Slot() != "":
		return e.Slot()
	case e.Type == Number && e.Name == "":
		return limit("number:" + strconv.FormatFloat(e.Value, 'g', -1, 64) + strings.ToLower(e.Unit))
	case e.Name != "":
		return limit(string(e.Type) + ":" + strings.ToLower(e.Name))
	}
	return limit(string(e.Type) + ":" + strings.ToLower(e.Text))
}

// Slot is what the value is of, whatever the value: two claims that fill one
// slot with different values disagree. It is empty for mentions, for values
// without a name and for loose ones; otherwise it has the form of a key.
func (e Entity) Slot() string {
	if !e.Valued() || e.Loose || e.Name == "" && e.Of == "" {
		return ""
	}
	name := e.Name
	switch {
	case name == "":
		name = e.Of
	case e.Of != "":
		name = e.Of + "_" + name
	}
	return limit(string(e.Type) + ":" + strings.ToLower(name))
}

// limit cuts a key to maxKey bytes, keeping different keys different.
func limit(key string) string {
	if len(key) <= maxKey {
		return key
	}
	h := fnv.New32a()
	h.Write([]byte(key))
	sum := strconv.FormatUint(uint64(h.Sum32()), 36)
	return strings.ToValidUTF8(key[:maxKey-8], "") + "~" + sum
}
