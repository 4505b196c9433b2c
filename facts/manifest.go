package facts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FormatVersion is the version of the branch format that this package reads
// and writes, docs/format.md.
const FormatVersion = 1

// ManifestPath is the file on the branch that holds the manifest.
const ManifestPath = "engram.yml"

// Manifest is a team's configuration, stored on the branch.
type Manifest struct {
	Format     int
	Namespaces []string // beyond SeedNamespaces
	// Privacy: AnonymousMode stores no names of engineers; AnonAgents gives agents
	// a random name in each session.
	AnonymousMode bool
	AnonAgents    bool
	// Sessions says which sessions `engram session share --auto` sends: SessionsNever (as
	// ""), SessionsOwn or SessionsPushed.
	Sessions string
	// RateLimit is how many commits an agent may make in an hour; 0 means no limit.
	RateLimit     int
	SignedCommits bool // the team wants every commit signed
	Permissions   Permissions
	Review        Review
	Gates         []Gate // beyond GateSecrets
	// Purged lists commits of histories that were rewritten to remove something:
	// the first that differs, and the last. A history that
	// contains one of them must not be merged with one that does not.
	Purged []string
}

// SeedNamespaces are the nine namespaces that every memory has.
func SeedNamespaces() []string {
	return []string{"sdd", "paper", "architecture", "tool", "domain", "skill", "risk", "calibration", "finding"}
}

// AllNamespaces lists the nine namespaces and those the team added.
func (m Manifest) AllNamespaces() []string { return append(SeedNamespaces(), m.Namespaces...) }

// ParseManifest reads engram.yml. It rejects what Parse rejects. Fields of
// later versions are ignored; a later format version is an error, because
// writing by old rules would do harm.
func ParseManifest(b []byte) (Manifest, error) {
	if len(b) > MaxFile {
		return Manifest{}, fmt.Errorf("%s has %d bytes; at most %d are read", ManifestPath, len(b), MaxFile)
	}
	root, err := rootMapping(b)
	if err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", ManifestPath, err)
	}
	m := Manifest{RateLimit: DefaultRate}
	var later []Unknown
	if err := eachField(root, m.fields(), &later); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", ManifestPath, err)
	}
	return m, m.check()
}

func (m *Manifest) parseFormat(text string) (err error) {
	if m.Format, err = strconv.Atoi(text); err != nil {
		return fmt.Errorf("%q is not a format version", abridge(text, 40))
	}
	return nil
}

func (m *Manifest) parseRate(text string) (err error) {
	if m.RateLimit, err = strconv.Atoi(text); err != nil || m.RateLimit < 0 {
		return errors.New("a rate is a whole number of commits an hour, 0 for no limit")
	}
	return nil
}

// Which sessions are sent without asking, Manifest.Sessions.
const (
	SessionsNever  = "never"
	SessionsOwn    = "own"    // those recorded in the clone that sends
	SessionsPushed = "pushed" // those that made a commit that the remote has
)

func (m *Manifest) parseSessions(text string) error {
	if text != SessionsNever && text != SessionsOwn && text != SessionsPushed {
		return fmt.Errorf("%q is not one of %s, %s, %s", abridge(text, 40), SessionsNever, SessionsOwn, SessionsPushed)
	}
	m.Sessions = text
	return nil
}

func (m Manifest) check() error {
	if m.Format < 1 {
		return fmt.Errorf("%s has no format version", ManifestPath)
	}
	if m.Format > FormatVersion {
		return fmt.Errorf("%s has format %d; this engram supports up to %d", ManifestPath, m.Format, FormatVersion)
	}
	for _, n := range m.Namespaces {
		if err := checkSegment(n, false); err != nil {
			return fmt.Errorf("%s: namespace %v", ManifestPath, err)
		}
	}
	for _, c := range m.Purged {
		if !isCommit(c) {
			return fmt.Errorf("%s: %s has %q, which is not a full commit hash", ManifestPath, purgedField, abridge(c, 50))
		}
	}
	return nil
}

// CheckKey reports whether the key's namespace is one that the team uses. The
// error is a *KeyError.
func (m Manifest) CheckKey(k Key) error {
	all := m.AllNamespaces()
	if slices.Contains(all, k.Namespace) {
		return nil
	}
	return &KeyError{Text: k.String(), Problem: fmt.Sprintf("namespace %q is not one of %s", k.Namespace, strings.Join(all, ", "))}
}
